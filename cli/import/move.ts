import type { Client } from "../../provider/client/client";
import { ifFound } from "../../provider/client/errors";
import type * as responses from "../../provider/client/responses";
import { RunContext } from "../../provider/core/run-context";
import type { Plain } from "../../provider/core/values";
import { UserError } from "../core/errors";
import { importables } from "../objects";
import type { Importable } from "../objects/kind";
import type { ManagedObject } from "../objects/recorded";
import { sharedVariableLink } from "../objects/shared-variable";
import { type Discovered, declare, omittedSettings, uniqueName } from "./declare";

const kindOf = new Map<string, Importable>(importables.map((one) => [one.resource.type, one]));

/** The types of resources, in the order in which their objects get names. */
const order: readonly string[] = [...kindOf.keys()];

export interface Move {
  found: Discovered[];
  notes: string[];
  /** Addresses of the resources that the other tool can forget: their objects were moved or no longer exist. */
  released: Set<string>;
}

export interface MoveOptions {
  /** The name of the state file in messages, such as `terraform.tfstate`. */
  source: string;
  progress?: (message: string) => void;
}

/**
 * Reads the objects that another tool manages, and declares them with their current settings at the service.
 * @throws UserError if the objects belong to another account, or none of them exists @throws ApiError
 */
export async function move(
  client: Client,
  objects: readonly ManagedObject[],
  { source, progress = () => {} }: MoveOptions,
): Promise<Move> {
  const run = new RunContext(client);
  const notes: string[] = [];
  const kept = new Set<string>();
  const declaredKeys = new Map<string, string>();
  const found = new Map<string, Discovered>();
  const own = await ofAccount(client, objects, source, (other) => {
    kept.add(other.address);
    notes.push(`${other.address} belongs to ${other.team}. Import it with SLIPWAY_TEAM=${other.team}.`);
  });
  const names = namesOf(own);
  let goneCount = 0;
  for (const object of byProject(own)) {
    const { type, id, address, unmanaged = [] } = object;
    if (type === "Project") progress(`reading ${object.name}`);
    const { resource } = kindOf.get(type) as Importable;
    const read = await ifFound(resource.read(run, id, undefined));
    if (read === undefined) {
      goneCount += 1;
      notes.push(`${address}: ${type} ${id} does not exist at the service any more, so it was left out.`);
      continue;
    }
    for (const input of unmanaged) delete read.inputs[input];
    const key = `${type} ${read.id}`;
    if (found.has(key)) {
      notes.push(`${address} manages the same object as ${found.get(key)?.name}, so it was left out.`);
      continue;
    }
    const remote = type === "Project" ? client.lastSeen(read.id) : undefined;
    const known = valuesFor(object, read.inputs, remote, notes);
    const declared = declare(resource, read, {
      ...{ name: names.get(object) ?? object.name, notes, declaredKeys, known },
      secretTexts: object.secretTexts ?? [],
    });
    if (remote) notes.push(...omittedSettings(remote, declared?.inputs));
    if (declared) found.set(key, declared);
    else kept.add(address);
  }
  if (found.size === 0 && goneCount > 0) throw absentError(source, client);
  const released = new Set(own.map(({ address }) => address).filter((address) => !kept.has(address)));
  return { found: [...found.values()], notes, released };
}

const absentError = (source: string, { settings }: Client): UserError =>
  new UserError(
    `No object of ${source} exists in the account (${settings.team ?? "the personal account"} at ` +
      `${settings.apiUrl}). Check SLIPWAY_API_URL and SLIPWAY_TEAM.`,
  );

/**
 * The objects that belong to the account that the environment variables select.
 * @param skip called with each object of another account
 * @throws UserError if all objects belong to other accounts
 */
async function ofAccount(
  client: Client,
  objects: readonly ManagedObject[],
  source: string,
  skip: (object: ManagedObject) => void,
): Promise<ManagedObject[]> {
  const account = await client.account();
  const isOthers = ({ team }: ManagedObject): boolean =>
    team !== undefined && account !== undefined && team !== account;
  const others = objects.filter(isOthers);
  const own = objects.filter((object) => !isOthers(object));
  if (others.length > 0 && !own.some(({ team }) => team !== undefined)) {
    const teams = [...new Set(others.map(({ team }) => team))];
    throw new UserError(
      `The objects of ${source} belong to ${teams.join(" and ")}, and SLIPWAY_TEAM selects another account ` +
        `(${account}). Set SLIPWAY_TEAM=${teams[0]}.`,
    );
  }
  for (const other of others) skip(other);
  return own;
}

/** Assigns names by kind. A project keeps its name, and an object of another kind with that name gets a suffix. */
function namesOf(objects: readonly ManagedObject[]): Map<ManagedObject, string> {
  const taken = new Set<string>();
  const names = new Map<ManagedObject, string>();
  for (const [type, { suffix }] of kindOf) {
    const others = new Set(taken);
    for (const object of objects.filter((one) => one.type === type)) {
      const wanted = others.has(object.name) ? `${object.name}-${suffix}` : object.name;
      names.set(object, uniqueName(wanted, taken));
    }
  }
  return names;
}

/** Sorts each project before its objects. Objects without a project come last, shared variables before their links. */
function byProject(objects: readonly ManagedObject[]): ManagedObject[] {
  const projects = new Map(objects.filter(({ type }) => type === "Project").map(({ id }, at) => [id, at]));
  const position = ({ type, id }: ManagedObject): number =>
    ((type === sharedVariableLink.resource.type ? undefined : projects.get(id.split("/")[0] ?? "")) ??
      projects.size) *
      order.length +
    order.indexOf(type);
  return [...objects].sort((a, b) => position(a) - position(b));
}

/** The values that only the other tool has. Values that no longer match the object at the service are left out. */
function valuesFor(
  { known, address }: ManagedObject,
  inputs: Plain,
  remote: responses.Project | undefined,
  notes: string[],
): { inputs: Plain; outputs: Plain } {
  const { value, password, bypass } = known;
  const values: Plain = { ...known.inputs };
  const outputs: Plain = { ...known.outputs };
  if (value !== undefined && inputs.type !== "system") {
    if (inputs.value === undefined) values.value = value;
    else if (inputs.value !== value) {
      notes.push(
        `${address}: the value at the service differs from the recorded value. The value at the service was imported.`,
      );
    }
  }
  const protection = remote?.passwordProtection;
  if (password && protection)
    values.passwordProtection = { deploymentType: protection.deploymentType, password };
  const existing = Object.entries(bypass ?? {}).filter(
    ([, { secret }]) => secret in (remote?.protectionBypass ?? {}),
  );
  if (existing.length > 0) {
    values.protectionBypass = Object.fromEntries(existing);
    outputs.bypassSecrets = Object.fromEntries(existing.map(([label, { secret }]) => [label, secret]));
  }
  return { inputs: values, outputs };
}
