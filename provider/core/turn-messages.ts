/** What a user is told when names cannot pass from one resource to another. */

/** How a user calls the objects of a kind, and what can be chosen instead of a name of theirs. */
export interface Kind {
  noun: string;
  choices: string;
}

/** A resource: its type and the id of its object. */
export interface Named {
  type: string;
  id: string;
}

/** Said of one that is to get what another one keeps. */
export const keptBy = (kind: Kind, one: Named, holder: Named, wanted: readonly string[]): string =>
  `${tell(one)} cannot become ${called(kind, wanted)}: ${tell(holder)} of this program is that, and stays it. ${otherwise(kind)}`;

/** Said of one that is to get what another one lets go too late. */
export const lateBy = (
  kind: Kind,
  one: Named | undefined,
  holder: Named,
  wanted: readonly string[],
): string =>
  `${one ? tell(one) : "It"} cannot become ${called(kind, wanted)} yet: ${tell(holder)} of this program gives it up only when the run ends, ` +
  "since it is declared before. Declare it after this one, or make the change in two runs.";

/** Said when the old object of a replacement is not removed. */
export const stuckOn = (kind: Kind, one: Named, holder: string, wanted: readonly string[]): string =>
  `${tell(one)} is left as it is: ${called(kind, wanted)}, which it is to become, is ${one.type} ${holder}, and no resource of this ` +
  `program gives that up in this run. If one that leaves the program has it, remove that one in a run of its own; ` +
  `or choose ${kind.choices}.`;

/** Said of a new one that another resource of the program has already. */
export const keptAlready = (kind: Kind, holder: Named, wanted: readonly string[]): string =>
  `${called(kind, wanted)} is that of ${tell(holder)} of this program. ${otherwise(kind)}`;

/**
 * Said of a new one of which nobody knows whose it is. The engine has a replacement on request checked as if it were
 * new, and only one that adopts is known to be none.
 */
export const existsAlready = (kind: Kind, holder: Named, wanted: readonly string[]): string =>
  `${called(kind, wanted)} exists already: it is ${tell(holder)}. Adopt it with { adopt: true } if no program has it. ` +
  `If a resource of this program has it: where that one was only renamed, give this one \`aliases\`; where it ` +
  `takes ${kind.choices} in this run, let this one depend on it; where it leaves the program, remove it in a run of ` +
  "its own; where it is this one, to be replaced by --replace, give it { adopt: true } and the option " +
  `{ deleteBeforeReplace: true }. Or choose ${kind.choices}.`;

const otherwise = ({ choices }: Kind): string => `Give one of them ${choices}.`;

const tell = ({ type, id }: Named): string => `${type} ${id}`;

const called = ({ noun }: Kind, wanted: readonly string[]): string =>
  `${noun} ${wanted.map(withoutProject).join(" and ")}`;

/** Without the project, whose id tells a user nothing. */
const withoutProject = (place: string): string => place.replace(/^prj_[^/]*\//, "");
