/**
 * The phases of a run: the engine refreshes, checks a program, and takes steps. They overlap: a step can begin before
 * other resources are checked.
 */
export class Phases {
  #hasProgram = false;
  #hasSteps = false;

  /** Records that the engine checks a program. */
  beginProgram(): void {
    this.#hasProgram = true;
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
