import type { Message } from "../../../server/events/http-post";
import { startLogForwarding } from "../../../server/log-drains/forwarder";
import { logLine } from "../../support/log-line";
import { until } from "../../support/until";
import { useTestServer } from "../../support/world";

const world = useTestServer();
const settings = { deliveryFormat: "json" as const, environments: ["production" as const] };
const pathsIn = ({ body }: Message): string[] => JSON.parse(body).map(({ path }: { path: string }) => path);
const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, at) => `/${from + at}`);

/** Forwards lines to the log drains of the store. @param send the receivers */
async function startForwarding(send: (message: Message) => Promise<void>) {
  const { accounts } = await world.control.snapshot();
  const { note, stop } = startLogForwarding(world.services, { send, close: async () => {} });
  return {
    stop,
    note(slug: string, paths: string[]): void {
      const accountId = accounts.find((account) => account.slug === slug)?.id ?? "";
      for (const path of paths) note({ ...logLine, accountId, path });
    },
  };
}

it("keeps 2000 lines of an account and those of others, and sends them in batches of 200, in order", async () => {
  await world.team("other");
  await world.seed({
    logDrains: [
      { team: "acme", name: "acme", url: "http://acme.example/", ...settings },
      { team: "other", name: "other", url: "http://other.example/", ...settings },
    ],
  });
  const sent: Message[] = [];
  const forwarding = await startForwarding(async (message) => void sent.push(message));
  forwarding.note("acme", numbered(0, 2001));
  forwarding.note("other", ["/0"]);
  const batchesTo = (name: string): string[][] =>
    sent.filter(({ url }) => url === `http://${name}.example/`).map(pathsIn);
  await until("the lines are sent", () => {
    world.clock.advance(1);
    return (batchesTo("acme").flat().length >= 2000 && batchesTo("other").length > 0) || undefined;
  });
  await forwarding.stop();
  expect(batchesTo("acme").flat()).toEqual(numbered(0, 2000));
  for (const batch of batchesTo("acme")) expect(batch.length).toBeLessThanOrEqual(200);
  expect(batchesTo("other")).toEqual([["/0"]]);
});

it("drops the oldest lines for a receiver that is unreachable for long", async () => {
  await world.seed({
    logDrains: ["unreachable", "reachable"].map((name) => ({
      ...{ team: "acme", name, url: `http://${name}.example/`, ...settings },
    })),
  });
  let hasFailed = false;
  let isReachable = false;
  const [sent, control]: [string[], string[]] = [[], []];
  const forwarding = await startForwarding(async (message) => {
    if (message.url === "http://reachable.example/") control.push(...pathsIn(message));
    else if (isReachable) sent.push(...pathsIn(message));
    else {
      hasFailed = true;
      throw new Error("unreachable");
    }
  });
  forwarding.note("acme", numbered(0, 2000));
  await until("a batch has failed", () => (hasFailed && control.includes("/1999")) || undefined);
  forwarding.note("acme", numbered(2000, 2200));
  // A line waits for both drains at the same moment. The clock stands still, so that the failed batch is not repeated.
  await until("all lines wait", () => control.includes("/2199") || undefined);
  isReachable = true;
  await until("the newest line is sent", () => {
    world.clock.advance(1000);
    return sent.includes("/2199") || undefined;
  });
  await forwarding.stop();
  expect(sent).toEqual(numbered(200, 2200));
});
