/** Messages for names that cannot pass from one resource to another. */

/** The words for a kind of object, and what a user can choose instead. */
export interface Kind {
  noun: string;
  choices: string;
}

/** A resource: its type and the id of its object. */
export interface Named {
  type: string;
  id: string;
}

/** For a resource that needs a place that another one keeps. */
export const keptBy = (kind: Kind, one: Named, holder: Named, wanted: readonly string[]): string =>
  `${tell(one)} cannot become ${called(kind, wanted)}: ${tell(holder)} of this program is that, and stays it. ${otherwise(kind)}`;

/** For a resource that needs a place that another one releases too late. */
export const lateBy = (
  kind: Kind,
  one: Named | undefined,
  holder: Named,
  wanted: readonly string[],
): string =>
  `${one ? tell(one) : "It"} cannot become ${called(kind, wanted)} yet: ${tell(holder)} of this program gives it up only when the run ends, ` +
  "since it is declared before. Declare it after this one, or make the change in two runs.";

/** For an update to a place of an object that no resource of the stack has: only a create adopts. */
export const strangersOwn = (kind: Kind, one: Named, stranger: string, wanted: readonly string[]): string =>
  `${tell(one)} cannot become ${called(kind, wanted)}: that is ${one.type} ${stranger} already, which no resource of the stack has, ` +
  `and an update adopts nothing. Choose ${kind.choices}; or declare that one as a resource of its own, with { adopt: true }.`;

/** For a replacement whose old object cannot be removed. */
export const stuckOn = (kind: Kind, one: Named, holder: string, wanted: readonly string[]): string =>
  `${tell(one)} is left as it is: ${called(kind, wanted)}, which it is to become, is ${one.type} ${holder}, and no resource of this ` +
  `program gives that up in this run. If one that leaves the program has it, remove that one in a run of its own; ` +
  `or choose ${kind.choices}.`;

/** For a new resource whose place another resource of the program has. */
export const keptAlready = (kind: Kind, holder: Named, wanted: readonly string[]): string =>
  `${called(kind, wanted)} is that of ${tell(holder)} of this program. ${otherwise(kind)}`;

/**
 * For a new resource whose place an unknown object has. The engine checks a requested replacement (--replace, a taint) as
 * if it were new, which only an adoption is certainly not.
 * @param adopts its kind has the input `adopt`
 */
export const existsAlready = (
  kind: Kind,
  holder: Named,
  wanted: readonly string[],
  adopts: boolean,
): string =>
  `${called(kind, wanted)} exists already: it is ${tell(holder)}. ` +
  `${adopts ? "Adopt it with { adopt: true }" : "Take it into the stack with `slipway import`"} if no program has it. ` +
  `If a resource of this program has it: where that one was only renamed, give this one \`aliases\`; where it ` +
  `takes ${kind.choices} in this run, let this one depend on it; where it leaves the program, remove it in a run of ` +
  "its own; where it is this one, to be replaced by --replace or `pulumi state taint`, " +
  (adopts
    ? "give it { adopt: true } and the option { deleteBeforeReplace: true }"
    : "remove it first with `pulumi destroy --target`") +
  ", or take the taint back with `pulumi state untaint`. " +
  `Or choose ${kind.choices}.`;

const otherwise = ({ choices }: Kind): string => `Give one of them ${choices}.`;

const tell = ({ type, id }: Named): string => `${type} ${id}`;

const called = ({ noun }: Kind, wanted: readonly string[]): string =>
  `${noun} ${wanted.map(withoutProject).join(" and ")}`;

/** Drops the project's id, which means nothing to a user. */
const withoutProject = (place: string): string => place.replace(/^prj_[^/]*\//, "");
