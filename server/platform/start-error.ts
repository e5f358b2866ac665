/** The server cannot start with these options. The message is one line and says what to do. */
export class StartError extends Error {
  override readonly name = "StartError";
}
