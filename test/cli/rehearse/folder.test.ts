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
