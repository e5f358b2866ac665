/** Values that the process of a provider finds in its environment, for `valueFrom`. */
export const outsideValues: Readonly<Record<string, string>> = {
  FIRST_VALUE: "canary-first",
  SECOND_VALUE: "canary-second",
};
