import type { KeepingOption } from "./ownership";

/** Messages about conflicts over unique keys. */

/** The words that messages use for one kind of object. */
export interface KeyWords {
  /** Such as "the variable". */
  noun: string;
  /** The alternatives of the user, such as "another key, target or branch". */
  choices: string;
}

/** Removes the id of the project or account, which does not help a user. */
const withoutScope = (key: string): string => key.replace(/^[^/]*\//, "");

const namedBy = ({ noun }: KeyWords, keys: readonly string[]): string =>
  `${noun} ${keys.map(withoutScope).join(" and ")}`;

/** As `namedBy`, for the beginning of a sentence. */
const subjectOf = (words: KeyWords, keys: readonly string[]): string =>
  namedBy(words, keys).replace(/^./, (first) => first.toUpperCase());

export const declaredTwice = (words: KeyWords, one: string, other: string, keys: readonly string[]): string =>
  `${other} and ${one} both declare ${namedBy(words, keys)}. Remove one of them, or give one of them ${words.choices}.`;

/** For a new resource whose object exists and is unmanaged. @param adopts the resource has the input `adopt` */
export const unmanagedExists = (
  words: KeyWords,
  id: string,
  keys: readonly string[],
  adopts: boolean,
): string =>
  `${subjectOf(words, keys)} already exists (${id}), and is not in this stack. ` +
  `${adopts ? "Adopt it with { adopt: true }" : "Import it with `slipway import`"} if no other program manages it, ` +
  `or choose ${words.choices}.`;

/** For an update that needs the key of an unmanaged object. Only a create can adopt the object. */
export const unmanagedHas = (words: KeyWords, id: string, keys: readonly string[]): string =>
  `${subjectOf(words, keys)} already exists (${id}) and is not in this stack, and an update cannot adopt it. ` +
  `Remove it, choose ${words.choices}, or declare it as a separate resource. ` +
  "If a run was interrupted, run the same program again.";

export const declaredBeside = (
  words: KeyWords,
  one: string,
  other: string,
  keys: readonly string[],
): string =>
  `${subjectOf(words, keys)} of ${one} cannot exist beside the one that ${other} declares. Remove one of them, or give one ` +
  `of them ${words.choices}.`;

/** For an object that the service refuses beside an unmanaged one, although they have different keys. */
export const excludedByUnmanaged = (words: KeyWords, id: string, keys: readonly string[]): string =>
  `${subjectOf(words, keys)} cannot exist beside ${id}, which is not in this stack. Remove that one, ` +
  `or choose ${words.choices}.`;

/** For an object that the service refuses beside one of another resource of the stack. */
export const excludedBy = (words: KeyWords, owner: string, keys: readonly string[]): string =>
  `${subjectOf(words, keys)} cannot exist beside the object of ${owner} of this stack. If you renamed ${owner} in the ` +
  `program, set the option \`aliases\`. If ${owner} gets ${words.choices}, or you remove it, do so in a run of its own ` +
  "first.";

/** For a new resource with the key of an object that contains other objects (`isContainer`). */
export const belongsTo = (words: KeyWords, owner: string, keys: readonly string[]): string =>
  `${subjectOf(words, keys)} belongs to ${owner} of this stack. ` +
  `If you renamed ${owner} in the program, set the option \`aliases\`, which changes nothing at the service. ` +
  `If ${owner} gets ${words.choices}, or you remove it, first run the program without the new resource. ` +
  `To take the object over, run \`pulumi state delete\` for ${owner}, which keeps the object at the service, and adopt it.`;

/** For a new resource with `adopt` whose object belongs to the stack, where it is not known what the program declares. */
export const adoptsOwn = (words: KeyWords, owner: string, keys: readonly string[]): string =>
  `${subjectOf(words, keys)} belongs to ${owner} of this stack, so it is not adopted. ` +
  `If you renamed ${owner} in the program, set the option \`aliases\`, which changes nothing at the service. ` +
  `Otherwise remove \`adopt\`: between resources of one stack, ${words.noun} moves without it. ` +
  `To take the object over unchanged, first run \`pulumi state delete\` for ${owner}, which keeps it at the service.`;

/** For a new resource with `adopt`, whose key moves, but not the value of the old object that the program ignores. */
export const losesIgnored = (words: KeyWords, owner: string, keys: readonly string[]): string =>
  `${subjectOf(words, keys)} belongs to ${owner} of this stack. The new resource gets a new object, so the value at the ` +
  "service, whose changes the program ignores (ignoreChanges), would be lost. " +
  `If you renamed ${owner} in the program, set the option \`aliases\`, which changes nothing at the service. ` +
  'Otherwise declare the value, and remove "value" from ignoreChanges.';

/**
 * For a key that belongs to a resource of another explicit provider. The process of that provider does not know the
 * steps of this provider.
 */
export const belongsToProvider = (words: KeyWords, owner: string, keys: readonly string[]): string =>
  `${subjectOf(words, keys)} belongs to ${owner}, which has another provider. Two providers cannot exchange keys in one ` +
  `run. First run the program without ${owner}, or give it ${words.choices}. Then add this resource. Or give both ` +
  "resources the same provider.";

/** A check knows only the resources that the program has declared before. */
const comesFirst = (owner: string): string =>
  `If the program gives ${owner} another key, name it in the option dependsOn of this resource`;

/** How a user lets go of what an option keeps. @param owner the label of the resource that has the key */
const letGo: Readonly<Record<KeepingOption, (owner: string) => string>> = {
  protect: (owner) =>
    `Unprotect ${owner} first, with \`pulumi state unprotect\`. ${comesFirst(owner)}. If they swap their keys, leave out ` +
    "dependsOn, and run with --parallel 2 or more",
  retainOnDelete: (owner) =>
    `First run the program without the new resource. The run removes ${owner} from the stack and keeps its object, ` +
    `which { adopt: true } can then take over. ${comesFirst(owner)}`,
  "--target": (owner) => `Give the run ${owner} as a target too, or run it without --target and --exclude`,
};

/** For a key of a resource that the program does not declare, and that the run keeps with its object. */
export const belongsToKept = (
  words: KeyWords,
  owner: string,
  keys: readonly string[],
  keptBy: KeepingOption,
): string =>
  `${subjectOf(words, keys)} belongs to ${owner} of this stack, which this run keeps (${keptBy}). ` +
  `${letGo[keptBy](owner)}. Or choose ${words.choices}.`;

/** For a replacement on request (--replace, a taint) of an object that cannot exist twice. */
export const existsTwice = (words: KeyWords, owner: string, keys: readonly string[]): string =>
  `${owner} must be replaced, and ${namedBy(words, keys)} cannot exist twice. To delete the object and everything in it ` +
  "first, set { adopt: true } on the resource, and the option { deleteBeforeReplace: true }. " +
  "To undo a taint, use `pulumi state untaint`.";

/** For the create of a replacement whose old object still exists. */
export const retained = (words: KeyWords, keys: readonly string[]): string =>
  `${subjectOf(words, keys)} is the object that is being replaced. To delete it first, set the option ` +
  "{ deleteBeforeReplace: true } on the resource. If the option `retainOnDelete` kept it, take it over: set " +
  "{ adopt: true } and run again. With the npm package, first run `pulumi state delete` for the resource. " +
  `Or choose ${words.choices}.`;

/** For a key whose owner is unknown, because the state of the stack cannot be read. */
export const unknownOwner = (words: KeyWords, id: string, keys: readonly string[], reason: string): string =>
  `${subjectOf(words, keys)} already exists (${id}), and the state of the stack cannot be read to find its resource: ` +
  `${reason}. If no program manages it, import it into the stack with \`pulumi import\`. Or choose ${words.choices}.`;
