/** The server cannot start with these options. The message is one line that names the way out. */
export class StartError extends Error {
  override readonly name = "StartError";
}
