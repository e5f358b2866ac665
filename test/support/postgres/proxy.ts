import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** What becomes of a chunk. After `stall`, only the end of its connection is forwarded; a buffer replaces the chunk. */
export type Fate = "pass" | "stall" | "cut" | Buffer;

/** A proxy between a server and its PostgreSQL, so that a test can lose a connection at a certain moment. */
export interface DatabaseProxy {
  /** The database's address through the proxy. */
  readonly url: string;
  /** Decides on each chunk, in order. */
  fate: (from: "server" | "database", chunk: Buffer) => Fate;
  /** From now on, only the end of the open connections is forwarded. */
  stall(): void;
  /** The number of connections so far. */
  readonly made: number;
  close(): Promise<void>;
}

/** @param address where PostgreSQL listens: a folder that holds its socket, as the host */
export async function openProxy(address: string): Promise<DatabaseProxy> {
  const open = new Set<Socket>();
  const stalled = new WeakSet<Socket>();
  const folder = decodeURIComponent(new URL(address).host);
  const keep = (socket: Socket): Socket => {
    open.add(socket);
    socket.on("error", () => {});
    return socket.once("close", () => open.delete(socket));
  };
  let made = 0;
  const listener = createServer((server) => {
    made += 1;
    const database = connect(`${folder}/.s.PGSQL.5432`);
    const sides = [
      ["server", server, database],
      ["database", database, server],
    ] as const;
    for (const [from, source, target] of sides) {
      keep(source);
      source.on("data", (chunk: Buffer) => {
        if (stalled.has(source)) return;
        const fate = proxy.fate(from, chunk);
        if (fate === "pass") target.write(chunk);
        else if (fate === "cut") for (const { 1: side } of sides) side.destroy();
        else if (fate === "stall") for (const { 1: side } of sides) stalled.add(side);
        else target.write(fate);
      });
      source.on("close", () => target.destroy());
    }
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const url = new URL(address);
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const proxy: DatabaseProxy = {
    url: url.href,
    fate: () => "pass",
    get made() {
      return made;
    },
    stall() {
      for (const socket of open) stalled.add(socket);
    },
    async close() {
      const closed = new Promise((done) => listener.close(done));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
  return proxy;
}
