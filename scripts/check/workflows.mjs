import { readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { goVersion } from "../setup/go-build.mjs";
import { pathWithoutPackages, root } from "../setup/paths.mjs";
import { run } from "../setup/run.mjs";

/**
 * Checks the syntax of the workflows with actionlint, which is built from its Go module.
 * @returns {Promise<{ problems: string, skipped?: string }>}
 */
export async function checkWorkflows() {
  if (!(await goVersion())?.supported) {
    return { problems: "", skipped: "Go, which builds actionlint, is not on PATH" };
  }
  const own = join(root, ".github/workflows");
  const files = [...readdirSync(own).map((name) => join(own, name)), join(root, "examples/ci/workflow.yml")];
  // These two tools are turned off, because only some machines have them.
  const { code, output } = await run("go", ["tool", "actionlint", "-shellcheck=", "-pyflakes=", ...files], {
    cwd: join(root, "scripts/check/actionlint"),
    env: { ...process.env, PATH: pathWithoutPackages().join(delimiter), GOWORK: "off" },
  });
  return { problems: code === 0 ? "" : output.trim() };
}
