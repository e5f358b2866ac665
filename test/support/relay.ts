import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** The fate of a chunk. After `stall`, only the end of its connection is forwarded; a buffer replaces the chunk. */
export type Fate = "pass" | "stall" | "cut" | Buffer;

/** A TCP proxy, so that a test can lose, stall or slow down connections at a certain moment. */
export interface Relay {
  readonly port: number;
  /** Decides on each chunk, in order. */
  fate: (from: "near" | "far", chunk: Buffer) => Fate;
  /** How long each chunk is held up, in milliseconds. */
  delayMs: number;
  /** From now on, only the end of the open connections is forwarded. */
  stall(): void;
  /** Breaks the open connections. */
  cut(): void;
  /** The number of connections so far. */
  readonly made: number;
  close(): Promise<void>;
}

/** @param dial connects to the far side, once for each connection from the near side */
export async function openRelay(dial: () => Socket): Promise<Relay> {
  const open = new Set<Socket>();
  const stalled = new WeakSet<Socket>();
  const keep = (socket: Socket): Socket => {
    open.add(socket);
    socket.on("error", () => {});
    return socket.once("close", () => open.delete(socket));
  };
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  let made = 0;
  const listener = createServer((near) => {
    made += 1;
    const far = dial();
    const sides = [
      ["near", near, far],
      ["far", far, near],
    ] as const;
    for (const [from, source, target] of sides) {
      keep(source);
      const pass = (chunk: Buffer): void => {
        if (stalled.has(source)) return;
        const fate = relay.fate(from, chunk);
        if (fate === "pass") target.write(chunk);
        else if (fate === "cut") for (const { 1: side } of sides) side.destroy();
        else if (fate === "stall") for (const { 1: side } of sides) stalled.add(side);
        else target.write(fate);
      };
      source.on("data", (chunk: Buffer) => {
        if (relay.delayMs === 0) return pass(chunk);
        // The next chunks wait, so that none overtakes it.
        source.pause();
        setTimeout(() => {
          pass(chunk);
          source.resume();
        }, relay.delayMs);
      });
      source.on("close", () => target.destroy());
    }
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const relay: Relay = {
    port: (listener.address() as AddressInfo).port,
    fate: () => "pass",
    delayMs: 0,
    cut,
    get made() {
      return made;
    },
    stall() {
      for (const socket of open) stalled.add(socket);
    },
    async close() {
      const closed = new Promise((done) => listener.close(done));
      cut();
      await closed;
    },
  };
  return relay;
}
