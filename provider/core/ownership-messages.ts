/** What a user is told when two resources would have one object. */

const renameHint =
  "If this is a resource of the stack under a new name, give it the option `aliases` instead.";

/** Said where the object exists. @param otherwise such as "choose another name" */
export const adoptHint = (otherwise: string): string =>
  `Adopt it with { adopt: true } if no program has it, or ${otherwise}. ${renameHint}`;

/** Said where nobody tells what the stack has, so that an adoption might take it away from another resource. */
export const notAdopted = (what: string, reason: string): string =>
  `${what} exists, and is not adopted, because it is not known what the stack has already: ${reason}. ` +
  `If no program has it, take it into the stack with \`pulumi import\` or the option \`import\`. ${renameHint}`;

/** Said to the second of two resources that would make or adopt the same. */
export const takenBy = (what: string): string =>
  `${what} is one that another resource of this program has. Declare it once.`;

/** Said to one that would adopt what the stack has already. */
export const belongsTo = (what: string, holder: string): string =>
  `${what} belongs to ${holder} of this stack, so it is not adopted. ${givenUp(holder)}`;

const givenUp = (holder: string): string =>
  `If this is ${holder} under another name, give it the option \`aliases\`, which changes nothing at the service. ` +
  `To take it over otherwise, let ${holder} go with \`pulumi state delete\`, which leaves it at the service, and then adopt it.`;

/** Said when two resources have one object. */
export const sharedBy = (what: string): string =>
  `${what} is in the state of two resources of this stack, so that removing one would take it from the other. ` +
  "Keep one of them: remove the other from the program and, with `pulumi state delete`, from the state, which leaves it at the service.";
