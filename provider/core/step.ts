/** The data and functions that the host passes to a create, update or delete of a resource. */
export interface Step {
  /** The URN of the resource; undefined when the host does not know it. */
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

/** The data that the host passes to the check of a resource. */
export interface CheckStep {
  /** See `Step`. */
  urn?: string | undefined;
  /** The inputs that the program ignores; undefined when the host does not know them before a step. */
  ignored?: readonly string[] | undefined;
  /** The engine deletes the old object of the resource before it creates the new one. */
  isDeletedFirst?: boolean | undefined;
}
