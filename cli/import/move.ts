import type { Client } from "../../provider/client/client";
import { ifFound } from "../../provider/client/errors";
import type * as responses from "../../provider/client/responses";
import type { Resource } from "../../provider/core/resource";
import { RunContext } from "../../provider/core/run-context";
import { isPlain, type Plain } from "../../provider/core/values";
import { attackChallengeMode } from "../../provider/resources/attack-challenge-mode";
import { customEnvironment } from "../../provider/resources/custom-environment";
import { dnsRecord } from "../../provider/resources/dns-record";
import { edgeConfig } from "../../provider/resources/edge-config";
import { edgeConfigItem } from "../../provider/resources/edge-config-item";
import { connectionStringOf, edgeConfigToken } from "../../provider/resources/edge-config-token";
import { envVar } from "../../provider/resources/env-var";
import { firewallBypass } from "../../provider/resources/firewall-bypass";
import { logDrain } from "../../provider/resources/log-drain";
import { project } from "../../provider/resources/project";
import { projectDomain } from "../../provider/resources/project-domain";
import { projectMember } from "../../provider/resources/project-member";
import { sharedEnvVar } from "../../provider/resources/shared-env-var";
import { sharedEnvVarLink } from "../../provider/resources/shared-env-var-link";
import { teamMember } from "../../provider/resources/team-member";
import { webhook } from "../../provider/resources/webhook";
import { UserError } from "../core/errors";
import { type Discovered, declare, omittedSettings, uniqueName } from "./declare";

/** The kinds of objects that can move, in the order in which they get names. The suffix makes a used name unique. */
const kinds = {
  Project: { resource: project as Resource, suffix: "project" },
  CustomEnvironment: { resource: customEnvironment as Resource, suffix: "environment" },
  ProjectDomain: { resource: projectDomain as Resource, suffix: "domain" },
  EnvVar: { resource: envVar as Resource, suffix: "variable" },
  SharedEnvVar: { resource: sharedEnvVar as Resource, suffix: "shared" },
  SharedEnvVarLink: { resource: sharedEnvVarLink as Resource, suffix: "link" },
  DnsRecord: { resource: dnsRecord as Resource, suffix: "record" },
  FirewallBypass: { resource: firewallBypass as Resource, suffix: "bypass" },
  AttackChallengeMode: { resource: attackChallengeMode as Resource, suffix: "attack-challenge" },
  TeamMember: { resource: teamMember as Resource, suffix: "member" },
  ProjectMember: { resource: projectMember as Resource, suffix: "member" },
  EdgeConfig: { resource: edgeConfig as Resource, suffix: "config" },
  EdgeConfigItem: { resource: edgeConfigItem as Resource, suffix: "item" },
  EdgeConfigToken: { resource: edgeConfigToken as Resource, suffix: "token" },
  Webhook: { resource: webhook as Resource, suffix: "webhook" },
  LogDrain: { resource: logDrain as Resource, suffix: "drain" },
} as const;
const order = Object.keys(kinds) as (keyof typeof kinds)[];

/** An object that another tool manages. */
export interface ManagedObject {
  type: keyof typeof kinds;
  /** The id that Slipway's resource uses for the object. */
  id: string;
  /** The wanted logical name. */
  name: string;
  /** The address of the object's resource in the other tool. */
  address: string;
  /** The team of the object, if the other tool recorded it. */
  team?: string | undefined;
  known: KnownValues;
  /** Texts that the other tool records as secret. */
  secretTexts?: readonly string[];
  /** Inputs that the other tool does not manage. */
  unmanaged?: readonly string[];
}

/** Values in the state of the other tool that the API does not return. */
export interface KnownValues {
  /** The value of a variable. */
  value?: string;
  /** The password of a project. */
  password?: string;
  /** The bypass secrets of a project, by label. */
  bypass?: Record<string, { secret: string; note?: string }>;
  /** The key of a webhook. */
  signingKey?: string;
  /** The value of a token of an Edge Config. */
  readToken?: string;
  /** The secret of a log drain. */
  drainSecret?: string;
}

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
    const { resource } = kinds[type];
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
      ...{ name: names.get(object) ?? object.name, notes, known, secretTexts: object.secretTexts ?? [] },
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
  for (const type of order) {
    const others = new Set(taken);
    for (const object of objects.filter((one) => one.type === type)) {
      const wanted = others.has(object.name) ? `${object.name}-${kinds[type].suffix}` : object.name;
      names.set(object, uniqueName(wanted, taken));
    }
  }
  return names;
}

/** Sorts each project before its objects. Objects without a project come last, shared variables before their links. */
function byProject(objects: readonly ManagedObject[]): ManagedObject[] {
  const projects = new Map(objects.filter(({ type }) => type === "Project").map(({ id }, at) => [id, at]));
  const position = ({ type, id }: ManagedObject): number =>
    ((type === "SharedEnvVarLink" ? undefined : projects.get(id.split("/")[0] ?? "")) ?? projects.size) *
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
  const { value, password, bypass, signingKey, readToken, drainSecret } = known;
  const values: Plain = {};
  const outputs: Plain = {};
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
  if (signingKey) outputs.secret = signingKey;
  if (readToken) {
    outputs.token = readToken;
    outputs.connectionString = connectionStringOf(`${inputs.edgeConfigId}`, readToken);
  }
  if (drainSecret) values.secret = drainSecret;
  return { inputs: values, outputs };
}

/** Joins parts to a logical name of letters, digits, `.`, `_` and `-`. */
export function logicalName(parts: readonly string[]): string {
  const plain = parts.map((part) =>
    part
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .replace(/[^A-Za-z0-9._-]+/g, "-")
      .replace(/^-+|-+$/g, ""),
  );
  return plain.filter((part) => part !== "").join("-") || "resource";
}

/** The text under a key; undefined if the value is empty or not a text. */
export const textIn = (values: Plain, key: string): string | undefined => {
  const value = values[key];
  return typeof value === "string" && value !== "" ? value : undefined;
};

export const listIn = (values: Plain, key: string): Plain[] => {
  const value = values[key];
  return Array.isArray(value) ? value.filter(isPlain) : [];
};
