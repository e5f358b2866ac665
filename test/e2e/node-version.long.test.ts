import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { nodeProblem } from "../../provider/client/config";
import { built } from "../support/dist";
import { Workspace } from "../support/pulumi";

/** A Node.js of this machine that is too old, beside the one that runs the tests. */
const old = (process.env.PATH ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "node"))
  .find((node) => nodeProblem(versionOf(node)) !== undefined);

const sentence = /Node\.js 22\.19 or later is required\. This is \d+\.\d+\.\d+\. Install a later version/;

let world: Workspace;
beforeAll(async () => {
  world = await Workspace.start();
});
afterAll(() => world.stop());

// Where there is none, the test of the check itself in test/provider/client/config.test.ts has to do.
(old === undefined ? it.skip : it)(
  "an update with a Node.js that is too old says so, and what to do",
  async () => {
    const stack = await world.stack("old");
    const bin = join(stack.folder, "bin");
    mkdirSync(bin);
    symlinkSync(old ?? "", join(bin, "node"));
    stack.file("package.json", JSON.stringify({ main: "index.js" }));
    stack.file("index.js", `const { Project } = require("slipway"); new Project("web");`);
    const PATH = [bin, world.environment().PATH].join(delimiter);
    const run = await stack.up({ env: { PATH }, preview: true });
    expect(run.code).not.toBe(0);
    expect(run.output).toMatch(sentence);
    expect(run.output).not.toMatch(/TypeError|out of reach/);
  },
);

(old === undefined ? it.skip : it)("the command with a Node.js that is too old says so", () => {
  expect(() => execFileSync(old ?? "", [built("cli/main.js"), "import"], { stdio: "pipe" })).toThrow(
    /Node\.js 22\.19 or later is required/,
  );
});

function versionOf(node: string): string {
  try {
    return execFileSync(node, ["-p", "process.versions.node"], { encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    // There is none.
    return "99.0.0";
  }
}
