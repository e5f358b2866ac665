/** Messages about two resources with the same object. */

const renameHint = "For a resource of the stack under a new name, use the option `aliases`.";

/** For an object that exists already. @param otherwise for instance "choose another name" */
export const adoptHint = (otherwise: string): string =>
  `Adopt it with { adopt: true } if no program has it, or ${otherwise}. ${renameHint}`;

/** For an adoption when the objects of the stack are unknown, so that another resource may have the object. */
export const notAdopted = (what: string, reason: string): string =>
  `${what} exists, and is not adopted, because it is not known what the stack has already: ${reason}. ` +
  `If no program has it, take it into the stack with \`pulumi import\` or the option \`import\`. ${renameHint}`;

/** For the second of two resources that create or adopt the same object. */
export const takenBy = (what: string): string =>
  `${what} is one that another resource of this program has. Declare it once.`;

/**
 * For the object of a replacement that is still there when its successor is made.
 * @param isSeen the host can see that the stack has let it go
 */
export const retainedHint = (otherwise: string, isSeen: boolean): string =>
  "It is the object of a resource that is being replaced. If the option `retainOnDelete` kept it, " +
  `${isSeen ? "" : "let that resource go with `pulumi state delete`, "}give this resource { adopt: true } and run again, ` +
  `which takes it over; or ${otherwise}.`;

/** For an adoption of an object that is in the stack already. */
export const belongsTo = (what: string, holder: string): string =>
  `${what} belongs to ${holder} of this stack, so it is not adopted. ${givenUp(holder)}`;

const givenUp = (holder: string): string =>
  `If this is ${holder} under another name, give it the option \`aliases\`, which changes nothing at the service. ` +
  `If it is ${holder} itself, to be replaced by replaceOnChanges or --replace, give it the option { deleteBeforeReplace: true }, ` +
  `which deletes it first, with all that is in it. ` +
  `To take it over otherwise, let ${holder} go with \`pulumi state delete\`, which leaves it at the service, and then adopt it.`;

/** For two resources in the state with the same object. */
export const sharedBy = (what: string): string =>
  `${what} is in the state of two resources of this stack, so that removing one would take it from the other. ` +
  "Keep one of them: remove the other from the program and, with `pulumi state delete`, from the state, which leaves it at the service.";
