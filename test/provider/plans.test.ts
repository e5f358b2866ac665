import fc from "fast-check";
import { type RunningServer, startServer } from "../../server";
import { account, lasting } from "../support/programs/account";
import { deploymentsOf, edits, named } from "../support/programs/arbitrary";
import { Engine } from "../support/programs/engine";
import { honest } from "../support/programs/honest";
import { type Host, startHost } from "./host";
import { startPluginHost } from "./plugin-host";

const isLong = process.env.SLIPWAY_TEST_LONG !== undefined;
/** Each is a program and an edit of it, through either host. */
const programs = isLong ? 500 : 12;

let server: RunningServer;
let hosts: Record<string, Host>;
let runs = 0;

beforeAll(async () => {
  server = await startServer({ seed: account });
  hosts = { dynamic: await startHost(), plugin: await startPluginHost() };
  for (const host of Object.values(hosts)) {
    await host.configure({
      "slipway:apiUrl": server.url,
      "slipway:token": server.token,
      "slipway:team": "acme",
    });
  }
});
afterAll(async () => {
  for (const host of Object.values(hosts)) await host.close();
  await server.close();
});

it.each(["dynamic", "plugin"])(
  "the %s host plans what it does, is done when it is done, and leaves nothing behind",
  async (name) => {
    const host = hosts[name];
    if (!host) throw new Error("there is no such host");
    await fc.assert(
      fc.asyncProperty(edits, async (edit) => {
        const run = `r${runs++}`;
        const { before, after } = named(edit, run);
        await server.control.seed({
          deployments: named(deploymentsOf(edit), run).map(({ id, project }, at) => ({
            ...{ id, project, team: "acme", target: "production", readyState: "READY", createdAt: at },
          })),
        });
        const untouched = lasting(await server.control.snapshot());

        const engine = new Engine(host);
        for (const program of [before, after]) {
          const plan = await engine.preview(program);
          honest(plan, await engine.up(program));
          expect(await engine.preview(program)).toMatchObject({ operations: {} });
        }
        expect(await engine.refresh()).toEqual([]);
        expect(await engine.preview(after)).toMatchObject({ operations: {} });
        await engine.destroy();
        expect(lasting(await server.control.snapshot())).toEqual(untouched);
      }),
      {
        numRuns: programs,
        seed: 20260101,
        // A smaller program that fails is looked for where there is time for it: the full length fails alike.
        endOnFailure: !isLong,
      },
    );
  },
  3_600_000,
);
