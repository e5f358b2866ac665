/** True for an error of the operating system, such as a full disk, which is not a bug. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  (error as NodeJS.ErrnoException | undefined)?.syscall !== undefined;
