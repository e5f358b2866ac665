import { type PropertyPath, parsePath } from "./ignored";
import type { RunContext } from "./run-context";
import type { Owner } from "./stack-snapshot";
import {
  belongsTo,
  declaredBeside,
  declaredTwice,
  excludedBy,
  excludedByUnmanaged,
  losesIgnored,
} from "./unique-key-messages";
import {
  declaringResource,
  findOwner,
  judge,
  keysIn,
  keysOf,
  ownerLabel,
  plannedKey,
  plannedKeys,
  stillHas,
  type Taking,
  type UniqueKeys,
  without,
} from "./unique-keys";
import { identityOf, labelOf } from "./urn";
import { type Plain, unknown } from "./values";

/** Plans the unique keys of a run: the check of a resource declares its keys, and says whether it can have them. */

/** A resource that the engine checks. */
export interface Candidate {
  previous: Plain;
  news: Plain;
  /** Undefined where the host cannot know it. */
  urn: string | undefined;
  /** The resource has an input `adopt`. */
  adopts: boolean;
  /** A replacement always deletes the old object first. */
  deletesFirst: boolean;
  /** The engine is about to delete the old object of the resource first. */
  isDeletedFirst: boolean;
  /** The change replaces the object, so that a new one is created. */
  isReplaced: boolean;
  /** See `refuseAdoption`. */
  ignored: readonly PropertyPath[] | undefined;
}

/**
 * Records the keys that a resource declares in the plan of the run.
 * @returns the reason why the resource cannot have the keys; undefined if it can
 */
export async function planKeys(
  run: RunContext,
  unique: UniqueKeys,
  candidate: Candidate,
): Promise<string | undefined> {
  const { news } = candidate;
  recordNew(run, unique, candidate);
  const wants = await keysIn(run, unique, news);
  if (candidate.isDeletedFirst) {
    if (candidate.urn !== undefined) run.keys.replace(identityOf(candidate.urn));
    // Only the old object of this resource can have the keys, and the engine deletes that object first.
    return reasonAgainstReplacing(run, unique, candidate, wants ?? []);
  }
  const twice = declare(run, unique, candidate, wants ?? (await keysInNewContainer(run, unique, news)));
  if (!wants || twice !== undefined) return twice;
  const gains = await gainsOf(run, unique, candidate, wants);
  if (gains.length === 0) return undefined;
  return (
    (await reasonAgainstGains(run, unique, candidate, gains)) ??
    (await reasonOfExclusion(run, unique, candidate, gains))
  );
}

/** The keys among those that the resource declares which it did not have. */
async function gainsOf(
  run: RunContext,
  unique: UniqueKeys,
  candidate: Candidate,
  wants: readonly string[],
): Promise<string[]> {
  const had = isNewIn(candidate) ? [] : await keysIn(run, unique, candidate.previous);
  return without(wants, had ?? []);
}

function recordNew(run: RunContext, { noun }: UniqueKeys, candidate: Candidate): void {
  if (candidate.urn !== undefined && isNewIn(candidate)) run.keys.create(noun, identityOf(candidate.urn));
}

/** Why the resource cannot have keys that it did not have; undefined if it can. */
async function reasonAgainstGains(
  run: RunContext,
  unique: UniqueKeys,
  candidate: Candidate,
  gains: readonly string[],
): Promise<string | undefined> {
  const { news } = candidate;
  const isNew = isNewIn(candidate);
  const earlier = isNew ? await reasonOfEarlierOwner(run, unique, candidate, gains) : undefined;
  if (earlier !== undefined) return earlier;
  const unmanaged: string[] = [];
  for (const id of await unique.owners(run, gains, news, false)) {
    const reason = await reasonAtCheck(run, unique, candidate, gains, id);
    if (reason === "unmanaged") unmanaged.push(id);
    else if (reason !== undefined && (await stillHas(run, unique, gains, news, id))) return reason;
  }
  if (unmanaged.length > 0) return unique.refuseAdoption?.(run, unmanaged, news, candidate.ignored);
  return isNew ? reasonAgainstReplacing(run, unique, candidate, gains) : undefined;
}

/**
 * Why the service would refuse the object beside another one; undefined if it would not.
 * @choice Refuses even if the program moves or removes the other object: whether its step comes first is not known, and
 *   two objects that wait for each other would never get there.
 */
async function reasonOfExclusion(
  run: RunContext,
  unique: UniqueKeys,
  { urn, previous, news }: Candidate,
  keys: readonly string[],
): Promise<string | undefined> {
  const excluding = async (fresh: boolean): Promise<string[]> =>
    (await unique.exclusion?.objects(run, keys, news, fresh)) ?? [];
  const isOwn = async (id: string): Promise<boolean> => {
    const own = (await keysIn(run, unique, previous)) ?? [];
    return own.length > 0 && (await unique.owners(run, own, previous, false)).includes(id);
  };
  for (const id of await excluding(false)) {
    const { owner, problem } = await findOwner(run, id);
    if (problem !== undefined || (urn !== undefined && owner?.urn === identityOf(urn))) continue;
    if ((await isOwn(id)) || !(await excluding(true)).includes(id)) continue;
    return owner === undefined
      ? excludedByUnmanaged(unique, id, keys)
      : excludedBy(unique, ownerLabel(owner), keys);
  }
  return undefined;
}

/**
 * Why a new container cannot have some of its keys: another resource of the stack had them when the run began, even if
 * it has released them. Undefined if none had, or if the container replaces the object of a resource of the stack.
 */
async function reasonOfEarlierOwner(
  run: RunContext,
  unique: UniqueKeys,
  { urn }: Candidate,
  keys: readonly string[],
): Promise<string | undefined> {
  if (!unique.isContainer || !run.keys.isNew(urn && identityOf(urn))) return undefined;
  for (const id of run.keys.heldBefore(plannedKeys(unique, keys))) {
    const { owner } = await findOwner(run, id);
    if (owner?.urn === undefined || (urn !== undefined && owner.urn === identityOf(urn))) continue;
    return belongsTo(unique, ownerLabel(owner), keys);
  }
  return undefined;
}

/** Why the new object of a replacement would lose a value of the old one; undefined if it would not, or for a new resource. */
async function reasonAgainstReplacing(
  run: RunContext,
  unique: UniqueKeys,
  { urn, news, ignored }: Candidate,
  keys: readonly string[],
): Promise<string | undefined> {
  if (!unique.refuseReplacement || urn === undefined) return undefined;
  for (const id of await unique.owners(run, keys, news, false)) {
    const { owner } = await findOwner(run, id);
    if (owner?.urn !== identityOf(urn)) continue;
    const paths = ignored ?? owner.ignored?.map(parsePath) ?? [];
    const reason = await unique.refuseReplacement(run, [id], news, paths);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/**
 * The keys of an object in a container that the run creates, such as a project or an Edge Config, whose id is not known
 * yet. If the run creates several containers, it is not known which of them has the object.
 * @choice An unknown container counts as the only new one, although another provider may create the container.
 */
async function keysInNewContainer(run: RunContext, unique: UniqueKeys, news: Plain): Promise<string[]> {
  const nouns = { ...unique.within, ...(unique.scope === "project" && { project: "the project" }) };
  const unknowns = Object.entries(nouns).filter(([input]) => news[input] === unknown);
  if (unknowns.length === 0 || !unknowns.every(([, noun]) => run.keys.createsOne(noun))) return [];
  const inputs = { ...news, ...Object.fromEntries(unknowns.map(([input, noun]) => [input, newOf(noun)])) };
  const isInNewProject = unique.scope === "project" && news.project === unknown;
  const keys = isInNewProject ? unique.of(inputs, newOf("the project")) : keysIn(run, unique, inputs);
  return (await keys) ?? [];
}

const newOf = (noun: string): string => noun.replace(/^the/, "new");

const isNewIn = ({ previous }: Candidate): boolean => Object.keys(previous).length === 0;

/** Records that a resource declares keys. @returns the refusal if another resource declares one of them too */
function declare(
  run: RunContext,
  unique: UniqueKeys,
  candidate: Candidate,
  wants: readonly string[],
): string | undefined {
  const { urn } = candidate;
  if (urn === undefined) return undefined;
  const other = run.keys.declare(identityOf(urn), plannedKeys(unique, wants), isNewIn(candidate));
  if (other === undefined) return reasonOfDeclaredExclusion(run, unique, urn, wants);
  const twice = wants.filter((key) => declaringResource(run, unique, key) === other);
  return declaredTwice(unique, labelOf(urn), labelOf(other), twice);
}

/** The refusal if the program declares an object beside which the service refuses this one. */
function reasonOfDeclaredExclusion(
  run: RunContext,
  unique: UniqueKeys,
  urn: string,
  wants: readonly string[],
): string | undefined {
  const { exclusion } = unique;
  if (!exclusion) return undefined;
  const start = plannedKey(unique, "");
  const excludes = (planned: string): boolean =>
    planned.startsWith(start) && wants.some((key) => exclusion.between(key, planned.slice(start.length)));
  const other = run.keys.resourceWith(excludes);
  return other === undefined ? undefined : declaredBeside(unique, labelOf(urn), labelOf(other), wants);
}

/**
 * Returns the reason why the candidate cannot take the keys of an object; undefined if it can.
 * @returns "unmanaged" for an object that the candidate is to adopt
 */
async function reasonAtCheck(
  run: RunContext,
  unique: UniqueKeys,
  candidate: Candidate,
  keys: readonly string[],
  id: string,
): Promise<string | undefined> {
  const taking = takingAtCheck(unique, candidate, keys);
  const { who, owner, decision, refusal } = await judge(run, unique, taking, id);
  if (unique.isAlwaysThere && owner?.urn === undefined) return undefined;
  if (decision === "adopt") return "unmanaged";
  if (decision === "unmanagedHas" && (await hasLostObject(run, unique, candidate))) return undefined;
  if (decision === "take" && who === "sibling" && owner)
    return reasonOfIgnored(run, unique, candidate, owner, id);
  // A long list of variables has many keys, so those of the object are looked up only for a message.
  return refusal(decision) && refusal(decision, await keysOf(run, unique, keys, candidate.news, id));
}

/** An update keeps its own keys, even if its project was renamed. A replacement is checked again as a new resource. */
const takingAtCheck = (unique: UniqueKeys, candidate: Candidate, keys: readonly string[]): Taking => ({
  keys,
  self: candidate.urn === undefined ? undefined : identityOf(candidate.urn),
  isNew: candidate.isReplaced || isNewIn(candidate),
  adopt: candidate.news.adopt === true,
  adopts: candidate.adopts,
  isPlanned: true,
  own: async () =>
    isNewIn(candidate) && unique.isContainer && !candidate.deletesFirst ? "ownContainer" : "self",
});

/**
 * True when an interrupted run gave the object of the candidate to another resource of the stack. The run then left the
 * object with the candidate's new keys unmanaged.
 */
async function hasLostObject(run: RunContext, unique: UniqueKeys, { previous }: Candidate): Promise<boolean> {
  if (!unique.mayBeShared) return false;
  const keys = (await keysIn(run, unique, previous)) ?? [];
  const own = await unique.owners(run, keys, previous, false);
  return (await Promise.all(own.map((id) => run.ownership.isShared(id)))).some(Boolean);
}

/**
 * Why a new resource with `adopt` cannot take the keys of another resource: the key moves to a new object, but not the
 * value that the program ignores.
 */
async function reasonOfIgnored(
  run: RunContext,
  unique: UniqueKeys,
  candidate: Candidate,
  owner: Owner,
  id: string,
): Promise<string | undefined> {
  const { news, ignored } = candidate;
  if (!isNewIn(candidate) || news.adopt !== true || !ignored) return undefined;
  const keys = (await keysIn(run, unique, news)) ?? [];
  const isLost = (await unique.refuseReplacement?.(run, [id], news, ignored)) !== undefined;
  return isLost ? losesIgnored(unique, ownerLabel(owner), keys) : undefined;
}
