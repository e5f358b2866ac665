import type { Client } from "../../provider/client/client";
import { ifAllowed } from "../../provider/client/errors";
import * as responses from "../../provider/client/responses";
import { RunContext } from "../../provider/core/run-context";
import { teamOf } from "../core/account";
import { UsageError } from "../core/errors";
import { kinds } from "../objects";
import { dnsRecord } from "../objects/dns-record";
import { domain } from "../objects/domain";
import { environment } from "../objects/environment";
import type { Discovering } from "../objects/kind";
import { member } from "../objects/member";
import { listProjects, project, settingResources } from "../objects/project";
import { variable } from "../objects/variable";
import { type Discovered, declare, omittedSettings, uniqueName } from "./declare";

export interface Discovery {
  found: Discovered[];
  /** Objects and inputs that cannot be declared, with the reasons. */
  notes: string[];
}

export interface DiscoveryOptions {
  /**
   * Projects (`web`), environments (`web/staging`), domains (`web/www.example.com`), variables (`web/KEY/target`),
   * DNS records (`example.com/rec_1`) and members of the team (`ada@example.com`).
   * Default: everything.
   */
  selection?: readonly string[];
  /** Also declares the deployment that serves production. */
  promotions?: boolean | undefined;
  /** Also declares the members of the team, and of its projects. */
  members?: boolean | undefined;
  progress?: (message: string) => void;
}

/**
 * Reads the objects of the account.
 * @choice Settings that equal the defaults of a new project are left out of the program.
 * @throws UsageError if a selection does not name an object, ApiError 404 if an object does not exist
 */
export async function discover(client: Client, options: DiscoveryOptions = {}): Promise<Discovery> {
  const { selection = [], promotions = false, members = false, progress = () => {} } = options;
  const run = new RunContext(client);
  const notes: string[] = [];
  const defaultDomains: string[] = [];
  const found = new Map<string, Discovered>();
  const taken = new Set<string>();
  const declaredKeys = new Map<string, string>();

  const discovering: Discovering = {
    ...{ client, members, defaultDomains },
    async add(resource, id, name) {
      const read = await resource.read(run, id, undefined);
      if (!read || found.has(`${resource.type} ${read.id}`)) return;
      const discovered = declare(resource, read, { name: uniqueName(name, taken), notes, declaredKeys });
      if (discovered) found.set(`${resource.type} ${read.id}`, discovered);
    },
    note: (text) => void notes.push(text),
    async allowed(what, asked) {
      const listed = await ifAllowed(asked);
      if (!listed) notes.push(`The token may not read ${what}, so they were left out.`);
      return listed ?? [];
    },
  };
  const { add } = discovering;

  const addProject = async (idOrName: string): Promise<void> => {
    const remote = await client.project(idOrName);
    progress(`reading ${remote.name}`);
    await add(project.resource, remote.id, remote.name);
    notes.push(...omittedSettings(remote));
    for (const kind of kinds)
      if (kind.owner === "project" && "discover" in kind) await kind.discover(discovering, remote);
    for (const { resource, suffix } of settingResources(remote, promotions))
      await add(resource, remote.id, `${remote.name}-${suffix}`);
  };

  for (const selected of selection) refuseUnnamed(selected);
  for (const selected of selection.length > 0 ? selection : await allProjects(client)) {
    const [name = "", key, target] = selected.split("/");
    if (key === undefined) await (name.includes("@") ? add(member.resource, name, name) : addProject(name));
    else if (target === undefined) {
      if (isRecord(selected)) {
        await add(dnsRecord.resource, selected, selected.replace("/", "-"));
        continue;
      }
      // Names of domains contain a dot, slugs of environments do not.
      await (key.includes(".")
        ? add(domain.resource, selected, key)
        : add(environment.resource, selected, `${name}-${key}`));
    } else await add(variable.resource, selected, selected.replaceAll("/", "-"));
  }
  const [example] = defaultDomains;
  if (example !== undefined)
    notes.push(
      `The default domains of projects, such as ${example}, were left out, because the service gives them to the projects.`,
    );
  await member.discover(discovering);
  if (selection.length > 0) return { found: [...found.values()], notes };
  const isOfTeam = (await teamOf(client)) !== undefined;
  for (const owner of ["domain", "team", "account"] as const)
    for (const kind of kinds)
      if (kind.owner === owner && kind !== member && "discover" in kind && (owner !== "team" || isOfTeam))
        await kind.discover(discovering);
  return { found: [...found.values()], notes };
}

/** True for the id of a DNS record, which begins with a domain instead of a project. */
const isRecord = (selected: string): boolean => /^[^/]+\.[^/]+\/rec_[^./]+$/.test(selected);

/** @throws UsageError for a selection such as `web//KEY` or `../web` */
function refuseUnnamed(selected: string): void {
  const parts = selected.split("/");
  if (!parts.some((part) => part === "" || part === "." || part === "..")) return;
  throw new UsageError(
    `${selected} does not name an object. Name a project (web), an environment (web/staging), a domain ` +
      "(web/www.example.com), a variable (web/KEY/production), a DNS record (example.com/rec_1) or a member (ada@example.com).",
  );
}

async function allProjects(client: Client): Promise<string[]> {
  const all = await listProjects(client, responses.projectList, (page) => page.projects);
  return all.map(({ id }) => id);
}
