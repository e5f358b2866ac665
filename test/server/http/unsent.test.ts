import { type AddressInfo, connect, type Socket } from "node:net";
import { developmentToken } from "../../../server/seed/development-account";
import { useTestServer } from "../../support/world";

const world = useTestServer("memory", { strict: false });

const reader = "reader-token-00000000";
/** The number of large answers that a caller may leave unread. */
const mostUnread = 8;

/** An account whose list of projects is longer than what the system buffers for a connection. */
beforeEach(async () => {
  const names = many(100, (at) => `web-${at}`);
  await world.seed({
    users: [{ username: "ada" }],
    teams: [{ slug: "acme", members: [{ user: "ada", role: "OWNER" }] }],
    tokens: [{ token: reader, user: "ada" }],
    projects: names.map((name) => ({ team: "acme", name })),
  });
  const body = [{ key: "KEY", value: "x".repeat(60_000), type: "plain", target: ["preview"] }];
  const answers = await Promise.all(
    names.map((name) => world.call("POST", `/v10/projects/${name}/env`, { body })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  await world.app.listen({ host: "127.0.0.1", port: 0 });
});

/**
 * Sends a read on a connection of its own. Resolves when it is answered, and reads nothing but the status: the more a
 * caller reads, the more the system buffers for him.
 */
const read = (path: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { port } = world.app.server.address() as AddressInfo;
    const status = "HTTP/1.1 200";
    const buffer = Buffer.alloc(status.length);
    let isAnswered = false;
    const goesOn = (): boolean => {
      if (isAnswered) return true;
      isAnswered = true;
      if (buffer.toString() === status) resolve(socket);
      else reject(new Error(`the answer begins with ${buffer}`));
      return false;
    };
    const socket = connect({ host: "127.0.0.1", port, onread: { buffer, callback: goesOn } });
    socket.on("error", reject);
    const head = [
      `GET ${path}&slug=acme HTTP/1.1`,
      "host: 127.0.0.1",
      `authorization: Bearer ${developmentToken}`,
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
  });

const readLarge = (): Promise<Socket> => read("/v9/projects?limit=100");
const readSmall = (): Promise<Socket> => read("/v9/projects?limit=1&search=none");
const many = <T>(length: number, make: (at: number) => T): T[] => Array.from({ length }, (_, at) => make(at));

it("a caller who does not read large answers gets a bounded number of them", async () => {
  const unread = await Promise.all(many(mostUnread, readLarge));
  let isAnswered = false;
  const next = readLarge().then((answer) => {
    isAnswered = true;
    answer.destroy();
  });

  // Another caller gets the same answer meanwhile.
  for (let at = 0; at < 3; at++) await world.call("GET", "/v9/projects?limit=100", { token: reader });
  expect(isAnswered).toBe(false);

  unread[0]?.resume();
  await next;
  for (const answer of unread) answer.destroy();
});

it("a closed connection counts no longer", async () => {
  const unread = await Promise.all(many(mostUnread, readLarge));
  for (const answer of unread) answer.destroy();

  const next = await readLarge();
  next.destroy();
});

it("small answers that are not read do not count", async () => {
  const answers = await Promise.all(many(3 * mostUnread, readSmall));
  for (const answer of answers) answer.destroy();
});
