import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServerOptions } from "../../../server/options";
import { systemClock } from "../../../server/platform/clock";
import { developmentToken } from "../../../server/seed/development-account";
import { until } from "../../support/until";
import { TestServer, useTestServer } from "../../support/world";

const day = 86_400_000;
const sha = (content: string | Buffer): string => createHash("sha1").update(content).digest("hex");

const upload = (server: TestServer, text: string, digest = sha(text)) =>
  server.call("POST", "/v2/files", {
    body: text,
    headers: { "content-type": "application/octet-stream", "x-vercel-digest": digest },
  });
const deploy = (server: TestServer, ...texts: string[]) =>
  server.call("POST", "/v13/deployments", {
    body: {
      name: "web",
      files: texts.map((text) => ({ file: text, sha: sha(text), size: text.length })),
      projectSettings: {},
    },
  });

describe("with a data folder", () => {
  let data: string;
  let server: TestServer;
  const open = async (options: Partial<ServerOptions> = {}): Promise<void> => {
    server = new TestServer();
    await server.open(data, options);
  };
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), "slipway-contents-"));
  });
  afterEach(async () => {
    await server.close();
    rmSync(data, { recursive: true });
  });

  const fileOf = (digest: string): string => join(data, "files", digest.slice(0, 2), digest);
  /** Every file below the folder of contents. */
  const stored = (): string[] =>
    (existsSync(join(data, "files"))
      ? readdirSync(join(data, "files"), { recursive: true, withFileTypes: true })
      : []
    )
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort();

  it("keeps the contents of a file by their digest, once", async () => {
    await open();
    expect((await upload(server, "one")).status).toBe(200);
    expect((await upload(server, "one")).status).toBe(200);
    expect((await upload(server, "two", sha("two").toUpperCase())).status).toBe(200);
    expect(stored()).toEqual([sha("one"), sha("two")].sort());
    expect(readFileSync(fileOf(sha("one")), "utf8")).toBe("one");
  });

  it("returns the contents of a file of a deployment, in base64", async () => {
    await open();
    await upload(server, "one");
    await upload(server, "other");
    const { id } = (await deploy(server, "one")).body;
    const read = async (fileId: string, query: Record<string, string> = {}, token?: string) => {
      const path = `/v8/deployments/${id}/files/${fileId}`;
      const { status, body } = await server.call("GET", path, { query, ...(token && { token }) });
      return [status, body.error?.code ?? body];
    };
    const [{ uid }] = (await server.call("GET", `/v6/deployments/${id}/files`)).body;
    expect(await read(uid)).toEqual([200, { data: Buffer.from("one").toString("base64") }]);
    // The file of another deployment, and of another account.
    expect(await read(sha("other"))).toEqual([404, "not_found"]);
    expect(await read(uid, { teamId: "", slug: "" }, await server.user("ada"))).toEqual([404, "not_found"]);
    expect(await read(uid, { path: "one" })).toEqual([400, "bad_request"]);
    rmSync(fileOf(sha("one")));
    expect(await read(uid)).toEqual([404, "not_found"]);
  });

  it("returns no contents of a file above 16 MiB", async () => {
    await open();
    const large = "x".repeat(16 * 1024 * 1024 + 1);
    await upload(server, large);
    const files = [{ file: "large", sha: sha(large), size: large.length }];
    const { id } = (
      await server.call("POST", "/v13/deployments", { body: { name: "web", files, projectSettings: {} } })
    ).body;
    expect((await server.call("GET", `/v8/deployments/${id}/files/${sha(large)}`)).status).toBe(400);
  });

  it("keeps a file once that two requests bring at the same time", async () => {
    await open({ filesLimit: 8 });
    const answers = await Promise.all([upload(server, "four"), upload(server, "four")]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await upload(server, "and4")).status).toBe(200);
    expect(stored()).toHaveLength(2);
  });

  it("keeps nothing of a file with another digest", async () => {
    await open({ filesLimit: 5 });
    expect((await upload(server, "wrong", sha("right"))).status).toBe(400);
    expect(stored()).toEqual([]);
    expect((await upload(server, "right")).status).toBe(200);
  });

  it("keeps contents over a restart, and removes what a killed server had not completed", async () => {
    await open();
    await upload(server, "one");
    await server.close();
    writeFileSync(join(data, "files/incoming/half"), "hal");
    await open();
    expect((await deploy(server, "one")).status).toBe(200);
    expect(stored()).toEqual([sha("one")]);
  });

  it.each([
    ["were removed", (file: string) => rmSync(file)],
    ["were cut short", (file: string) => truncateSync(file, 1)],
  ])("asks for contents again that %s", async (_, damage) => {
    await open();
    await upload(server, "one");
    await server.close();
    damage(fileOf(sha("one")));
    await open();
    expect((await deploy(server, "one")).body.error).toMatchObject({
      code: "missing_files",
      missing: [sha("one")],
    });
  });

  it("refuses a file that the limit leaves no room for, and takes what it has already", async () => {
    await open({ filesLimit: 6 });
    await upload(server, "first");
    const { status, body, headers } = await upload(server, "second");
    expect([status, body.error.code, headers.connection]).toEqual([413, "files_limit_exceeded", "close"]);
    expect(body.error.message).toMatch(/more than 6 bytes.*--files-limit/);
    expect((await upload(server, "first")).status).toBe(200);
    expect(stored()).toEqual([sha("first")]);
    expect((await upload(server, "2")).status).toBe(200);
  });

  it("keeps nothing when the limit is 0", async () => {
    await open({ filesLimit: 0 });
    expect((await upload(server, "one")).status).toBe(200);
    expect((await deploy(server, "one")).status).toBe(200);
    expect(existsSync(join(data, "files"))).toBe(false);
  });

  it("keeps the contents of files that the body of a deployment has, as far as the limit permits", async () => {
    await open({ filesLimit: 8 });
    const files = [
      { file: "one.txt", data: "one" },
      { file: "again.txt", data: Buffer.from("one").toString("base64"), encoding: "base64" },
      { file: "empty.txt", data: "" },
      { file: "large.txt", data: "too large" },
      { file: "last.txt", data: "last" },
      { file: "folder", mode: 0o040755 },
    ];
    const body = { name: "web", files, projectSettings: {} };
    for (const _ of [1, 2])
      expect((await server.call("POST", "/v13/deployments", { body })).status).toBe(200);
    expect(stored()).toEqual([sha("one"), sha(""), sha("last")].sort());
    // They count as uploaded.
    expect((await deploy(server, "one")).status).toBe(200);
    await server.advance(31 * day);
    await until("they are removed", () => stored().length === 0 || undefined);
  });

  it("removes contents with their record, 30 days after the last upload", async () => {
    await open();
    await upload(server, "one");
    await server.advance(20 * day);
    await upload(server, "one");
    await upload(server, "two");
    await server.advance(20 * day);
    expect(stored()).toHaveLength(2);
    await upload(server, "two");
    await server.advance(10 * day);
    await until("one is removed", () => stored().length === 1 || undefined);
    expect(stored()).toEqual([sha("two")]);
    await upload(server, "one");
    expect((await deploy(server, "one", "two")).status).toBe(200);
  });

  it("removes contents without a record that it finds after a restart", async () => {
    await open();
    await upload(server, "one");
    await server.close();
    rmSync(join(data, "slipway.db"));
    const old = new Date(Date.now() - 2 * day);
    utimesSync(fileOf(sha("one")), old, old);
    await open({ clock: systemClock() });
    expect(stored()).toHaveLength(1);
    await server.advance(60_000);
    await until("it is removed", () => stored().length === 0 || undefined);
  });

  it("makes room by what it removes", async () => {
    await open({ filesLimit: 5 });
    await upload(server, "first");
    expect((await upload(server, "other")).status).toBe(413);
    await server.advance(31 * day);
    await until("it is removed", () => stored().length === 0 || undefined);
    expect((await upload(server, "other")).status).toBe(200);
  });

  it("says that nothing was changed when a file cannot be written, and takes it later", async () => {
    await open({ filesLimit: 5 });
    await upload(server, "1");
    const incoming = join(data, "files/incoming");
    rmSync(incoming, { recursive: true });
    writeFileSync(incoming, "");
    const { status, body } = await upload(server, "four");
    expect([status, body.error.code]).toEqual([503, "service_unavailable"]);
    rmSync(incoming);
    expect((await upload(server, "four")).status).toBe(200);
    expect(stored()).toHaveLength(2);
  });

  it("writes a large file while it arrives, and leaves nothing of one that is cut off", async () => {
    await open();
    await server.app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = server.app.server.address() as AddressInfo;
    const large = randomBytes(3_000_000);
    const send = async (bytes: Buffer): Promise<void> => {
      const socket = connect(port, "127.0.0.1");
      socket.write(
        `POST /v2/files?slug=acme HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${developmentToken}\r\n` +
          `x-vercel-digest: ${sha(large)}\r\ncontent-length: ${large.length}\r\nconnection: close\r\n\r\n`,
      );
      socket.write(bytes);
      if (bytes.length < large.length) {
        await until("its beginning is written", () => stored().length > 0 || undefined);
        socket.destroy();
      }
      socket.resume();
      await once(socket, "close");
    };
    await send(large.subarray(0, 1_000_000));
    await until("its beginning is removed", () => stored().length === 0 || undefined);
    await send(large);
    expect(readFileSync(fileOf(sha(large))).equals(large)).toBe(true);
    expect(stored()).toHaveLength(1);
    // A deployment that names another size is refused.
    const files = [{ file: "large", sha: sha(large), size: large.length }];
    const body = { name: "web", files, projectSettings: {} };
    expect((await server.call("POST", "/v13/deployments", { body })).status).toBe(200);
  });
});

describe("in memory and in a database", () => {
  const world = useTestServer();

  it("counts files only", async () => {
    expect(world.services.contents).toBeUndefined();
    await upload(world, "one");
    const { status, body } = await deploy(world, "one");
    expect(status).toBe(200);
    const answer = await world.call("GET", `/v8/deployments/${body.id}/files/${sha("one")}`);
    expect([answer.status, answer.body.error.message]).toEqual([404, expect.stringContaining("data folder")]);
  });
});
