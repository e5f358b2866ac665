/** A create, update or delete of one resource, as its host knows it. */
export interface Step {
  /** The URN of the resource, which no other resource of any stack has; undefined when the host does not know it. */
  urn?: string | undefined;
  /** Shows a warning to the user. */
  warn(message: string): void;
  /** Shows progress to the user. */
  inform(message: string): void;
  /**
   * Returns the inputs that the program ignores (`ignoreChanges`), as property paths in Pulumi's notation.
   * @throws Error when the host cannot know them
   */
  ignored(): Promise<readonly string[]>;
}

/** A check of one resource, as its host knows it. */
export interface CheckStep {
  /** As for `Step`. */
  urn?: string | undefined;
  /** The inputs that the program ignores; undefined when the host does not know them before a step. */
  ignored?: readonly string[] | undefined;
}
