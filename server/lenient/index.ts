import * as z from "zod";
import type { Log } from "../platform/log";
import { badRequest } from "../platform/refusal";
import type { DescribedRoute, Leniency, SentMembers, UnknownMember } from "../platform/services";
import type { Vault } from "../platform/vault";
import { deleteRows, insertRow } from "../store/rows";
import type { Tx } from "../store/store";
import { membersOf } from "./member-store";
import { addUnknown, at, splitBody, splitItem } from "./unknown";

/** Limits of the log, because clients choose the names: the number of unknown members, and the length of a name. */
const mostLogged = 1000;
const longestLogged = 200;
/** The largest size of the unknown members of one object, as JSON. */
const largestKept = 65_536;
/** Owners per statement, since both engines limit the number of parameters. */
const chunk = 500;

/** Returns a `Leniency` that stores unknown members in `unknown_members`, with the key of their object. */
export function leniency({ vault, log }: { vault: Vault; log: Log }): Leniency {
  const logged = new Set<string>();
  return {
    split: splitBody,
    splitItem,
    note({ method, path }, unknown) {
      for (const one of unknown) {
        const steps = one.path.map((step) => (typeof step === "number" ? "*" : String(step)));
        const member = steps.join(".").slice(0, longestLogged);
        const name = `${method} ${path} ${member}`;
        if (logged.has(name) || logged.size >= mostLogged) continue;
        logged.add(name);
        log.warn({ method, path, member }, "unknown member of a body");
      }
    },
    async complete(tx, route, answer, sent) {
      if (typeof answer !== "object" || answer === null) return answer;
      // A copy, since handlers may share objects between requests.
      const shown: object = JSON.parse(JSON.stringify(answer));
      const owners = ownersIn(shown, mapsOf(route.success[1]));
      const kept = await load(tx, vault, [...owners.keys()]);
      if (sent && route.method !== "DELETE") {
        for (const [owner, members] of assign(route, shown, sent)) {
          const before = kept.get(owner) ?? [];
          // A domain that is added again may have the creation time, and so the key, of the removed domain.
          const isNew = route.method === "POST" && owner.includes("/");
          const isHidden = owners.get(owner)?.some(isSensitive) ?? false;
          const after = isHidden ? [] : members.of(isNew ? [] : before);
          kept.set(owner, after);
          if (before.length + after.length > 0) await save(tx, vault, owner, after);
        }
      }
      for (const [owner, members] of kept) {
        for (const object of owners.get(owner) ?? []) {
          if (!isSensitive(object)) addUnknown(object, members);
        }
      }
      return shown;
    },
  };
}

/** @choice No unknown members of a sensitive variable are kept. Any of them may be a secret that is never shown. */
const isSensitive = (object: object): boolean =>
  "key" in object && "type" in object && object.type === "sensitive";

/** The stable key of an object. A domain has no id, but its creation time is unique in its project. */
function ownerOf(object: object): string | undefined {
  const { id, projectId, name, createdAt } = object as Record<string, unknown>;
  if (typeof id === "string") return id;
  if (typeof projectId !== "string" || typeof name !== "string") return undefined;
  return `${projectId}/${name}/${createdAt}`;
}

/**
 * The objects of an answer by their keys.
 * @param maps names of members that are maps. Clients choose the keys of a map, so a key `id` in it is not an id.
 */
function ownersIn(answer: object, maps: ReadonlySet<string>): Map<string, object[]> {
  const owners = new Map<string, object[]>();
  const left: { name: string; value: unknown }[] = [{ name: "", value: answer }];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    const { name, value } = one;
    if (typeof value !== "object" || value === null) continue;
    const isList = Array.isArray(value);
    const owner = isList || maps.has(name) ? undefined : ownerOf(value);
    if (owner !== undefined) {
      const objects = owners.get(owner) ?? [];
      objects.push(value);
      owners.set(owner, objects);
    }
    for (const [member, inside] of Object.entries(value)) {
      left.push({ name: isList ? "" : member, value: inside });
    }
  }
  return owners;
}

const foundMaps = new WeakMap<z.core.$ZodType, ReadonlySet<string>>();

/** The names of the members of an answer that are maps, such as `meta` and `headers`. */
function mapsOf(shape: z.core.$ZodType | null): ReadonlySet<string> {
  if (shape === null) return new Set();
  const found = foundMaps.get(shape) ?? new Set(mapsIn("", shape));
  foundMaps.set(shape, found);
  return found;
}

function mapsIn(name: string, shape: z.core.$ZodType): string[] {
  if (shape instanceof z.ZodOptional || shape instanceof z.ZodNullable) return mapsIn(name, shape.unwrap());
  if (shape instanceof z.ZodArray) return mapsIn(name, shape.element);
  if (shape instanceof z.ZodUnion) return shape.options.flatMap((one) => mapsIn(name, one));
  if (shape instanceof z.ZodRecord) return [name, ...mapsIn("", shape.valueType)];
  if (!(shape instanceof z.ZodObject)) return [];
  return Object.entries(shape.shape).flatMap(([member, inside]) => mapsIn(member, inside));
}

interface Assigned {
  /** Returns the members to store. @param before the members that are stored now */
  of(before: readonly UnknownMember[]): UnknownMember[];
}

/** Assigns each unknown member to the object of the answer that its part of the body created or changed. */
function assign(
  route: DescribedRoute,
  answer: object,
  { body, unknown }: SentMembers,
): Map<string, Assigned> {
  const reply = route.success[1];
  const parts = new Map<string, { sent: object; fresh: UnknownMember[] }>();
  const give = (part: unknown, object: unknown): { sent: object; fresh: UnknownMember[] } | undefined => {
    if (typeof object !== "object" || object === null || typeof part !== "object" || part === null) return;
    const owner = ownerOf(object);
    if (owner === undefined) return undefined;
    const found = parts.get(owner) ?? { sent: part, fresh: [] };
    parts.set(owner, found);
    return found;
  };
  const created = at(answer, ["created"]) ?? answer;
  const variableOf = variableFinder();
  const own = new Map<z.core.$ZodType | null, Set<string>>();
  // An update also clears the stored unknown members below the members that it sends.
  if (!Array.isArray(body)) give(body, created);
  for (const { path, value } of unknown) {
    const { list, depth, objects, shape } =
      typeof path[0] === "number"
        ? { list: body, depth: 1, objects: created, shape: reply }
        : path[0] === "environmentVariables" && path.length > 2
          ? {
              list: at(body, path.slice(0, 1)),
              depth: 2,
              objects: at(answer, ["env"]),
              shape: partOf(reply, "env"),
            }
          : { list: undefined, depth: 0, objects: created, shape: reply };
    const part = depth === 0 ? body : at(list, path.slice(depth - 1, depth));
    const object = depth === 0 ? objects : variableOf(objects, part);
    const inside = path.slice(depth);
    const names = own.get(shape) ?? namesOf(shape);
    own.set(shape, names);
    if (inside.length === 1 && names.has(String(inside[0]))) continue;
    give(part, object)?.fresh.push({ path: inside, value });
  }
  return new Map(
    [...parts].map(([owner, { sent, fresh }]) => [
      owner,
      { of: (before) => [...before.filter(({ path: [name = ""] }) => !Object.hasOwn(sent, name)), ...fresh] },
    ]),
  );
}

/** Returns a function that finds, for an item of the body, its variable in the answer. It looks up each item once. */
function variableFinder(): (objects: unknown, item: unknown) => unknown {
  let byIdentity: Map<string, unknown> | undefined;
  const found = new Map<unknown, unknown>();
  return (objects, item) => {
    byIdentity ??= new Map([objects].flat().map((object) => [identityOf(object), object]));
    if (!found.has(item)) found.set(item, byIdentity.get(identityOf(item)));
    return found.get(item);
  };
}

function identityOf(variable: unknown): string {
  const { key, target = [], gitBranch = null, customEnvironmentIds } = variable as Record<string, unknown>;
  const sorted = (names: unknown) => [...new Set([names ?? []].flat())].sort();
  return JSON.stringify([key, sorted(target), gitBranch, sorted(customEnvironmentIds)]);
}

/** The names of the members in the schema of an answer. Clients cannot set these members as unknown members. */
function namesOf(shape: z.core.$ZodType | null): Set<string> {
  if (shape instanceof z.ZodOptional) return namesOf(shape.unwrap());
  if (shape instanceof z.ZodArray) return namesOf(shape.element);
  if (shape instanceof z.ZodUnion) return new Set(shape.options.flatMap((one) => [...namesOf(one)]));
  if (!(shape instanceof z.ZodObject)) return new Set();
  return "created" in shape.shape ? namesOf(shape.shape.created) : new Set(Object.keys(shape.shape));
}

const partOf = (shape: z.ZodType | null, name: string): z.core.$ZodType | null =>
  shape instanceof z.ZodObject ? (shape.shape[name] ?? null) : null;

async function load(tx: Tx, vault: Vault, owners: string[]): Promise<Map<string, UnknownMember[]>> {
  const kept = new Map<string, UnknownMember[]>();
  for (let from = 0; from < owners.length; from += chunk) {
    const some = owners.slice(from, from + chunk);
    for (const { owner, members } of await membersOf(tx, some))
      kept.set(owner, JSON.parse(vault.tryOpen(owner, members) ?? "[]"));
  }
  return kept;
}

/**
 * Stores members sealed, since any of them may be a secret.
 * @throws Refusal 400 when they are too large
 */
async function save(tx: Tx, vault: Vault, owner: string, kept: readonly UnknownMember[]): Promise<void> {
  await deleteRows(tx, "unknown_members", { owner });
  if (kept.length === 0) return;
  const text = JSON.stringify(kept);
  if (text.length > largestKept)
    throw badRequest(
      `The members that are unknown to this server are too large: an object can have ${largestKept} characters of them.`,
    );
  await insertRow(tx, "unknown_members", { owner, members: vault.seal(owner, text) });
}
