import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { targetsIn } from "../../provider/targets";
import { root } from "../support/server";

const urn = (name: string): string => `urn:pulumi:dev::app::slipway:index:EnvVar::${name}`;
const leftOut = (
  words: string,
  names: readonly string[],
  variables: Record<string, string> = {},
  dependencies: [string, string[]][] = [],
): string[] => {
  const targets = targetsIn(["pulumi", "up", ...words.split(" ")], variables);
  const links = {
    urns: names.map(urn),
    dependencies: new Map(dependencies.map(([name, others]) => [urn(name), others.map(urn)] as const)),
  };
  return names.filter((name) => targets?.leavesOut(urn(name), links));
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

  it("are found after the letter of the flag, also behind other letters", () => {
    const names = ["a", "b"];
    for (const word of [
      `-t${urn("a")}`,
      `-t=${urn("a")}`,
      `-yt ${urn("a")}`,
      `-fyt${urn("a")}`,
      `-rt=${urn("a")}`,
    ])
      expect([word, leftOut(word, names)]).toEqual([word, ["b"]]);
    expect(leftOut(`-yx ${urn("a")}`, names)).toEqual(["a"]);
    expect(leftOut(`-mt ${urn("a")} -st`, names)).toEqual([]);
    expect(leftOut(`-- -t ${urn("a")}`, names)).toEqual([]);
  });

  it("are those of the variables of the flags too", () => {
    const names = ["a", "b", "c"];
    const variables = { PULUMI_OPTION_TARGET: `${urn("a")},"${urn("b")}"` };
    expect(leftOut("--yes", names, variables)).toEqual(["c"]);
    expect(leftOut(`-t ${urn("c")}`, names, variables)).toEqual([]);
    expect(leftOut("--yes", names, { PULUMI_OPTION_EXCLUDE: urn("a") })).toEqual(["a"]);
    expect(leftOut("--yes", names, { PULUMI_OPTION_TARGET_REPLACE: urn("a") })).toEqual(["b", "c"]);
    expect(targetsIn(["pulumi", "up"], { PULUMI_OPTION_REFRESH: "true" })).toBeUndefined();
  });

  it("are not the dependents of an excluded resource with --exclude-dependents", () => {
    const names = ["a", "b", "c", "d"];
    const links: [string, string[]][] = [
      ["b", ["a"]],
      ["c", ["b", "d"]],
      ["d", ["c"]],
    ];
    expect(leftOut(`--exclude ${urn("a")}`, names, {}, links)).toEqual(["a"]);
    expect(leftOut(`--exclude ${urn("a")} --exclude-dependents`, names, {}, links)).toEqual(names);
    const variables = { PULUMI_OPTION_EXCLUDE: urn("b"), PULUMI_OPTION_EXCLUDE_DEPENDENTS: "true" };
    expect(leftOut("--yes", names, variables, links)).toEqual(["b", "c", "d"]);
  });

  it("are no resource that may be the excluded one under its former name", () => {
    expect(leftOut(`--exclude ${urn("new")}`, ["a", "b"])).toEqual(["a", "b"]);
    expect(leftOut("--exclude **::new", ["a", "b"])).toEqual(["a", "b"]);
    expect(leftOut(`--exclude ${urn("new").replace("EnvVar", "Project")}`, ["a", "b"])).toEqual([]);
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
