import type { SeedDocument } from "../../../server";
import type { Snapshot } from "../../../server/control/routes/snapshot";
import { colleagues, lastingDeployments } from "./companions";

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

/** The objects that random programs find at the service, beside their deployments. */
export const account: SeedDocument = {
  ...teamOf("dev"),
  gitProviders: [{ team: "acme", type: "github", repos: ["acme/web", "acme/api"] }],
  projects: [{ team: "acme", name: "owner" }],
  deployments: lastingDeployments.map((id) => ({ team: "acme", project: "owner", id, readyState: "READY" })),
  // Proved once, an apex verifies what is below it.
  domains: [{ team: "acme", project: "owner", name: "example.com", verified: true }],
};

/** The part of the service that has to be the same after everything was destroyed. */
export function lasting({ now: _, deployments: _gone, accounts, ...rest }: Snapshot): object {
  // A project takes its deployments along. A user who was invited keeps the account.
  return { ...rest, accounts: accounts.filter(({ email }) => !email?.endsWith("@example.org")) };
}
