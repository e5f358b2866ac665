import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createSecureContext, TLSSocket } from "node:tls";
import type { Interval } from "./trace.mts";

/** A server before another one that counts requests, and adds time to each. */
export interface DelayingProxy {
  url: string;
  /** Milliseconds that are added to each request. */
  delayMs: number;
  /** The number of requests since the last call. */
  take(): number;
  /** When the requests since the last call were under way. */
  takeTimes(): Interval[];
  close(): Promise<void>;
}

/** The authority by which a client trusts the proxy when it asks for the API by its public name. */
export interface Authority {
  /** The file of its certificate. */
  file: string;
  key: Buffer;
  certificate: Buffer;
}

/** Makes the certificate of a name with OpenSSL. @returns undefined where there is no OpenSSL */
export function certify(name: string, folder: string): Authority | undefined {
  const [key, file, settings] = ["key.pem", "certificate.pem", "settings"].map((one) =>
    path.join(folder, one),
  ) as [string, string, string];
  writeFileSync(
    settings,
    `[req]\ndistinguished_name=n\nx509_extensions=e\nprompt=no\n[n]\nCN=${name}\n[e]\nsubjectAltName=DNS:${name}\nbasicConstraints=critical,CA:TRUE\n`,
  );
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  try {
    execFileSync(
      "openssl",
      ["req", "-x509", ...curve, "-days", "2", "-config", settings, "-keyout", key, "-out", file],
      { stdio: "ignore" },
    );
  } catch {
    return undefined;
  }
  return { file, key: readFileSync(key), certificate: readFileSync(file) };
}

/**
 * Starts the proxy. Clients with a fixed address use it as their HTTPS proxy: it answers in the place of the API.
 * @param authority for those
 */
export async function openDelayingProxy(
  target: URL,
  authority: Authority | undefined,
): Promise<DelayingProxy> {
  const agent = new Agent({ keepAlive: true });
  let count = 0;
  let times: Interval[] = [];

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    count += 1;
    const begin = Date.now() / 1000;
    outgoing.once("close", () => times.push({ begin, end: Date.now() / 1000 }));
    const body: Buffer[] = [];
    for await (const chunk of incoming) body.push(chunk as Buffer);
    if (proxy.delayMs > 0) await sleep(proxy.delayMs);
    const { method, headers } = incoming;
    const forwarded = request(new URL(incoming.url ?? "/", target), {
      ...(method !== undefined && { method }),
      headers: { ...headers, host: target.host },
      agent,
    });
    forwarded.end(Buffer.concat(body));
    const [answer] = (await once(forwarded, "response")) as [IncomingMessage];
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(outgoing);
  }

  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => void outgoing.destroy());
  });
  server.keepAliveTimeout = 60_000;
  const secureContext = authority && createSecureContext({ key: authority.key, cert: authority.certificate });
  server.on("connect", (_: IncomingMessage, socket: Socket) => {
    if (!secureContext) return void socket.destroy();
    socket.on("error", () => {});
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    const secure = new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: ["http/1.1"] });
    secure.on("error", () => {});
    server.emit("connection", secure);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const proxy: DelayingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    delayMs: 0,
    take() {
      const taken = count;
      count = 0;
      return taken;
    },
    takeTimes() {
      const taken = times;
      times = [];
      return taken;
    },
    async close() {
      server.closeAllConnections();
      agent.destroy();
      await new Promise((done) => server.close(done));
    },
  };
  return proxy;
}
