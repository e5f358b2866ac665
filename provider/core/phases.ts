import { setTimeout as sleep } from "node:timers/promises";

const quietMs = 500;
const longestWaitMs = 5_000;
const pollMs = 25;

/**
 * The phases of a run: the engine refreshes, checks a program, and takes steps. They overlap: a step can begin before
 * other resources are checked.
 */
export class Phases {
  /** When the engine began its last check, by a clock that nobody sets, in milliseconds. */
  #checkedAt = Number.NEGATIVE_INFINITY;
  #hasProgram = false;
  #hasSteps = false;

  /** Records that the engine checks a resource of a program. */
  beginProgram(): void {
    this.#hasProgram = true;
    this.#checkedAt = performance.now();
  }

  /**
   * Waits for a resource that the engine has not checked yet. No call tells a provider that the engine has checked the
   * whole program, so this waits until no check began for half a second, and five seconds at most: where few steps run
   * at the same time, the engine checks nothing while they wait.
   * @param isChecked true when the engine has checked the resource
   */
  async untilChecked(isChecked: () => boolean): Promise<void> {
    const latest = performance.now() + longestWaitMs;
    const mayFollow = (): boolean => performance.now() < Math.min(this.#checkedAt + quietMs, latest);
    while (!isChecked() && mayFollow()) await sleep(pollMs);
  }

  /** Records that the engine creates, updates or deletes an object. */
  beginSteps(): void {
    this.#hasSteps = true;
  }

  /** False in a refresh, whose diffs compare resources with the program of the last run. */
  get hasProgram(): boolean {
    return this.#hasProgram;
  }

  /** False in a preview. In an update, values at the service count instead of planned ones. */
  get hasSteps(): boolean {
    return this.#hasSteps;
  }
}
