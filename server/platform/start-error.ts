/** The error if the server cannot start with its options. The message is one line and says what to do. */
export class StartError extends Error {
  override readonly name = "StartError";
}
