import { readFileSync } from "node:fs";
import http from "node:http";

/** The yardstick: reads a request, answers the bytes of a file with the headers of the API, and does no work at all. */
const [file = "", status = "200", requestId = ""] = process.argv.slice(2);
const body = readFileSync(file);
const headers = {
  "x-request-id": requestId,
  "content-type": "application/json; charset=utf-8",
  "content-length": body.length,
};
const server = http.createServer((request, response) => {
  request.resume();
  request.on("end", () => response.writeHead(Number(status), headers).end(body));
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as { port: number };
  console.log(`bare is listening on http://127.0.0.1:${port}`);
});
