import { join } from "node:path";

const folder = join(__dirname, "../../dist");

/** True if the sources did not change after the build. */
export const isCurrent = (): boolean => process.env.SLIPWAY_TEST_DIST !== "outdated";

/**
 * The path of a file or folder that the build made.
 * @throws Error if the sources changed after the build, so that no test passes on old code
 */
export function built(path: string): string {
  if (!isCurrent()) throw new Error("dist/ is older than the sources: run `npm run build`, then this test.");
  return join(folder, path);
}
