import type { AddressInfo } from "node:net";
import net from "node:net";
import { developmentToken } from "../../../server/seed/development-account";
import { useTestServer } from "../../support/world";

const world = useTestServer();

/** Sends a body that is too large, and reads the answer only when all of it was written, as many clients do. */
function sendLarge(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const size = 6 * 1024 * 1024;
    const socket = net.connect(port, "127.0.0.1");
    socket.on("error", reject);
    socket.pause();
    const head = [
      "POST /v10/projects?slug=acme HTTP/1.1",
      "host: localhost",
      `authorization: Bearer ${developmentToken}`,
      "content-type: application/json",
      `content-length: ${size}`,
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
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
