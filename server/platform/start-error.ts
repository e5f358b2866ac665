/** The server cannot start as it was asked to. The message is one line that names the way out. */
export class StartError extends Error {
  override readonly name = "StartError";
}
