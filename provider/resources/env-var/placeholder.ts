/** The refusal to create a variable again whose value could not be read before it was deleted at the service. */
export const placeholderReason = (key: unknown): string =>
  `The sensitive variable ${typeof key === "string" ? key : ""} cannot be created with an empty value, which stands for a ` +
  "value that nobody can read. If the variable was deleted at the service, declare its value again, without " +
  'ignoreChanges: ["value"]. Otherwise remove it from the program.';
