import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type RunningServer, startServer } from "../../server";
import { runChild } from "../support/child";
import { type FullAccount, startFullAccount } from "../support/full-account";
import { type PlantedDifference, plantedDifferences } from "../support/planted-differences";
import { openRecordingProxy } from "../support/recording-proxy";
import { root } from "../support/server";

/** Differences of an API from the bundled server, which `doctor --api` and the checks over HTTP must find. */

/** Without the long tests, only each fifteenth difference is planted. */
const some = plantedDifferences.filter((_, at) => process.env.SLIPWAY_TEST_LONG || at % 15 === 0);

let account: FullAccount;
let empty: RunningServer;
beforeAll(async () => {
  account = await startFullAccount("mark", "hosted");
  empty = await startServer({ profile: "hosted" });
});
afterAll(async () => {
  await account.server.close();
  await empty.close();
});

/** Runs both tools behind proxies that plant the difference. @returns the tools that find it */
async function findersOf({ change }: PlantedDifference): Promise<string[]> {
  const proxies = [
    await openRecordingProxy(account.server.url),
    await openRecordingProxy(empty.url),
  ] as const;
  for (const proxy of proxies) proxy.change = change;
  const doctor = runChild("cli/command.ts", ["doctor", "--api"], {
    ...{ SLIPWAY_API_URL: proxies[0].url, SLIPWAY_TOKEN: account.token, SLIPWAY_TEAM: account.team },
  });
  const options = JSON.stringify({ url: proxies[1].url, team: "acme", allowNonEmpty: "acme" });
  const checks = spawn(process.execPath, [join(root, "scripts/conformance/remote.mjs"), options], {
    env: { ...process.env, SLIPWAY_TOKEN: empty.token },
  });
  let report = "";
  checks.stdout.on("data", (data) => {
    report += data;
  });
  await Promise.all([doctor.exited, once(checks, "close")]);
  for (const proxy of proxies) await proxy.close();
  return [
    ...(/: \d+ differences?/.test(doctor.output().stdout) ? ["doctor"] : []),
    ...(/^\S+ +FAILS: /m.test(report) ? ["conformance"] : []),
  ];
}

it("finds nothing where nothing is planted", async () => {
  expect(await findersOf({ title: "", change: (_request, answer) => answer })).toEqual([]);
});

it.each(some)("finds that $title", async (difference) => {
  const finders = await findersOf(difference);
  expect(finders).not.toEqual([]);
});
