import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFolder } from "../../../cli/rehearse/folder";
import { makeHome } from "../../../cli/rehearse/home";
import { rehearsalVariable } from "../../../provider/client/rehearsal";

let temporary: string;
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), "slipway-test-"));
});
afterEach(() => {
  rmSync(temporary, { recursive: true });
});

/** A process in a group of its own, as the CLI starts a plugin. */
function startPlugin(home: string) {
  const child = spawn(process.execPath, ["-e", "console.log(1); setInterval(() => {}, 1000)"], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
    env: { PULUMI_HOME: home },
  });
  return { child, started: once(child.stdout, "data"), ended: once(child, "exit") };
}

const onLinux = process.platform === "linux" ? it : it.skip;

onLinux("ends the processes of a rehearsal with its folder, and no others", async () => {
  const folder = openFolder(temporary);
  const plugin = startPlugin(folder.folder("home"));
  const other = startPlugin(`${folder.path}/home2`);
  await Promise.all([plugin.started, other.started]);
  folder.remove();
  expect(await plugin.ended).toEqual([null, "SIGKILL"]);
  expect([other.child.exitCode, other.child.signalCode]).toEqual([null, null]);
  other.child.kill();
  expect(await other.ended).toEqual([null, "SIGTERM"]);
});

onLinux("ends what a rehearsal left that was killed", async () => {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  const killed = join(temporary, `slipway-rehearsal-${pid}-abc`);
  mkdirSync(join(killed, "home"), { recursive: true });
  const plugin = startPlugin(join(killed, "home"));
  await plugin.started;
  const folder = openFolder(temporary);
  expect(await plugin.ended).toEqual([null, "SIGKILL"]);
  expect(readdirSync(temporary)).toEqual([folder.path.slice(temporary.length + 1)]);
});

onLinux(
  "keeps the folder of a running rehearsal, and none whose process id another program has",
  async () => {
    const start = (word: string) =>
      spawn(process.execPath, ["-e", "console.log(1); setInterval(() => {}, 1000)", word], {
        stdio: ["ignore", "pipe", "ignore"],
      });
    const [running, other] = [start("rehearse"), start("another")];
    const children = [running, other];
    await Promise.all(children.map((child) => once(child.stdout, "data")));
    const [kept = "", gone = ""] = children.map(({ pid }) => `slipway-rehearsal-${pid}-abc`);
    for (const name of [kept, gone]) mkdirSync(join(temporary, name));
    const folder = openFolder(temporary);
    for (const child of children) child.kill();
    expect(readdirSync(temporary).sort()).toEqual([kept, folder.path.slice(temporary.length + 1)].sort());
    folder.remove();
  },
);

it("makes folders of the installed plugins, since the CLI lists no links", () => {
  const [home, target] = [join(temporary, "pulumi"), join(temporary, "target")];
  const installed = join(home, "plugins/resource-slipway-v0.1.0");
  for (const folder of [installed, target]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(installed, "pulumi-resource-slipway"), rehearsalVariable);
  makeHome({ target, program: temporary, allowed: [], environment: { PULUMI_HOME: home } });
  const plugin = join(target, "plugins/resource-slipway-v0.1.0");
  expect(lstatSync(plugin).isDirectory()).toBe(true);
  expect(readdirSync(plugin)).toEqual(["pulumi-resource-slipway"]);
});

it("leaves out plugins whose resources would change for real, and credentials of backends", () => {
  const [home, target] = [join(temporary, "pulumi"), join(temporary, "target")];
  const plugins = ["language-yaml-v1.30.0", "resource-random-v4.16.0", "resource-gcp-v8.0.0"];
  const others = ["resource-aws-v6.0.0", "resource-slipway-v0.0.1"];
  for (const name of [...plugins, ...others]) mkdirSync(join(home, "plugins", name), { recursive: true });
  for (const name of ["logs", "workspaces"]) mkdirSync(join(home, name));
  mkdirSync(target);
  for (const name of ["config.json", "credentials.json"]) writeFileSync(join(home, name), "{}");
  makeHome({ target, program: temporary, allowed: ["gcp"], environment: { PULUMI_HOME: home } });
  expect(readdirSync(target).sort()).toEqual(["config.json", "plugins"]);
  expect(readdirSync(join(target, "plugins")).sort()).toEqual([...plugins].sort());
});

it.each<[string, string, string, RegExp]>([
  ["another plugin on PATH", "aws", "", /provider aws \(\S+aws\).*add --allow aws\./],
  ["an old plugin on PATH", "slipway", "", /bin does not support rehearsals/],
  [
    "another plugin in Pulumi.yaml",
    "random",
    "plugins: { providers: [{ name: aws, path: ../aws }] }",
    /aws \(\.\.\/aws\)/,
  ],
  ["another package in Pulumi.yaml", "random", "packages: { gcp: gcp@8.0.0, aws: ./aws }", /aws \(\.\/aws\)/],
  [
    "an old package in Pulumi.yaml",
    "random",
    "packages: { slipway: ./old }",
    /old does not support rehearsals/,
  ],
])("refuses %s, which the CLI would use", (_, onPath, yaml, message) => {
  const [bin, target] = ["bin", "target"].map((name) => join(temporary, name)) as [string, string];
  for (const folder of [bin, target]) mkdirSync(folder);
  writeFileSync(join(bin, `pulumi-resource-${onPath}`), "");
  writeFileSync(join(temporary, "Pulumi.yaml"), yaml);
  const environment = { PULUMI_HOME: join(temporary, "pulumi"), PATH: bin };
  expect(() => makeHome({ target, program: temporary, allowed: [], environment })).toThrow(message);
});
