/** An error that the user can fix. Only its message is shown. */
export class UserError extends Error {
  override readonly name = "UserError";
}

/** An error in the command line. The exit code is 2. */
export class UsageError extends UserError {}
