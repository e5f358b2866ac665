import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { until } from "./until";

/** A message as it arrived. */
export interface Arrival {
  path: string;
  headers: IncomingHttpHeaders;
  /** The very bytes. */
  raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says by its expectations what the message is
  body: any;
}

/** The reaction of a receiver to a message: a status, no answer at all, or a broken connection. */
export type Reaction = number | "hang" | "break";

/** Something that events are sent to, on a free port of the loopback address. */
export class Receiver {
  /** Everything that came, in order, whatever was answered. */
  readonly arrived: Arrival[] = [];
  /** The messages that it answered with 2xx. */
  readonly accepted: Arrival[] = [];
  /** Called with each message; 200 by default. */
  react: (message: Arrival) => Reaction = () => 200;
  /** How long it takes to answer. */
  delayMs = 0;
  /** Called with each message that is about to be accepted. */
  answering: (message: Arrival) => void = () => {};
  /** Called with each answer. */
  answered: () => void = () => {};
  private server: Server | undefined;
  private port = 0;

  async start(): Promise<this> {
    this.server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part) => parts.push(part));
      request.on("end", () => {
        const raw = Buffer.concat(parts).toString();
        const isJson = String(request.headers["content-type"]).startsWith("application/json");
        const { url: path = "", headers } = request;
        this.take({ path, headers, raw, body: isJson ? JSON.parse(raw) : undefined }, response);
      });
    });
    const { server } = this;
    await new Promise<void>((done) => server.listen(this.port, "127.0.0.1", done));
    this.port = (server.address() as AddressInfo).port;
    return this;
  }

  private take(message: Arrival, response: ServerResponse): void {
    this.arrived.push(message);
    const reaction = this.react(message);
    if (reaction === "hang") return;
    if (reaction === "break") return void response.destroy();
    setTimeout(() => {
      if (reaction >= 200 && reaction < 300) {
        this.accepted.push(message);
        this.answering(message);
      }
      this.answered();
      response.writeHead(reaction, { location: `${this.url}/elsewhere` }).end("thanks");
    }, this.delayMs);
  }

  /** Drops what came so far. */
  forget(): void {
    this.arrived.length = 0;
    this.accepted.length = 0;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  /** Goes away; `start` brings it back under the same address. */
  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server) return;
    const closed = new Promise((done) => server.close(done));
    server.closeAllConnections();
    await closed;
  }

  /** Waits until so many messages came. */
  waitFor(count: number): Promise<Arrival[]> {
    return until(`${count} messages came`, () => (this.arrived.length >= count ? this.arrived : undefined));
  }

  /** Waits until so many messages were accepted. */
  waitForAccepted(count: number): Promise<Arrival[]> {
    return until(`${count} messages were accepted`, () =>
      this.accepted.length >= count ? this.accepted : undefined,
    );
  }
}

/** Gives each test of a file receivers, and ends them after it. */
export function useReceivers(): () => Promise<Receiver> {
  let receivers: Receiver[] = [];
  afterEach(async () => {
    for (const receiver of receivers) await receiver.stop();
    receivers = [];
  });
  return async () => {
    const receiver = await new Receiver().start();
    receivers.push(receiver);
    return receiver;
  };
}

/** The signature of a message with a secret, computed again. */
export const signed = (raw: string, secret: string): string =>
  createHmac("sha1", secret).update(raw, "utf8").digest("hex");
