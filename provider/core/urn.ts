/** The parts of a URN, `urn:pulumi:stack::project::parentType$type::name`. */

export const nameOf = (urn: string): string => urn.split("::").slice(3).join("::");

export const typeOf = (urn: string): string => urn.split("::")[2]?.split("$").at(-1) ?? "";

/** The last part of the type, such as `EnvVar`. */
export const kindOf = (urn: string): string => typeOf(urn).split(":").at(-1) ?? "";

/** The name of a resource in messages, such as `EnvVar "key"`. */
export const labelOf = (urn: string): string => `${kindOf(urn)} "${nameOf(urn)}"`;

/** Returns the URN with the same type for both hosts, because a stack can move from one host to the other. */
export const identityOf = (urn: string): string =>
  urn.replaceAll("pulumi-nodejs:dynamic/slipway:", "slipway:index:");
