/** An error that the user can fix. Only its message is shown. */
export class UserError extends Error {
  override readonly name = "UserError";
}
