/**
 * Runs a part of a test that needs the parts before it. The error of a part begins with its title.
 * Tests run in random order, so that a story of several parts is one test.
 */
export async function step<T>(title: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Error) {
      error.message = `${title}: ${error.message}`;
      error.stack = `${title}: ${error.stack}`;
    }
    throw error;
  }
}
