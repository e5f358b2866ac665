import * as z from "zod";
import { command } from "../core/command";
import { UserError } from "../core/errors";
import { print, printJson, shown } from "../core/output";
import { suggestion } from "../core/suggest";
import { control, serverNote } from "./control";

const deployment = z.strictObject({
  id: z.string(),
  accountId: z.string(),
  /** The name of the project. */
  project: z.string(),
  target: z.enum(["production", "preview"]),
  readyState: z.enum(["BUILDING", "ERROR", "INITIALIZING", "QUEUED", "READY", "CANCELED"]),
  url: z.string(),
  /** In milliseconds since the epoch. */
  createdAt: z.int(),
});

export const deploy = command({
  summary: "adds a deployment of a project, as a Git push would",
  description:
    "Adds a deployment of a project, as a Git push would. A production deployment that is READY serves " +
    "production, unless autoAssignCustomDomains of the project is off.",
  arguments: [{ name: "project", help: "the project, by name or id" }],
  flags: {
    production: { help: "for production; by default a preview" },
    branch: { value: "branch", help: "the branch of the commit" },
    sha: { value: "sha", help: "the commit" },
    state: {
      value: "state",
      help: "the outcome of the build",
      choices: ["READY", "ERROR", "CANCELED", "QUEUED", "INITIALIZING", "BUILDING"],
      default: "READY",
    },
    id: { value: "id", help: "the id, which begins with dpl_; by default a new one" },
    team: {
      value: "team",
      variable: "SLIPWAY_TEAM",
      help: "the team, by slug or id; needed if several accounts have the project",
    },
  },
  examples: [
    ["slipway deploy web --production --branch main", "the new deployment serves production"],
    ["slipway deploy web --branch fix --state ERROR", "a build that fails"],
  ],
  notes: serverNote,
  output: deployment,
  async run({ args: [name = ""], flags, json }) {
    const snapshot = (await control("GET", "/snapshot")) as Snapshot;
    const { project, owner } = findProject(snapshot, name, flags.team);
    refuseKnown(snapshot, flags.id);
    const { deployments } = (await control("POST", "/deployments", {
      ...owner,
      project,
      target: flags.production ? "production" : "preview",
      readyState: flags.state,
      ...(flags.branch === undefined ? {} : { gitBranch: flags.branch }),
      ...(flags.sha === undefined ? {} : { gitSha: flags.sha }),
      ...(flags.id === undefined ? {} : { id: flags.id }),
    })) as { deployments: [z.output<typeof deployment>] };
    const [made] = deployments;
    if (json) return printJson(made);
    print(`${made.id}  ${made.target}  ${made.readyState}  https://${shown(made.url)}`);
  },
});

interface Snapshot {
  accounts: { id: string; kind: "team" | "user"; slug: string }[];
  projects: { id: string; accountId: string; name: string }[];
  deployments: { id: string; name: string }[];
}

/** Refuses an existing id, because the control plane would change the existing deployment. @throws UserError */
function refuseKnown({ deployments }: Snapshot, id: string | undefined): void {
  const known = deployments.find((one) => one.id === id);
  if (known === undefined) return;
  throw new UserError(
    `${shown(id)} exists in project ${shown(known.name)}. Choose another id, or leave out --id for a new one.`,
  );
}

/** @throws UserError if no account, or more than one, has the project */
function findProject(
  { accounts, projects }: Snapshot,
  given: string,
  team: string | undefined,
): { project: string; owner: { team: string } | { user: string } } {
  const ownerOf = ({ accountId }: { accountId: string }) => accounts.find(({ id }) => id === accountId);
  const account =
    team === undefined ? undefined : accounts.find(({ id, slug }) => id === team || slug === team);
  if (team !== undefined && account === undefined) {
    throw new UserError(
      `There is no team ${shown(team)}.${suggestion(
        team,
        accounts.map(({ slug }) => slug),
      )}`,
    );
  }
  const inReach = projects.filter(({ accountId }) => account === undefined || accountId === account.id);
  const found = inReach.filter(({ id, name }) => id === given || name === given);
  if (found.length > 1) {
    const owners = found.map((one) => ownerOf(one)?.slug).sort();
    throw new UserError(
      `Several accounts have a project ${given}: ${owners.join(", ")}. Choose one with --team.`,
    );
  }
  const [project] = found;
  const owner = project && ownerOf(project);
  if (!owner) {
    const names = inReach.map(({ name }) => name);
    throw new UserError(
      `There is no project ${shown(given)}.${suggestion(given, names)} ` +
        "Create it first. To add a deployment before its project, use slipway seed.",
    );
  }
  return { project: project.name, owner: owner.kind === "team" ? { team: owner.id } : { user: owner.id } };
}
