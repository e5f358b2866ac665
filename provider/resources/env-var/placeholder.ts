/** Why a sensitive variable is not created with an empty value, the placeholder of a value that cannot be read. */
export const placeholderReason = (key: unknown): string =>
  `The sensitive variable ${typeof key === "string" ? key : ""} cannot be created with an empty value, which stands for a ` +
  "value that nobody can read. If the variable was deleted at the service, declare its value again, without " +
  'ignoreChanges: ["value"]. Otherwise remove it from the program.';
