import { once } from "node:events";
import { IncomingMessage, ServerResponse } from "node:http";
import { connect, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { RequestContext } from "../../../server/http/context";
import { answerClientError } from "../../../server/http/shutdown";
import { developmentToken } from "../../../server/seed/development-account";
import { until } from "../../support/until";
import { useTestServer } from "../../support/world";

const world = useTestServer();
let sockets: Socket[];
let served: Socket[];

beforeEach(async () => {
  sockets = [];
  served = [];
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  world.app.server.on("connection", (socket: Socket) => served.push(socket));
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
});

/** Sends bytes over a connection of their own. @returns what sends more, and what comes back until it ends */
function send(bytes: string): { socket: Socket; more(text: string): void; answer: Promise<string> } {
  const address = world.app.server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const socket = connect(address.port, "127.0.0.1");
  sockets.push(socket);
  const answer = new Promise<string>((resolve, reject) => {
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
    });
    socket.on("error", reject).on("end", () => resolve(text));
  });
  socket.write(bytes);
  return { socket, more: (text) => socket.write(text), answer };
}

interface Received {
  status: number;
  head: string;
  error: { code: string; message: string };
}

async function received(answer: Promise<string>): Promise<Received> {
  const [head = "", body = ""] = (await answer).split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), head: head.toLowerCase(), error: JSON.parse(body).error };
}

const authorization = `Authorization: Bearer ${developmentToken}`;
/** The head of a request that is answered 200, without its end. */
const read = `GET /v9/projects?slug=acme HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n`;

describe("what is no request", () => {
  it.each([
    ["other bytes", "GIBBERISH\r\n\r\n", 400],
    ["two lengths of one body", `${read}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400],
    ["a request that names no host", `GET /v9/projects HTTP/1.1\r\nConnection: close\r\n\r\n`, 400],
    ["a request that names two hosts", `${read}host: example.com\r\nConnection: close\r\n\r\n`, 400],
    ["a header that is too large", `${read}X-Large: ${"x".repeat(17_000)}\r\n\r\n`, 431],
  ])("%s is answered in the API's error form", async (_, bytes, status) => {
    const answer = await received(send(bytes).answer);
    expect(answer).toMatchObject({ status, error: { code: "bad_request", message: expect.any(String) } });
    expect(answer.head).toContain("content-type: application/json; charset=utf-8");
    expect(answer.head).toMatch(/x-request-id: [0-9a-f-]{36}/);
  });
});

describe("what comes behind a request", () => {
  const made = (name: string): string => {
    const body = JSON.stringify({ name });
    return `POST /v10/projects?slug=acme HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
  const namesOf = async (): Promise<string[]> => {
    const rows = await world.services.store.read((tx) =>
      tx.selectFrom("projects").select("name").orderBy("name").execute(),
    );
    return rows.map(({ name }) => name);
  };
  const statusesOf = (text: string): string[] => text.match(/(?<=HTTP\/1\.1 )\d+/g) ?? [];

  it.each([
    ["one request", 1, "GIBBERISH\r\n\r\n", "400"],
    ["several requests", 3, "GIBBERISH\r\n\r\n", "400"],
    [
      "a request with too large a header behind it",
      1,
      `${read}X-Large: ${"x".repeat(17_000)}\r\n\r\n`,
      "431",
    ],
    ["a request whose body breaks off", 2, `${read}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, "400"],
  ])("%s is answered before what is no request", async (_, count, bytes, status) => {
    const names = Array.from({ length: count }, (_value, at) => `p${at}`);
    const { more, answer } = send(names.map(made).join("") + bytes);
    more("and more of it\r\n\r\n");
    expect(statusesOf(await answer)).toEqual([...names.map(() => "200"), status]);
    expect(await namesOf()).toEqual(names);
  });

  it("is not begun when it gets no answer, behind one that ends the connection", async () => {
    const begun: string[] = [];
    world.app.use(async ({ method }, next) => {
      begun.push(method);
      const answer = await next();
      return answer && method === "GET" ? { ...answer, headers: { connection: "close" } } : answer;
    });
    expect(statusesOf(await send(`${read}\r\n${made("unanswered")}`).answer)).toEqual(["200"]);
    await world.app.close();
    expect([begun, await namesOf()]).toEqual([["GET"], []]);
  });
});

describe("a request that was answered", () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const isForgotten = (request: WeakRef<IncomingMessage>): Promise<true> =>
    until("nothing leads to the request", async () => {
      await sleep(1);
      collectGarbage();
      return request.deref() === undefined || undefined;
    });

  let requests: WeakRef<IncomingMessage>[];
  beforeEach(() => {
    requests = [];
    world.app.use((context, next) => {
      requests.push(new WeakRef(context.request));
      return next();
    });
  });

  it("is forgotten while its connection stays open", async () => {
    let text = "";
    const { socket } = send(`${read}\r\n`);
    socket.on("data", (chunk) => {
      text += chunk;
    });
    await until("it is answered", () => text.includes("pagination"));
    for (const request of requests.splice(0)) await isForgotten(request);
    expect(socket.destroyed).toBe(false);
  });

  it("is forgotten where it came without a connection", async () => {
    expect((await world.app.inject("/nowhere")).statusCode).toBe(404);
    for (const request of requests.splice(0)) await isForgotten(request);
  });

  it("is reported, also when its client leaves before it has read the answer", async () => {
    const reported: (number | null)[] = [];
    world.app.observe(({ status }) => reported.push(status));
    const { socket } = send("GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(60));
    socket.pause();
    await until("more has been written than goes out", () => (served[0]?.writableLength ?? 0) > 0);
    socket.destroy();
    await until("the one whose answer was not read is reported", () => reported.includes(null));
  });
});

describe("many requests at once on one connection", () => {
  it("are carried out as their answers are read, in order, and all of them", async () => {
    let begun = 0;
    world.app.use((_context, next) => {
      begun += 1;
      return next();
    });
    const count = 250;
    const large = "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n";
    const last = "GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    const { socket, answer } = send("");
    socket.pause();
    socket.write(large.repeat(count) + last);
    let before = -1;
    await until("no further request is begun", async () => {
      const settled = begun > 0 && begun === before;
      before = begun;
      await sleep(100);
      return settled;
    });
    expect(begun).toBeLessThan(count / 2);
    socket.resume();
    const statuses = [...(await answer).matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
    expect(statuses).toEqual([...Array.from({ length: count }, () => "200"), "404"]);
  });
});

test.each([
  [
    "with scheme and host in its target",
    `GET http://localhost/v9/projects?slug=acme HTTP/1.1\r\nHost: localhost\r\n`,
  ],
  ["with the host alone and a query", `GET HTTP://localhost:80?slug=acme HTTP/1.1\r\nHost: localhost\r\n`],
  [
    "with an expectation that nobody knows",
    "GET /v9/projects?slug=acme HTTP/1.1\r\nHost: localhost\r\nExpect: more\r\n",
  ],
])("a request %s is answered as any other", async (_, head) => {
  const answer = await send(`${head}${authorization}\r\nConnection: close\r\n\r\n`).answer;
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}/);
});

test("a request of HTTP/1.0 needs no host", async () => {
  expect(await send("GET /_health HTTP/1.0\r\n\r\n").answer).toMatch(/^HTTP\/1\.1 200 /);
});

test("a request that takes too long to arrive is answered, and a connection that was reset is not", () => {
  const ended: string[] = [];
  const socket = { writable: true, end: (text: string) => ended.push(text) } as unknown as Socket;
  for (const code of ["ECONNRESET", "ERR_HTTP_REQUEST_TIMEOUT"])
    answerClientError(Object.assign(new Error(), { code }), socket);
  expect(ended).toEqual([expect.stringMatching(/^HTTP\/1.1 408 Request Timeout\r\n.*"bad_request"/s)]);
});

test("a connection that takes no more answers is closed at bytes that are no request", async () => {
  send("");
  const [socket] = await until("it is there", () => (served.length > 0 ? served : undefined));
  socket?.end();
  answerClientError(new Error("no HTTP"), socket as Socket);
  expect(socket?.destroyed).toBe(true);
});

describe("while the server closes", () => {
  it("a request that still comes is refused in the API's error form, and does not take effect", async () => {
    const body = JSON.stringify({ name: "late" });
    const head = `POST /v10/projects?slug=acme HTTP/1.1\r\nHost: x\r\n${authorization}\r\n`;
    const late = send(head);
    const ready = send("GET /_ready HTTP/1.1\r\nHost: x\r\n");
    await until("both have begun", () => served.length === 2 && served.every((one) => one.bytesRead > 0));
    const closed = world.app.close();
    await until("the server takes no more connections", () => !world.app.server.listening);
    late.more(`Content-Length: ${body.length}\r\n\r\n${body}`);
    ready.more("\r\n");
    const answer = await received(late.answer);
    expect(answer).toMatchObject({ status: 503, error: { code: "service_unavailable" } });
    expect(answer.head).toMatch(/^connection: close$/m);
    expect(answer.head).toMatch(/^retry-after: 1$/m);
    expect(await ready.answer).toMatch(/^HTTP\/1.1 503 [\s\S]*"status":"closing"/);
    await closed;
    const projects = await world.services.store.read((tx) => tx.selectFrom("projects").selectAll().execute());
    expect(projects).toEqual([]);
  });

  it("a log that is followed ends", async () => {
    await world.seed({ projects: [{ team: "acme", name: "web" }] });
    await world.control.planBuilds({ buildMs: 3_600_000 });
    const { id } = (await world.call("POST", "/v13/deployments", { body: { project: "web" } })).body;
    const path = `/v3/deployments/${id}/events?slug=acme&follow=1&format=lines`;
    const followed = send(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n\r\n`);
    await until("it is there", () => served.some((one) => one.bytesRead > 0));
    await sleep(100);
    await world.app.close();
    expect(await followed.answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("a request that was sent just before is answered", async () => {
    const { socket, answer } = send("");
    await until("it is there", () => served.length > 0);
    await new Promise((written) => socket.write("GET /_health HTTP/1.1\r\nHost: x\r\n\r\n", written));
    const closed = world.app.close();
    expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
    await closed;
  });

  it("requests in line on one connection are answered, and the connection is closed after the last", async () => {
    let begun = 0;
    world.app.server.on("request", () => {
      begun += 1;
      if (begun === 5) void world.app.close();
    });
    const text = await send(`${read}\r\n`.repeat(5)).answer;
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(Array(5).fill("HTTP/1.1 200"));
    expect(text.match(/(?<=^connection: )\S+/gim)).toEqual([...Array(4).fill("keep-alive"), "close"]);
    await world.app.close();
  });

  it("a connection that never sent a request does not hold it up", async () => {
    send("");
    await until("it is there", () => served.length > 0);
    const closed = world.app.close().then(() => "closed");
    const patience = sleep(8000, "still open", { ref: false });
    expect(await Promise.race([closed, patience])).toBe("closed");
  });

  it("who reads slowly gets every answer that was under way, and whole", async () => {
    let begun = 0;
    world.app.server.on("request", () => {
      begun += 1;
    });
    const document = (await world.app.inject("/openapi.json")).body;
    const { socket, answer } = send("GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n".repeat(60));
    socket.pause();
    await until("more has been written than goes out", () => (served[0]?.writableLength ?? 0) > 0);
    const underWay = begun;
    const closed = world.app.close();
    await until("the server takes no more connections", () => !world.app.server.listening);
    socket.resume();
    expect((await answer).split(document).length - 1).toBe(underWay);
    await closed;
  });
});

test("a body of which the connection closed before it was read is cut off", async () => {
  const request = new IncomingMessage(new Socket());
  await once(request.destroy(), "close");
  const context = new RequestContext(request, new ServerResponse(request));
  await expect(context.text()).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("closed"),
  });
});
