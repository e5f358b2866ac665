/** Messages about unique keys that several objects would have. */

/** What messages call an object and its keys. */
export interface KeyWords {
  /** Such as "the variable". */
  noun: string;
  /** What a user can change instead, such as "another key, target or branch". */
  choices: string;
}

/** Drops the id of the project or account, which means nothing to a user. */
const withoutScope = (key: string): string => key.replace(/^[^/]*\//, "");

const namedBy = ({ noun }: KeyWords, keys: readonly string[]): string =>
  `${noun} ${keys.map(withoutScope).join(" and ")}`;

/** The same at the beginning of a sentence. */
const subjectOf = (words: KeyWords, keys: readonly string[]): string =>
  namedBy(words, keys).replace(/^./, (first) => first.toUpperCase());

export const declaredTwice = (words: KeyWords, one: string, other: string, keys: readonly string[]): string =>
  `${other} and ${one} both declare ${namedBy(words, keys)}. Remove one of them, or give it ${words.choices}.`;

/** For a new resource whose object exists and is unmanaged. @param adopts the resource has the input `adopt` */
export const unmanagedExists = (
  words: KeyWords,
  id: string,
  keys: readonly string[],
  adopts: boolean,
): string =>
  `${subjectOf(words, keys)} already exists (${id}), and no resource of this stack manages it. ` +
  `${adopts ? "Adopt it with { adopt: true }" : "Import it with `slipway import`"} if no other program manages it, ` +
  `or choose ${words.choices}.`;

/** For an update to the key of an unmanaged object: only a create adopts. */
export const unmanagedHas = (words: KeyWords, id: string, keys: readonly string[]): string =>
  `${subjectOf(words, keys)} already exists (${id}), no resource of this stack manages it, and an update adopts nothing. ` +
  `Remove it, choose ${words.choices}, or manage it with a resource of its own. ` +
  "If a run was interrupted, run its program once more.";

/** For a new resource that takes the key of an object whose resource may be about to be deleted with it. */
export const belongsTo = (words: KeyWords, owner: string, keys: readonly string[]): string =>
  `${subjectOf(words, keys)} belongs to ${owner} of this stack. ` +
  `If this is ${owner} under a new name, give it the option \`aliases\`, which changes nothing at the service. ` +
  `If ${owner} gets ${words.choices} in this run, declare it first, and let this resource depend on it. ` +
  `If ${owner} leaves the program, remove it in a run of its own, or let it go with \`pulumi state delete\`, which ` +
  "leaves the object at the service, and adopt that.";

/** For a replacement on request (--replace, a taint) of an object that cannot exist twice. */
export const existsTwice = (words: KeyWords, owner: string, keys: readonly string[]): string =>
  `${owner} is to be replaced, and ${namedBy(words, keys)} cannot exist twice. To delete the object first, with all ` +
  "that is in it, give the resource { adopt: true } and the option { deleteBeforeReplace: true }. " +
  "To undo a taint, use `pulumi state untaint`.";

/** For the object of a replacement that is still there when its successor is created. */
export const retained = (words: KeyWords, keys: readonly string[]): string =>
  `${subjectOf(words, keys)} is the object that is being replaced. If the option \`retainOnDelete\` kept it, give this ` +
  "resource { adopt: true } and run again, which takes it over (with the npm package, let the resource go with " +
  `\`pulumi state delete\` first); or choose ${words.choices}.`;

/** For keys of which it is not known whether a resource of the stack has them. */
export const unknownOwner = (words: KeyWords, id: string, keys: readonly string[], reason: string): string =>
  `${subjectOf(words, keys)} already exists (${id}), and the state of the stack cannot be read to find its resource: ` +
  `${reason}. If no program manages it, take it into the stack with \`pulumi import\`; or choose ${words.choices}.`;
