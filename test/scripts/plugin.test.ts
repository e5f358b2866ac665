import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { startPlugin } from "../provider/plugin-host";
import { built } from "../support/dist";
import { root } from "../support/server";

const pluginFolder = built("plugin");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-plugin-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("the folder of the plugin runs wherever it is copied, among modules of another kind too", async () => {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  cpSync(pluginFolder, join(folder, "copy"), { recursive: true });
  const plugin = await startPlugin({}, join(folder, "copy"));
  expect((await plugin.call("getPluginInfo", new Empty())).getVersion()).toBe(version);
  await plugin.close();
});

it("slipway plugin install puts the plugin where Pulumi looks for it, again and again", async () => {
  const install = () =>
    execFileSync(process.execPath, [built("cli/main.js"), "plugin", "install"], {
      env: { PATH: process.env.PATH, PULUMI_HOME: folder },
      encoding: "utf8",
    }).trim();
  const target = join(folder, `plugins/resource-slipway-v${version}`);
  expect([install(), install()]).toEqual([target, target]);
  expect(readdirSync(join(folder, "plugins"))).toHaveLength(1);
  expect(statSync(join(target, "pulumi-resource-slipway")).mode & 0o111).toBe(0o111);
  const plugin = await startPlugin({}, target);
  expect((await plugin.call("getPluginInfo", new Empty())).getVersion()).toBe(version);
  await plugin.close();
});
