import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { until } from "./until";

/** A port of this machine that nothing listens on just now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await until("it listens", () => server.address() ?? undefined);
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
