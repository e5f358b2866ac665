import type { SeedDocument } from "../../../server";
import type { Snapshot } from "../../../server/control/routes/snapshot";
import { colleagues, installation, lastingDeployments } from "./companions";

/** The team with its colleagues. @param owner a user */
export const teamOf = (owner: string) =>
  ({
    users: colleagues.map((username) => ({ username })),
    teams: [
      {
        slug: "acme",
        plan: "enterprise",
        members: [
          { user: owner, role: "OWNER" },
          ...colleagues.map((user) => ({ user, role: "CONTRIBUTOR" as const })),
        ],
      },
    ],
  }) satisfies SeedDocument;

/** The objects of the team that random programs find. @param owner a user */
export const objectsFor = (owner: string) =>
  ({
    gitProviders: [{ team: "acme", type: "github", repos: ["acme/web", "acme/api"] }],
    integrations: [
      {
        ...{ slug: "monitoring", owner, clientSecret: "secret", scopes: [] },
        redirectUrl: "http://127.0.0.1:9/",
      },
    ],
    installations: [{ id: installation, integration: "monitoring", team: "acme", projects: [] }],
    projects: [{ team: "acme", name: "owner" }],
    deployments: lastingDeployments.map((id) => ({
      ...{ id, team: "acme", project: "owner", readyState: "READY" },
    })),
    // Proved once, an apex verifies what is below it.
    domains: [{ team: "acme", project: "owner", name: "example.com", verified: true }],
  }) satisfies SeedDocument;

export const account: SeedDocument = { ...teamOf("dev"), ...objectsFor("dev") };

/** The part of the service that has to be the same after everything was destroyed. */
export function lasting({ now: _, deployments: _gone, accounts, installations, ...rest }: Snapshot): object {
  return {
    ...rest,
    installations: installations.map(({ updatedAt: _updated, ...one }) => one),
    // A user who was invited keeps the account, and a team its settings.
    accounts: accounts
      .filter(({ email }) => !email?.endsWith("@example.org"))
      .map(({ settings: _settings, ...account }) => account),
  };
}
