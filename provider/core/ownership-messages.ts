/** Messages about two resources with the same object. */

/** For an adoption when the state of the stack cannot be read, so that another resource may have the object. */
export const notAdopted = (what: string, reason: string): string =>
  `${what} exists, and is not adopted, because the state of the stack cannot be read to find its resource: ${reason}. ` +
  "If no program manages it, import it into the stack with `pulumi import` or the option `import`. " +
  "If you renamed its resource in the program, set the option `aliases` instead.";

/** For the second of two resources that adopt the same object. */
export const takenBy = (what: string): string =>
  `${what} belongs to another resource of this program. Declare it once.`;

/** For an adoption of an object that another resource of the stack has. */
export const ownedBy = (what: string, owner: string): string =>
  `${what} belongs to ${owner} of this stack, so it is not adopted. ` +
  `If you renamed ${owner} in the program, set the option \`aliases\`, which changes nothing at the service. ` +
  `To take it over otherwise, run \`pulumi state delete\` for ${owner}, which keeps it at the service, and then adopt it.`;

/** For two resources in the state with the same object. */
export const sharedBy = (what: string): string =>
  `${what} is in the state of two resources of this stack, so removing one would delete the object of the other. ` +
  "Keep one of them. Remove the other from the program, and from the state with `pulumi state delete`, which keeps the object at the service.";
