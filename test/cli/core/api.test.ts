import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { askApi } from "../../../cli/core/api";

let servers: Server[] = [];
afterEach(() => {
  jest.restoreAllMocks();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers = [];
});

/** @returns the address of a server that answers in this way */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("a single request", () => {
  it("follows no redirect, since nobody else is to have the token", async () => {
    let asked = 0;
    const other = await serve((_, response) => {
      asked += 1;
      response.end("{}");
    });
    const apiUrl = await serve((_, response) => response.writeHead(302, { location: other }).end());
    expect(await askApi({ apiUrl, token: "canary" }, "/v2/user")).toMatchObject({ status: 302, body: {} });
    expect(asked).toBe(0);
  });

  it("ends without an answer in time", async () => {
    const limit = new AbortController();
    const timeout = jest.spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal);
    const apiUrl = await serve((_, response) => {
      limit.abort(new Error("the time is up"));
      response.end("{}");
    });
    await expect(askApi({ apiUrl }, "/_health")).rejects.toThrow("the time is up");
    expect(timeout).toHaveBeenCalledTimes(1);
  });
});
