import type { LookupAddress } from "node:dns";
import { openPost } from "../../../server/events/http-post";
import { openEgress } from "../../../server/platform/egress";
import { addIntegration, installWithToken } from "../../support/integrations";
import { Receiver } from "../../support/receiver";
import { TestServer } from "../../support/world";

const webhook = (url: string) => ["/v1/webhooks", { url, events: ["project.created"] }] as const;
const drain = (url: string) =>
  [
    "/v1/log-drains",
    { name: "d", url, sources: ["static"], environments: ["production"], deliveryFormat: "json" },
  ] as const;

const delivery = (endpoint: string) => ({ delivery: { type: "http", endpoint, encoding: "json" } });
const drainOfLogs = (url: string) =>
  [
    "/v1/drains",
    { name: "d", projects: "all", schemas: { log: { version: "v1" } }, ...delivery(url) },
  ] as const;

describe.each([
  ["a webhook", webhook],
  ["a log drain", drain],
  ["a drain of logs", drainOfLogs],
])("%s", (_, bodyOf) => {
  const world = new TestServer();
  afterEach(() => world.close());

  const make = async (url: string) => {
    const [path, body] = bodyOf(url);
    return world.call("POST", path, { body });
  };

  it.each([
    "http://127.0.0.1:9/",
    "http://2130706433/",
    "http://localhost/",
    "http://10.1.2.3/",
    "http://172.31.0.1/",
    "http://192.168.0.1/",
    "http://169.254.169.254/latest/meta-data",
    "http://100.64.0.1/",
    "http://0.0.0.0/",
    "http://[::1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://[fe80::1]/",
    "http://[fd00::1]/",
  ])("is refused where others reach the server, with %s", async (url) => {
    await world.open("memory", { privateReceivers: false });
    expect(await make(url)).toMatchObject({
      status: 400,
      body: { error: { code: "bad_request", message: expect.stringContaining("--private-receivers") } },
    });
  });

  it("is made for a public address, and for a name that leads nowhere yet", async () => {
    await world.open("memory", { privateReceivers: false });
    expect(await make("http://192.0.1.1/hook")).toMatchObject({ status: 200 });
    expect(await make("http://nowhere.invalid/hook")).toMatchObject({ status: 200 });
  });

  it("is made for a private address on a server of this machine, or where that is allowed", async () => {
    await world.open("memory");
    expect(await make("http://127.0.0.1:9/")).toMatchObject({ status: 200 });
  });

  it.each([
    "http://ada@192.0.1.1/",
    "http://ada:secret@192.0.1.1/",
    "http://192.0.1.1/a\r\nb",
    "http://192.0.1.1/\n",
    "http://192.0.1.1/a b",
  ])("is refused with %j", async (url) => {
    await world.open("memory");
    expect(await make(url)).toMatchObject({ status: 400, body: { error: { code: "bad_request" } } });
  });
});

describe("a drain", () => {
  const world = new TestServer();
  afterEach(() => world.close());
  const refused = {
    status: 400,
    body: { error: { code: "bad_request", message: expect.stringContaining("--private-receivers") } },
  };

  it("is refused an address that is not public in a change too, and keeps its own", async () => {
    await world.open("memory", { privateReceivers: false });
    const [path, body] = drainOfLogs("http://192.0.1.1/");
    const { body: drain } = await world.call("POST", path, { body });
    const change = (url: string) => world.call("PATCH", `${path}/${drain.id}`, { body: delivery(url) });
    expect(await change("http://10.1.2.3/")).toMatchObject(refused);
    expect((await world.call("GET", `${path}/${drain.id}`)).body).toEqual(drain);
    expect((await change("http://192.0.1.2/")).body.delivery.endpoint).toBe("http://192.0.1.2/");
  });

  it("of an installation is refused one", async () => {
    await world.open("memory", { privateReceivers: false });
    await addIntegration(world, ["log-drain"]);
    const { token } = await installWithToken(world, {});
    const make = (url: string) =>
      world.call("POST", "/v2/integrations/log-drains", { token, body: drain(url)[1] });
    expect(await make("http://10.1.2.3/")).toMatchObject(refused);
    expect((await make("http://192.0.1.1/")).status).toBe(200);
  });
});

describe("a message to a receiver", () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = new Receiver();
    await receiver.start();
  });
  afterEach(() => receiver.stop());

  const send = async (mayReachInside: boolean, url: string, addresses: LookupAddress[] = []) => {
    const post = openPost(openEgress(mayReachInside, async () => addresses));
    const message = { url, body: "{}", secret: null, contentType: "application/json" };
    try {
      await post.send(message, new AbortController().signal);
    } finally {
      await post.close();
    }
  };
  const loopback = { address: "127.0.0.1", family: 4 };

  it("does not go out to an address that is not public", async () => {
    await expect(send(false, receiver.url)).rejects.toThrow("not public");
    expect(receiver.arrived).toEqual([]);
  });

  it("does not go out when a name leads to one by now, even beside a public one", async () => {
    const named = receiver.url.replace("127.0.0.1", "receiver.example");
    const both = [{ address: "192.0.1.1", family: 4 }, loopback];
    await expect(send(false, named, both)).rejects.toThrow("not public");
    expect(receiver.arrived).toEqual([]);
  });

  it("goes to the very address that was looked at, where that is allowed", async () => {
    await send(true, receiver.url.replace("127.0.0.1", "receiver.example"), [loopback]);
    expect(receiver.accepted).toHaveLength(1);
  });
});

it("a name whose lookup takes too long counts as one that does not resolve", async () => {
  const time = new AbortController();
  const timeout = jest.spyOn(AbortSignal, "timeout").mockReturnValue(time.signal);
  const egress = openEgress(false, () => new Promise(() => {}));
  const answer = egress.isPrivate("http://receiver.example/");
  time.abort();
  expect(await answer).toBe(false);
  expect(timeout).toHaveBeenCalledWith(3_000);
  timeout.mockRestore();
});
