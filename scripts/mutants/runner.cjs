const { writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { runCLI } = require("jest");
const { none, task, nothing, outcome } = require("./task.cjs");

/** Runs one test file after the other in the same process, so that shared modules are compiled only once. */
const folder = join(__dirname, "../..");

process.on("message", async ({ file, engine, ...rest }) => {
  Object.assign(task, none, rest);
  for (const key of Object.keys(outcome)) delete outcome[key];
  Object.assign(outcome, nothing());
  writeFileSync(join(folder, ".task.json"), JSON.stringify(task));
  writeFileSync(join(folder, ".passed"), "");
  const started = Date.now();
  const before = leftOpen();
  try {
    const { results } = await runCLI(
      {
        _: [join(folder, file)],
        $0: "",
        runTestsByPath: true,
        runInBand: true,
        silent: true,
        reporters: [],
        selectProjects: [engine],
        testEnvironment: join(__dirname, "environment.cjs"),
      },
      [folder],
    );
    // Failures outside of tests: while the file is loaded, or after its last test.
    const [{ failureMessage } = {}] = results.testResults;
    if (!results.success)
      outcome.failed ??= { name: file, message: failureMessage ?? "the tests do not run" };
  } catch (error) {
    outcome.failed ??= { name: file, message: String(error) };
  }
  outcome.durationMs = Date.now() - started;
  process.send({ ...outcome, left: leftOpen() - before, bytes: process.memoryUsage().rss });
});
process.on("disconnect", () => process.exit());

/** The number of servers and processes that are left. They could disturb the tests of another fault. */
function leftOpen() {
  const kinds = ["TCPServerWrap", "ProcessWrap"];
  return process.getActiveResourcesInfo().filter((name) => kinds.includes(name)).length;
}
