import { systemClock } from "../../../server/platform/clock";
import { developmentToken } from "../../../server/seed/development-account";
import { openServer, type Server } from "../../../server/server";
import { type TestDatabase, takeDatabase } from "../../support/postgres/database";
import { type Receiver, useReceivers } from "../../support/receiver";
import { until } from "../../support/until";

const receiver = useReceivers();

let database: TestDatabase;
let replicas: Server[];

beforeEach(async () => {
  database = await takeDatabase();
  replicas = [];
});
afterEach(async () => {
  for (const replica of replicas) await replica.close();
  await database.release();
});

/** Another server over the same database. */
async function open(): Promise<Server> {
  const replica = await openServer({
    port: 0,
    data: database.url,
    key: Buffer.alloc(32, "key").toString("base64"),
    clock: systemClock(),
    strict: true,
    logLevel: "silent",
    alwaysDevelopmentAccount: true,
  });
  replicas.push(replica);
  return replica;
}

async function call({ app }: Server, path: string, body: object): Promise<void> {
  const { statusCode } = await app.inject({
    method: "POST",
    url: path,
    query: { slug: "acme" },
    headers: { authorization: `Bearer ${developmentToken}`, "content-type": "application/json" },
    payload: JSON.stringify(body),
  });
  expect(statusCode).toBe(200);
}

const subscribe = (replica: Server, { url }: Receiver): Promise<void> =>
  call(replica, "/v1/webhooks", { url, events: ["project.created"] });
const create = (replica: Server, name: string): Promise<void> => call(replica, "/v10/projects", { name });

const lease = (replica: Server, leasedUntil: number) =>
  replica.services.store.write((tx) =>
    tx.updateTable("receivers").set({ lease: "another", leased_until: leasedUntil }).execute(),
  );

//
test("three servers over one database send each event once, in order, one at a time", async () => {
  const servers = [await open(), await open(), await open()];
  const hook = await receiver();
  await subscribe(servers[0] as Server, hook);
  const order: string[] = [];
  let under = 0;
  let most = 0;
  hook.delayMs = 5;
  hook.react = () => {
    under++;
    most = Math.max(most, under);
    return 200;
  };
  hook.answered = () => {
    under--;
  };
  for (let at = 0; at < 30; at++) {
    const name = `p-${at}`;
    await create(servers[at % servers.length] as Server, name);
    order.push(name);
  }
  const accepted = await hook.waitForAccepted(30);
  await until("every delivery is noted", async () => {
    const waiting = await (servers[0] as Server).services.store.read((tx) =>
      tx.selectFrom("deliveries").select("id").where("state", "=", "waiting").execute(),
    );
    return waiting.length === 0 || undefined;
  });
  expect(accepted.map(({ body }) => body.payload.project.name)).toEqual(order);
  expect(most).toBe(1);
});

//
test("a receiver that another server has is left alone until that server's lease is over", async () => {
  const server = await open();
  const [taken, free] = [await receiver(), await receiver()];
  await subscribe(server, taken);
  await create(server, "a");
  await taken.waitForAccepted(1);
  await until("the receiver rests", async () => {
    const rows = await server.services.store.read((tx) => tx.selectFrom("receivers").selectAll().execute());
    return rows.every((row) => row.next_attempt_at === null && row.lease === null) || undefined;
  });
  await lease(server, Date.now() + 3_600_000);
  await subscribe(server, free);
  await create(server, "b");
  await free.waitForAccepted(1);
  expect(taken.accepted).toHaveLength(1);
  await lease(server, Date.now() - 1);
  expect((await taken.waitForAccepted(2)).map(({ body }) => body.payload.project.name)).toEqual(["a", "b"]);
});
