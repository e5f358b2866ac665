import type { KeepingOption } from "./ownership";
import type { KeyWords } from "./unique-key-messages";
import * as messages from "./unique-key-messages";

/**
 * Decides what a resource may do with an object that has a unique key the resource declares. Checks and steps find out
 * who owns the object (`judge` in unique-keys.ts) and look the decision up in one table.
 */

/**
 * How a resource gets its keys. `adoptUnnamed`: it adopts, and the host does not know which resource it is. `extend` and
 * `extendAdopting`: an update, which can create or adopt further objects, because the resource has several.
 */
export type KeyPolicy = "update" | "create" | "adopt" | "adoptUnnamed" | "extend" | "extendAdopting";

/** The owner of the object, from the point of view of the resource that declares its key. */
export type KeyOwner =
  /** No resource of the stack. */
  | "nobody"
  /** Unknown: the state of the stack cannot be read. */
  | "unknown"
  /** The resource itself. */
  | "self"
  /** The resource itself, whose object contains others and would exist twice. Found by a check. */
  | "ownContainer"
  /** The resource itself: the old object of its replacement is still there when the new one is created. */
  | "old"
  /** As `old`, for an object that contains others. */
  | "oldContainer"
  /** Another resource that the program gives the key too. */
  | "declaring"
  /** Another resource, whose object this run has created or updated with the key. */
  | "finished"
  /** Another resource, whose object contains others. The resource that declares the key is new. */
  | "container"
  /** A resource of another provider, which does not know the steps of this one. */
  | "otherProvider"
  /** The resource itself, whose old object its replacement keeps (`retainOnDelete`). */
  | "oldRetained"
  /** Another resource that the program does not declare, and that the run keeps with its object. */
  | "kept"
  /** Another resource that releases the key, that is to be deleted, or that the engine has not checked yet. */
  | "sibling";

type Refusal =
  | "unmanagedHas"
  | "unmanagedExists"
  | "unknownOwner"
  | "existsTwice"
  | "retained"
  | "declaredTwice"
  | "belongsTo"
  | "belongsToProvider"
  | "belongsToKept"
  | "adoptsOwn";

/** `take`: the key, from an object that is moved out of the way or taken over. `adopt`: the object. Others: refuse. */
export type KeyDecision = "take" | "adopt" | Refusal;

type Row = Readonly<Record<KeyPolicy, KeyDecision>>;

/** A row of the table. Where a policy is left out, `adoptUnnamed` is as `adopt`, and an extending one as `update`. */
const row = (given: Pick<Row, "update" | "create" | "adopt"> & Partial<Row>): Row => {
  const { update, adopt, extend = update } = given;
  return { adoptUnnamed: adopt, extend, extendAdopting: extend, ...given };
};

const always = (decision: KeyDecision): Row => row({ update: decision, create: decision, adopt: decision });

/** The decisions, by owner and policy. */
export const keyDecisions: Readonly<Record<KeyOwner, Readonly<Record<KeyPolicy, KeyDecision>>>> = {
  nobody: row({
    update: "unmanagedHas",
    create: "unmanagedExists",
    adopt: "adopt",
    extend: "unmanagedExists",
    extendAdopting: "adopt",
  }),
  unknown: row({ ...always("unknownOwner"), adopt: "adopt", adoptUnnamed: "adopt", extendAdopting: "adopt" }),
  self: always("take"),
  ownContainer: row({ update: "take", create: "existsTwice", adopt: "take" }),
  old: row({ update: "take", create: "take", adopt: "retained" }),
  oldContainer: row({ update: "take", create: "existsTwice", adopt: "retained" }),
  declaring: always("declaredTwice"),
  finished: always("declaredTwice"),
  // Refused even if the owner releases its key: the owner's check may come later, and the order must not matter.
  container: row({ update: "take", create: "belongsTo", adopt: "belongsTo" }),
  // The other provider may delete an object that this one has taken over.
  otherProvider: row({ ...always("belongsToProvider"), adoptUnnamed: "adoptsOwn" }),
  // Once the engine has let it go, it is unmanaged.
  oldRetained: row({ update: "take", create: "retained", adopt: "adopt", adoptUnnamed: "retained" }),
  // A moved object would stay in the service under its temporary name.
  kept: always("belongsToKept"),
  sibling: row({ ...always("take"), adoptUnnamed: "adoptsOwn" }),
};

/** The known facts about another resource that has the object. */
export interface SiblingFacts {
  /** The program gives it one of the keys. */
  declares: boolean;
  /** The program declares it without the keys. */
  releases: boolean;
  /** The run has created or updated its object. */
  isDone: boolean;
  /** Its object contains others, and the resource that declares the key is new. */
  isContainer: boolean;
  isOfOtherProvider: boolean;
  /** The program does not declare it, and the run does not delete it. */
  isKept: boolean;
}

/** Classifies another resource of the stack that has the object. */
export function classifySibling(facts: SiblingFacts): KeyOwner {
  if (facts.declares) return "declaring";
  if (facts.isDone && !facts.releases) return "finished";
  if (facts.isContainer) return "container";
  if (facts.isOfOtherProvider) return "otherProvider";
  return facts.isKept ? "kept" : "sibling";
}

/** @param self the identity of the resource; undefined if the host does not know it */
export function policyOf({
  isNew,
  adopt,
  self,
  hasSeveral = false,
}: {
  isNew: boolean;
  adopt: boolean;
  self: string | undefined;
  /** The resource has several objects. */
  hasSeveral?: boolean | undefined;
}): KeyPolicy {
  if (!isNew) return !hasSeveral ? "update" : adopt ? "extendAdopting" : "extend";
  if (!adopt) return "create";
  return self === undefined ? "adoptUnnamed" : "adopt";
}

/** The words of a refusal. */
export interface Conflict {
  /** The id of the object. */
  id: string;
  keys: readonly string[];
  /** The keys that another resource declares too; if none, all. */
  twice: readonly string[];
  /** The label of the resource that declares the keys, and of the owner. */
  own: string;
  other: string;
  /** The resource has the input `adopt`. */
  adopts: boolean;
  /** Why the owner is unknown. */
  problem: string | undefined;
  /** The option that keeps the object of the owner. */
  keptBy: KeepingOption | undefined;
}

const refusals: Readonly<Record<Refusal, (words: KeyWords, conflict: Conflict) => string>> = {
  unmanagedHas: (words, { id, keys }) => messages.unmanagedHas(words, id, keys),
  unmanagedExists: (words, { id, keys, adopts }) => messages.unmanagedExists(words, id, keys, adopts),
  unknownOwner: (words, { id, keys, problem = "" }) => messages.unknownOwner(words, id, keys, problem),
  existsTwice: (words, { own, keys }) => messages.existsTwice(words, own, keys),
  retained: (words, { keys }) => messages.retained(words, keys),
  declaredTwice: (words, { own, other, keys, twice }) =>
    messages.declaredTwice(words, own, other, twice.length > 0 ? twice : keys),
  belongsTo: (words, { other, keys }) => messages.belongsTo(words, other, keys),
  belongsToProvider: (words, { other, keys }) => messages.belongsToProvider(words, other, keys),
  belongsToKept: (words, { other, keys, keptBy = "protect" }) =>
    messages.belongsToKept(words, other, keys, keptBy),
  adoptsOwn: (words, { other, keys }) => messages.adoptsOwn(words, other, keys),
};

/** The message of a decision that refuses; undefined for the others. */
export const refusalOf = (decision: KeyDecision, words: KeyWords, conflict: Conflict): string | undefined =>
  decision === "take" || decision === "adopt" ? undefined : refusals[decision](words, conflict);
