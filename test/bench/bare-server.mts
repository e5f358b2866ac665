import { readFileSync } from "node:fs";
import http from "node:http";

/** Answers of the bare server to the requests of a method. */
export interface BareAnswer {
  status: number;
  body: string;
}

/**
 * The yardstick: reads a request, answers the bytes that a file has for its method, with the headers of the API, and
 * does no work at all.
 */
const [file = "", requestId = ""] = process.argv.slice(2);
const known: Record<string, BareAnswer> = JSON.parse(readFileSync(file, "utf8"));
const answers = new Map(
  Object.entries(known).map(([method, { status, body }]) => {
    const bytes = Buffer.from(body);
    const headers = {
      "x-request-id": requestId,
      "content-type": "application/json; charset=utf-8",
      "content-length": bytes.length,
    };
    return [method, { status, bytes, headers }];
  }),
);
const server = http.createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    const answer = answers.get(request.method ?? "");
    if (answer) response.writeHead(answer.status, answer.headers).end(answer.bytes);
    else response.writeHead(405, { "content-length": 0 }).end();
  });
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as { port: number };
  console.log(`bare is listening on http://127.0.0.1:${port}`);
});
