import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

export interface Passing {
  /** Counts the requests from 1. */
  number: number;
  method: string;
  /** With its query. */
  path: string;
  body: string;
}

export interface Reply {
  status: number;
  body: string;
}

export interface Gate {
  readonly url: string;
  /** What has come through so far. */
  readonly passed: readonly Passing[];
  /** Called when a request has come; an answer stands in for the server's, and nothing reaches the server. */
  before: (passing: Passing) => Promise<Reply | undefined> | Reply | undefined;
  /** Called when the server has answered, before the answer goes on. */
  after: (passing: Passing) => Promise<void> | void;
  /** Called when the answer has gone on. */
  answered: (passing: Passing) => void;
  /** Waits until nothing is under way any more. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Stands before a server and sees every request, so that a test can do something at a certain one.
 * @param tls key and certificate, to be asked over https
 */
export async function openGate(target: string, tls?: { key: string; cert: string }): Promise<Gate> {
  const agent = new Agent({ keepAlive: true });
  const underWay = new Set<Promise<void>>();
  const passed: Passing[] = [];

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const passing: Passing = {
      number: passed.length + 1,
      method: incoming.method ?? "",
      path: incoming.url ?? "",
      body: "",
    };
    passed.push(passing);
    passing.body = await textOf(incoming);
    const instead = await gate.before(passing);
    if (instead) {
      outgoing.writeHead(instead.status, { "content-type": "application/json" }).end(instead.body);
      return;
    }
    const forwarded = request(target + passing.path, {
      method: passing.method,
      headers: { ...incoming.headers, host: new URL(target).host },
      agent,
    });
    forwarded.end(passing.body);
    const [answer] = (await once(forwarded, "response")) as [IncomingMessage];
    const body = await textOf(answer);
    await gate.after(passing);
    const { "content-type": type = "application/json" } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 500, { "content-type": type });
    outgoing.end(body, () => gate.answered(passing));
  }

  const listen = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    // Whoever asked may be gone by now.
    const done = pass(incoming, outgoing).catch(() => void outgoing.destroy());
    underWay.add(done);
    done.then(() => underWay.delete(done));
  };
  const server = tls ? createTlsServer(tls, listen) : createServer(listen);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const gate: Gate = {
    url: `${tls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    before: () => undefined,
    after: () => {},
    answered: () => {},
    idle: async () => void (await Promise.all(underWay)),
    async close() {
      server.closeAllConnections();
      agent.destroy();
      await new Promise((done) => server.close(done));
    },
  };
  return gate;
}

async function textOf(message: IncomingMessage): Promise<string> {
  let text = "";
  message.setEncoding("utf8");
  for await (const chunk of message) text += chunk;
  return text;
}
