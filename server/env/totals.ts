import type { ProjectRow } from "../projects/object";
import { type EnvProblem, largestCount, largestTotal, type Slot, tooLarge, tooMany } from "./rules";

/** The slots and the size of a variable. */
export interface Counted {
  slots: readonly Slot[];
  /** Bytes of key and value. */
  size: number;
}

/** The number and size of variables, by branch. */
type Branches = Record<string, [count: number, size: number]>;

/**
 * The number and size of a project's variables by target and branch. They are stored as text in the project's row,
 * so that a limit can be checked without reading the variables.
 */
export class EnvTotals {
  private readonly targets: Map<string, Map<string, [count: number, size: number]>>;

  /** @param project must be read in the transaction of the write, so that no other unit changes its variables */
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

  /** Counts a variable that changed. @param before undefined if it is new @param after undefined if it is deleted */
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
   * The refusal for the first limit that is exceeded in the environments of these slots.
   * @choice The limit on the number counts the variables of the environment on all branches. The limit on the size
   *   counts the variables of one deployment: those without a branch and those of its branch, even if overridden.
   *   Development has no deployments, so its size is not limited.
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
