import { join } from "node:path";

const folder = join(__dirname, "../../dist");

/**
 * The path of a file or folder that the build made.
 * @throws Error if the sources changed after the build, so that no test passes on old code
 */
export function built(path: string): string {
  if (process.env.SLIPWAY_TEST_DIST === "outdated")
    throw new Error("dist/ is older than the sources: run `npm run build`, then this test.");
  return join(folder, path);
}
