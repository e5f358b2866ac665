import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

export interface RecordedRequest {
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
  /** The content type of a changed answer. Default: that of the server's answer. */
  type?: string;
}

export interface RecordingProxy {
  readonly url: string;
  /** The requests so far, in order. */
  readonly requests: readonly RecordedRequest[];
  /** Called before a request is forwarded. An answer replaces the server's, and the request is not forwarded. */
  before: (recorded: RecordedRequest) => Promise<Reply | undefined> | Reply | undefined;
  /** Called when the server has answered, before the answer is forwarded. */
  after: (recorded: RecordedRequest) => Promise<void> | void;
  /** Changes the server's answer before it is forwarded. */
  change: (recorded: RecordedRequest, answer: Reply) => Reply;
  /** Called when the answer was forwarded. */
  answered: (recorded: RecordedRequest) => void;
  /** Waits until no request is under way. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a proxy before a server that records every request, so that a test can act at a certain one.
 * @param tls key and certificate, for https
 */
export async function openRecordingProxy(
  target: string,
  tls?: { key: string; cert: string },
): Promise<RecordingProxy> {
  const agent = new Agent({ keepAlive: true });
  const pending = new Set<Promise<void>>();
  const requests: RecordedRequest[] = [];

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const recorded: RecordedRequest = {
      number: requests.length + 1,
      method: incoming.method ?? "",
      path: incoming.url ?? "",
      body: "",
    };
    requests.push(recorded);
    recorded.body = await textOf(incoming);
    const replacement = await proxy.before(recorded);
    if (replacement) {
      outgoing.writeHead(replacement.status, { "content-type": "application/json" }).end(replacement.body);
      return;
    }
    const forwarded = request(target + recorded.path, {
      method: recorded.method,
      headers: { ...incoming.headers, host: new URL(target).host },
      agent,
    });
    forwarded.end(recorded.body);
    const [answer] = (await once(forwarded, "response")) as [IncomingMessage];
    const body = await textOf(answer);
    await proxy.after(recorded);
    const { "content-type": type = "application/json" } = answer.headers;
    const changed = proxy.change(recorded, { status: answer.statusCode ?? 500, body });
    outgoing.writeHead(changed.status, { "content-type": changed.type ?? type });
    outgoing.end(changed.body, () => proxy.answered(recorded));
  }

  const listen = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    // The client may be gone by now.
    const done = pass(incoming, outgoing).catch(() => void outgoing.destroy());
    pending.add(done);
    done.then(() => pending.delete(done));
  };
  const server = tls ? createTlsServer(tls, listen) : createServer(listen);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const proxy: RecordingProxy = {
    url: `${tls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    before: () => undefined,
    after: () => {},
    change: (_recorded, answer) => answer,
    answered: () => {},
    idle: async () => void (await Promise.all(pending)),
    async close() {
      server.closeAllConnections();
      agent.destroy();
      await new Promise((done) => server.close(done));
    },
  };
  return proxy;
}

async function textOf(message: IncomingMessage): Promise<string> {
  let text = "";
  message.setEncoding("utf8");
  for await (const chunk of message) text += chunk;
  return text;
}
