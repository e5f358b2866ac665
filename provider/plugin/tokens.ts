/** The start of every type and function token of the package. */
export const tokenStart = "slipway:index:";

export const tokenOf = (name: string): string => tokenStart + name;
