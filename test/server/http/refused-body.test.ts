import type { AddressInfo } from "node:net";
import net from "node:net";
import { developmentToken } from "../../../server/seed/development-account";
import { useTestServer } from "../../support/world";

const world = useTestServer();

/** The head of a request with a body of this size, in bytes. */
const headOf = (size: number): string =>
  [
    "POST /v10/projects?slug=acme HTTP/1.1",
    "host: localhost",
    `authorization: Bearer ${developmentToken}`,
    "content-type: application/json",
    `content-length: ${size}`,
    "\r\n",
  ].join("\r\n");

/** Sends a body that is too large, and reads the answer only when all of it was written, as many clients do. */
function sendLarge(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const size = 6 * 1024 * 1024;
    const socket = net.connect(port, "127.0.0.1");
    socket.on("error", reject);
    socket.pause();
    socket.write(headOf(size));
    socket.write(Buffer.alloc(size, "a"), () => {
      let answer = "";
      socket.on("data", (chunk) => {
        answer += chunk;
      });
      socket.on("end", () => resolve(answer));
      socket.resume();
    });
  });
}

it("the refusal of a body that is too large reaches a client that is still sending", async () => {
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = world.app.server.address() as AddressInfo;
  for (let at = 0; at < 5; at++) expect(await sendLarge(port)).toMatch(/^HTTP\/1.1 413 /);
}, 20_000);

it("the rest of a body that is too large is not read without a bound", async () => {
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = world.app.server.address() as AddressInfo;
  const size = 256 * 1024 * 1024;
  const chunk = Buffer.alloc(1024 * 1024, "a");
  const socket = net.connect(port, "127.0.0.1");
  // The server closes the connection while the client is still sending.
  socket.on("error", () => {});
  socket.resume();
  socket.write(headOf(size));
  let sent = 0;
  const send = (): void => {
    while (sent < size && !socket.destroyed) {
      sent += chunk.length;
      if (!socket.write(chunk)) return;
    }
  };
  socket.on("drain", send);
  send();
  await new Promise<void>((closed) => socket.once("close", () => closed()));
  expect(sent).toBeLessThan(size);
});
