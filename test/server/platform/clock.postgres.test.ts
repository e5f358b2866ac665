/** @own-code The time is fake. */

import { openServer, type Server } from "../../../server/server";
import { runDueWork } from "../../../server/workers/due-work";
import { run, type TestDatabase, takeDatabase } from "../../support/postgres/database";

const minute = 60_000;
const machine = Date.now.bind(Date);
let database: TestDatabase;
let server: Server | undefined;

beforeEach(async () => {
  database = await takeDatabase();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await server?.close();
  await database.release();
});

/** Sets the machine's clock ahead. */
const setAhead = (ms: number) => jest.spyOn(Date, "now").mockImplementation(() => machine() + ms);

/** How far the server's clock is ahead of the database's. */
async function aheadMs({ services }: Server): Promise<number> {
  const { rows } = await run(database.url, (client) =>
    client.query("select extract(epoch from clock_timestamp()) * 1000 as now"),
  );
  return services.clock.now() - Number(rows[0].now);
}

it("servers go by the clock of their database, wherever those of their machines stand", async () => {
  setAhead(5 * minute);
  server = await openServer({ data: database.url, key: "ab".repeat(32), port: 0, logLevel: "silent" });
  expect(Math.abs(await aheadMs(server))).toBeLessThan(1_000);
  setAhead(-5 * minute);
  await runDueWork(server.services);
  expect(Math.abs(await aheadMs(server))).toBeLessThan(1_000);
});

it("a clock that is off by less than a second is left as it is", async () => {
  setAhead(500);
  server = await openServer({ data: database.url, key: "ab".repeat(32), port: 0, logLevel: "silent" });
  const ahead = await aheadMs(server);
  expect(ahead).toBeGreaterThan(300);
  expect(ahead).toBeLessThan(1_000);
});
