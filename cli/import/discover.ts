import type { Client } from "../../provider/client/client";
import { environmentPath } from "../../provider/client/paths";
import * as responses from "../../provider/client/responses";
import type { Resource } from "../../provider/core/resource";
import { RunContext } from "../../provider/core/run-context";
import { type Plain, same } from "../../provider/core/values";
import type { ResourceType } from "../../provider/loader";
import { customEnvironment } from "../../provider/resources/custom-environment";
import { envVar } from "../../provider/resources/env-var";
import { variablesOf } from "../../provider/resources/env-var/records";
import { project } from "../../provider/resources/project";
import { projectDefaults } from "../../provider/resources/project/defaults";
import { projectDomain } from "../../provider/resources/project-domain";
import { promotion } from "../../provider/resources/promotion";
import { domainsOf, listProjects } from "./lists";

/** An object of the account, as a program declares it. */
export interface Discovered {
  type: ResourceType;
  /** Logical name, unique among all. */
  name: string;
  id: string;
  /** Id of the project that it belongs to; for a project, its own id. */
  projectId: string;
  inputs: Plain;
  /** The state of the resource. */
  state: Plain;
  /** Inputs and outputs whose whole values are secret. */
  secret: readonly string[];
  /** Inputs that cannot be read. The program ignores changes of them. */
  unreadable: readonly string[];
}

export interface Discovery {
  found: Discovered[];
  /** Objects and inputs that cannot be declared, with the reasons. */
  notes: string[];
}

export interface DiscoveryOptions {
  /**
   * Projects (`web`), environments (`web/staging`), domains (`web/www.example.com`) and variables (`web/KEY/target`).
   * Default: everything.
   */
  selection?: readonly string[];
  /** Also declares the deployment that serves production. */
  promotions?: boolean;
  progress?: (message: string) => void;
}

/**
 * Reads the objects of the account.
 * @choice Settings that equal the defaults of a new project are left out of the program.
 * @throws ApiError 404 if a selected object does not exist
 */
export async function discover(client: Client, options: DiscoveryOptions = {}): Promise<Discovery> {
  const { selection = [], promotions = false, progress = () => {} } = options;
  const run = new RunContext(client);
  const notes: string[] = [];
  const found = new Map<string, Discovered>();
  const taken = new Set<string>();

  const add = async (resource: Resource, id: string, name: string): Promise<void> => {
    const read = await resource.read(run, id, undefined);
    if (!read || found.has(`${resource.type} ${read.id}`)) return;
    const discovered = declare(resource, read, uniqueName(name, taken), notes);
    if (discovered) found.set(`${resource.type} ${read.id}`, discovered);
  };

  const addProject = async (idOrName: string): Promise<void> => {
    const remote = await client.project(idOrName);
    progress(`reading ${remote.name}`);
    await add(project, remote.id, remote.name);
    notes.push(...omittedSettings(remote));
    for (const { id, slug } of await environmentsOf(client, remote.id)) {
      await add(customEnvironment, `${remote.id}/${id}`, `${remote.name}-${slug}`);
    }
    for (const { name } of await domainsOf(client, remote.id)) {
      await add(projectDomain, `${remote.id}/${name}`, name);
    }
    const variables = await variablesOf(client, remote.id);
    for (const variable of [...variables].sort((a, b) => (a.key < b.key ? -1 : 1))) {
      const isOnly = variables.filter(({ key }) => key === variable.key).length === 1;
      await add(envVar, `${remote.id}/${variable.id}`, nameOf(remote.name, variable, isOnly));
    }
    if (promotions && remote.targets?.production)
      await add(promotion, remote.id, `${remote.name}-production`);
  };

  for (const selected of selection.length > 0 ? selection : await allProjects(client)) {
    const [project = "", key = "", target] = selected.split("/");
    if (key === "" && target === undefined) await addProject(project);
    else if (target === undefined) {
      // Names of domains contain a dot, slugs of environments do not.
      await (key.includes(".")
        ? add(projectDomain, selected, key)
        : add(customEnvironment, selected, `${project}-${key}`));
    } else await add(envVar, selected, selected.replaceAll("/", "-"));
  }
  return { found: [...found.values()], notes };
}

/** Declares an object by the valid inputs that differ from their defaults. */
function declare(
  resource: Resource,
  read: { id: string; inputs: Plain; state: Plain },
  name: string,
  notes: string[],
): Discovered | undefined {
  const type = resource.type as ResourceType;
  const inputs = withoutDefaults(type, read.inputs);
  const unreadable =
    type === "EnvVar" && inputs.type !== "system" && inputs.value === undefined ? ["value"] : [];
  // A value that cannot be read is declared as an empty text.
  for (const key of unreadable) inputs[key] = "";
  for (const { property, reason } of resource.check({}, inputs)) {
    if (property === undefined || !(property in inputs)) continue;
    notes.push(`${type} ${name}: ${property} was left out: ${reason}`);
    delete inputs[property];
  }
  const [failure] = resource.check({}, inputs);
  if (failure) {
    notes.push(`${type} ${name} (${read.id}) was left out: ${failure.reason}`);
    return undefined;
  }
  if (unreadable.length > 0) {
    notes.push(`${type} ${name}: its value cannot be read, so the program ignores it (ignoreChanges).`);
  }
  const order = Object.keys(resource.inputs.shape);
  const ordered = Object.fromEntries(order.filter((key) => key in inputs).map((key) => [key, inputs[key]]));
  const outputs = Object.entries(read.state).filter(([key]) => !(key in resource.inputs.shape));
  return {
    type,
    name,
    id: read.id,
    projectId: read.id.split("/")[0] ?? "",
    inputs: ordered,
    state: { ...inputs, ...Object.fromEntries(outputs) },
    secret: resource.secret,
    unreadable,
  };
}

/** Drops inputs that equal their defaults. */
function withoutDefaults(type: ResourceType, inputs: Plain): Plain {
  const usual: Plain =
    type === "Project" ? projectDefaults : type === "EnvVar" ? { comment: "", customEnvironmentIds: [] } : {};
  return Object.fromEntries(
    Object.entries(inputs).filter(
      ([key, value]) =>
        value !== null &&
        // A record of who changed a setting, not a setting.
        key !== "autoAssignCustomDomainsUpdatedBy" &&
        !(Object.hasOwn(usual, key) && same(usual[key], value)),
    ),
  );
}

/** Notes about settings of a project that the program cannot declare. */
function omittedSettings({ name, passwordProtection, protectionBypass }: responses.Project): string[] {
  const notes: string[] = [];
  if (passwordProtection) {
    notes.push(`Project ${name}: passwordProtection was left out: its password cannot be read.`);
  }
  if (Object.keys(protectionBypass ?? {}).length > 0) {
    notes.push(
      `Project ${name}: its protection bypass secrets are not managed. Declare new ones to manage them.`,
    );
  }
  return notes;
}

async function allProjects(client: Client): Promise<string[]> {
  const all = await listProjects(client, responses.projectList, (page) => page.projects);
  return all.map(({ id }) => id);
}

async function environmentsOf(client: Client, projectId: string): Promise<responses.CustomEnvironment[]> {
  const { environments } = await client.get(environmentPath(projectId), responses.customEnvironmentList);
  return environments;
}

const nameOf = (project: string, { key, target, gitBranch }: responses.Variable, isOnly: boolean): string =>
  [project, key, ...(isOnly ? [] : [...(target ?? []), gitBranch ?? []])]
    .flat()
    .join("-")
    .replaceAll("/", "-");

function uniqueName(name: string, taken: Set<string>): string {
  let candidate = name;
  for (let i = 2; taken.has(candidate); i++) candidate = `${name}-${i}`;
  taken.add(candidate);
  return candidate;
}
