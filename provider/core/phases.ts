import { setTimeout as sleep } from "node:timers/promises";

/** How long no check may run before the program counts as checked, and the longest that a run waits for that. */
export const waitsOfRun = { quietMs: 500, mostMs: 5_000 };
const pollMs = 25;

/**
 * The phases of a run: the engine refreshes, checks a program, and takes steps. They overlap: a step can begin before
 * other resources are checked.
 */
export class Phases {
  /** The checks that run now. */
  #checks = 0;
  /** When the last check ended, by a clock that nobody sets, in milliseconds. */
  #checkedAt = Number.NEGATIVE_INFINITY;
  /** How long steps have waited for checks, in milliseconds. Steps that wait at the same time count once. */
  #waitedMs = 0;
  #tick: Promise<void> | undefined;
  #hasProgram = false;
  #hasSteps = false;

  constructor(private readonly waits: Readonly<typeof waitsOfRun> = waitsOfRun) {}

  /** Runs a check of a resource of a program. */
  async check<T>(check: () => Promise<T>): Promise<T> {
    this.#hasProgram = true;
    this.#checks++;
    try {
      return await check();
    } finally {
      this.#checks--;
      this.#checkedAt = performance.now();
    }
  }

  /**
   * Waits in a step for a resource that the engine has not checked yet. No call tells a provider that the engine has
   * checked the whole program, so this waits until no check ran for half a second. After that, no step of the run waits
   * again: checks that come later wait for steps themselves, because one resource depends on another, or because few
   * steps run at the same time. All steps wait five seconds at most.
   * @param isChecked true when the engine has checked the resource
   */
  async untilChecked(isChecked: () => boolean): Promise<void> {
    const isQuiet = (): boolean =>
      this.#checks === 0 && performance.now() >= this.#checkedAt + this.waits.quietMs;
    while (!isChecked() && this.#waitedMs < this.waits.mostMs) {
      if (isQuiet()) this.#waitedMs = this.waits.mostMs;
      else await this.#wait();
    }
  }

  #wait(): Promise<void> {
    this.#tick ??= sleep(pollMs).then(() => {
      this.#waitedMs += pollMs;
      this.#tick = undefined;
    });
    return this.#tick;
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
