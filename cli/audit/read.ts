import type { Client } from "../../provider/client/client";
import { ifAllowed } from "../../provider/client/errors";
import { membersPath, teamPath } from "../../provider/client/paths";
import { inParallel } from "../../provider/core/parallel";
import { teamOf } from "../core/account";
import { listProjects } from "../objects/project";
import { webhooksOf } from "../objects/webhook";
import { type Auditing, auditProject } from "./project";
import { type Finding, riskNames, risks, severities } from "./risks";
import * as shapes from "./shapes";
import { sharedVariableFindings } from "./variable";

export interface Audit {
  account: Account;
  projects: number;
  findings: Finding[];
  /** Parts of the account that the token may not read. Their risks are unknown. */
  unread: string[];
}

/** The account that was read. */
export interface Account {
  kind: "team" | "user";
  /** The slug of the team, or the name of the user; null if the token may not read it. */
  name: string | null;
}

/** How many projects are read at the same time. */
const atOnce = 4;

/**
 * Reads an account with GET requests only.
 * @throws ApiError, OutOfReach, MalformedAnswer
 */
export async function audit(client: Client, progress: (read: number, all: number) => void): Promise<Audit> {
  const unread = new Set<string>();
  const auditing: Auditing = {
    client,
    now: Date.now(),
    async allowed(what, asked) {
      const value = await ifAllowed(asked);
      if (value === undefined) unread.add(what);
      return value;
    },
  };
  const team = await teamOf(client);
  const account = await readAccount(client, team);
  const projects = await listProjects(client, shapes.projectList, (page) => page.projects);
  let read = 0;
  const perProject = await inParallel(
    projects,
    async (project) => {
      const findings = await auditProject(auditing, project);
      progress(++read, projects.length);
      return findings;
    },
    atOnce,
  );
  const ids = new Set(projects.map(({ id }) => id));
  const own = [
    ...(team === undefined ? [] : await sharedVariableFindings(client, auditing.allowed)),
    ...(await installationFindings(auditing, team)),
    ...(await webhookFindings(auditing, ids)),
  ];
  return {
    account,
    projects: projects.length,
    findings: [...own, ...perProject.flat()].sort(bySeverity),
    unread: [...unread].sort(),
  };
}

async function readAccount(client: Client, team: string | undefined): Promise<Account> {
  if (team === undefined) {
    const answer = await ifAllowed(client.get("/v2/user", shapes.user));
    return { kind: "user", name: answer?.user.username ?? null };
  }
  const answer = await ifAllowed(client.get(teamPath(team), shapes.team));
  return { kind: "team", name: answer?.slug ?? team };
}

/** Finds installations whose user has left the team: the token of an installation acts for this user. */
async function installationFindings(
  { client, allowed }: Auditing,
  team: string | undefined,
): Promise<Finding[]> {
  const found = await allowed(
    "the installations",
    client.get("/v1/integrations/configurations", shapes.installations, { view: "account" }),
  );
  if (!found || found.length === 0) return [];
  const members = team === undefined ? undefined : await memberIds(client, allowed);
  return found.flatMap(({ id, slug, userId, teamId, disabledReason }): Finding[] => {
    const hasLeft =
      disabledReason === "original-owner-left-the-team" ||
      (teamId != null && members !== undefined && !members.has(userId));
    const detail = "its owner has left the team";
    return hasLeft
      ? [{ risk: "installation-without-owner", project: null, object: `${slug} (${id})`, detail }]
      : [];
  });
}

/** @returns the ids of the members of the team; undefined if the token cannot read them */
async function memberIds(client: Client, allowed: Auditing["allowed"]): Promise<Set<string> | undefined> {
  const team = await client.account();
  if (team === undefined) return undefined;
  const listed = await allowed(
    "the members",
    client.list(membersPath(team), shapes.members, (page) => page.members),
  );
  return listed && new Set(listed.map(({ uid }) => uid));
}

async function webhookFindings({ client, allowed }: Auditing, ids: ReadonlySet<string>): Promise<Finding[]> {
  const found = (await allowed("the webhooks", webhooksOf(client))) ?? [];
  const findings: Finding[] = [];
  for (const { id, url, projectIds } of found) {
    const gone = (projectIds ?? []).filter((project) => !ids.has(project));
    if (gone.length === 0 || gone.length < (projectIds ?? []).length) continue;
    // Only the host is shown, because the path of the URL may contain a secret.
    const object = `${new URL(url).host} (${id})`;
    findings.push({
      risk: "webhook-without-project",
      project: null,
      object,
      detail: `${gone.join(", ")} ${gone.length === 1 ? "does" : "do"} not exist`,
    });
  }
  return findings;
}

function bySeverity(a: Finding, b: Finding): number {
  const order = ({ risk }: Finding): number =>
    severities.indexOf(risks[risk].severity) * 100 + riskNames.indexOf(risk);
  const text = ({ project, object }: Finding): string => `${project ?? ""}\0${object ?? ""}`;
  return order(a) - order(b) || (text(a) < text(b) ? -1 : 1);
}
