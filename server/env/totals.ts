import type { ProjectRow } from "../store/schema";
import type { EnvProblem, Slot } from "./rules";

/** What counts of a variable. */
export interface Counted {
  slots: readonly Slot[];
  /** Bytes of key and value. */
  size: number;
}

const largestCount = 1000;
const largestTotal = 64 * 1024;

/** Number and size of variables by branch. */
type Branches = Record<string, [count: number, size: number]>;

/**
 * How many variables a project has for each target and branch, and of what size. It is kept as text beside the
 * project, so that a limit is checked without looking at its variables.
 */
export class EnvTotals {
  private readonly targets: Map<string, Map<string, [count: number, size: number]>>;

  /** @param project as it is in the unit that changes its variables: those of one account follow each other */
  constructor({ env_totals }: Pick<ProjectRow, "env_totals">) {
    const targets: Record<string, Branches> = JSON.parse(env_totals);
    this.targets = new Map(
      Object.entries(targets).map(([target, branches]) => [target, new Map(Object.entries(branches))]),
    );
  }

  toString(): string {
    return JSON.stringify(
      Object.fromEntries(
        [...this.targets].map(([target, branches]) => [target, Object.fromEntries(branches)]),
      ),
    );
  }

  /** Counts a variable instead of what it was before. */
  exchange(before: Counted | undefined, after: Counted | undefined): void {
    for (const slot of before?.slots ?? []) this.add(slot, -1, -(before?.size ?? 0));
    for (const slot of after?.slots ?? []) this.add(slot, 1, after?.size ?? 0);
  }

  private add({ target, branch }: Slot, count: number, size: number): void {
    const branches = this.targets.get(target) ?? new Map<string, [number, number]>();
    this.targets.set(target, branches);
    const [oldCount, oldSize] = branches.get(branch) ?? [0, 0];
    if (oldCount + count > 0) branches.set(branch, [oldCount + count, oldSize + size]);
    else branches.delete(branch);
    if (branches.size === 0) this.targets.delete(target);
  }

  /**
   * The first limit that an environment of these slots exceeds.
   * @choice A deployment of a branch gets the variables of the branch and those without one, and all of them
   *   count, overridden ones too. Nothing is deployed to development: there only the number is limited.
   * @source wire-shapes 4
   */
  findExcess(slots: readonly Slot[]): EnvProblem | undefined {
    for (const { target, branch } of slots) {
      let count = 0;
      let largestBranch = 0;
      const branches = this.targets.get(target) ?? [];
      for (const [name, [number, size]] of branches) {
        count += number;
        if (name !== "" && (branch === "" || name === branch)) largestBranch = Math.max(largestBranch, size);
      }
      if (count > largestCount) return tooMany;
      const ofNone = this.targets.get(target)?.get("")?.[1] ?? 0;
      if (target !== "development" && ofNone + largestBranch > largestTotal) return tooLarge;
    }
    return undefined;
  }
}

const tooMany: EnvProblem = {
  status: 400,
  code: "MAX_ENVS_EXCEEDED",
  message: `An environment has at most ${largestCount} variables.`,
};

const tooLarge: EnvProblem = {
  status: 400,
  code: "BAD_REQUEST",
  message: "The names and values of an environment's variables are at most 64 KB in all.",
};
