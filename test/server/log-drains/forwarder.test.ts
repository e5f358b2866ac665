import type { Message } from "../../../server/events/http-post";
import { startLogForwarding } from "../../../server/log-drains/forwarder";
import { until } from "../../support/until";
import { useTestServer } from "../../support/world";

const world = useTestServer();
const line = {
  at: 0,
  requestId: "id",
  method: "GET",
  host: "localhost",
  status: 200,
  ms: 1,
  userAgent: undefined,
  projectKey: undefined,
};

it("keeps 2000 lines of an account and those of others, and sends them in batches of 200, in order", async () => {
  await world.team("other");
  const settings = { deliveryFormat: "json" as const, environments: ["production" as const] };
  await world.seed({
    logDrains: [
      { team: "acme", name: "acme", url: "http://acme.example/", ...settings },
      { team: "other", name: "other", url: "http://other.example/", ...settings },
    ],
  });
  const { accounts } = await world.control.snapshot();
  const sent: Message[] = [];
  const forwarding = startLogForwarding(world.services, {
    send: async (message) => void sent.push(message),
    close: async () => {},
  });
  const note = (slug: string, at: number): void =>
    forwarding.note({
      ...line,
      accountId: accounts.find((account) => account.slug === slug)?.id ?? "",
      path: `/${at}`,
    });
  for (let at = 0; at <= 2000; at++) note("acme", at);
  note("other", 0);
  const batchesTo = (name: string): { path: string }[][] =>
    sent.filter(({ url }) => url === `http://${name}.example/`).map(({ body }) => JSON.parse(body));
  await until("the lines are sent", () => {
    world.clock.advance(1);
    return (batchesTo("acme").flat().length >= 2000 && batchesTo("other").length > 0) || undefined;
  });
  await forwarding.stop();
  expect(
    batchesTo("acme")
      .flat()
      .map(({ path }) => path),
  ).toEqual(Array.from({ length: 2000 }, (_, at) => `/${at}`));
  for (const batch of batchesTo("acme")) expect(batch.length).toBeLessThanOrEqual(200);
  expect(batchesTo("other")).toMatchObject([[{ path: "/0" }]]);
});

it("drops the oldest lines for a receiver that is unreachable for long", async () => {
  const drain = { team: "acme", name: "acme", url: "http://acme.example/", deliveryFormat: "json" as const };
  await world.seed({ logDrains: [{ ...drain, environments: ["production" as const] }] });
  const { accounts } = await world.control.snapshot();
  const accountId = accounts.find(({ slug }) => slug === "acme")?.id ?? "";
  let failures = 0;
  let isReachable = false;
  const sent: string[] = [];
  const forwarding = startLogForwarding(world.services, {
    async send({ body }) {
      if (isReachable) sent.push(...JSON.parse(body).map(({ path }: { path: string }) => path));
      else throw new Error(`unreachable, ${++failures}`);
    },
    close: async () => {},
  });
  const note = (from: number, to: number): void => {
    for (let at = from; at < to; at++) forwarding.note({ ...line, accountId, path: `/${at}` });
  };
  note(0, 2000);
  await until("a batch has failed", () => failures > 0 || undefined);
  note(2000, 2200);
  // They wait for the drain once they are assigned.
  await world.services.store.read(async () => {});
  isReachable = true;
  await until("the newest line is sent", () => {
    world.clock.advance(1000);
    return sent.includes("/2199") || undefined;
  });
  await forwarding.stop();
  expect(sent).toEqual(Array.from({ length: 2000 }, (_, at) => `/${at + 200}`));
});
