import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { targetsIn } from "../../provider/targets";
import { root } from "../support/server";

const urn = (name: string): string => `urn:pulumi:dev::app::slipway:index:EnvVar::${name}`;
const leftOut = (words: string, names: readonly string[]): string[] => {
  const targets = targetsIn(["pulumi", "up", ...words.split(" ")]);
  return names.filter((name) => targets?.leavesOut(urn(name)));
};

describe("the targets of a run", () => {
  it("are none without a flag", () => {
    expect(targetsIn(["pulumi", "up", "--yes"])).toBeUndefined();
  });

  it("are those of all flags, by URN of either host or pattern", () => {
    const names = ["a", "b", "c"];
    expect(leftOut(`--target ${urn("a")}`, names)).toEqual(["b", "c"]);
    expect(leftOut(`--target=${urn("a")} -t ${urn("c")}`, names)).toEqual(["b"]);
    expect(leftOut("--target **:EnvVar::b --yes", names)).toEqual(["a", "c"]);
    expect(leftOut("--target **", names)).toEqual([]);
    const dynamic = urn("a").replace("slipway:index:", "pulumi-nodejs:dynamic/slipway:");
    expect(leftOut(`--target ${dynamic}`, names)).toEqual(["b", "c"]);
  });

  it("are all but the excluded ones with --exclude", () => {
    expect(leftOut(`--exclude ${urn("a")}`, ["a", "b"])).toEqual(["a"]);
  });

  it("are read from the command line of the CLI, whatever process is between", async () => {
    const folder = mkdtempSync(join(tmpdir(), "slipway-targets-"));
    try {
      const script = join(folder, "ask.cjs");
      writeFileSync(
        script,
        `require(${JSON.stringify(join(root, "test/support/register.cjs"))});
        require(${JSON.stringify(join(root, "provider/targets.ts"))}).targetsOfRun().then((targets) => {
          process.stdout.write(String(targets?.leavesOut("b")));
        });`,
      );
      const inner = `${JSON.stringify(process.execPath)} ${JSON.stringify(script)}; true`;
      const child = spawn("sh", ["-c", `sh -c '${inner}'; true`, "--target", "a"], { argv0: "pulumi" });
      let said = "";
      for await (const text of child.stdout) said += text;
      expect(said).toBe("true");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
