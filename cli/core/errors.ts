/** An error that the user can fix. Only its message is shown. */
export class UserError extends Error {
  override readonly name = "UserError";
}

/** A command line that is not valid: exit code 2. */
export class UsageError extends UserError {}
