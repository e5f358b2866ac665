import { randomUUID } from "node:crypto";
import { type Server, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { Refusal } from "../platform/refusal";

/** Closes connections, and answers malformed HTTP with an error in the API's format. */

/** The time limit for requests in progress when the server closes, in milliseconds. */
const drainMs = 10_000;

/** Stops listening, closes idle connections and finishes the requests in progress. */
export async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    // `close` fails only if the server is not listening.
    server.close(() => resolve());
  });
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const forceTimer = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearInterval(idle);
  clearTimeout(forceTimer);
}

export const isAboutHealth = (path: string): boolean => /^\/_(health|ready)$/.test(path);

export const closedToRequests = (): Refusal =>
  new Refusal(
    503,
    "service_unavailable",
    "The server is closing. Send the request again.",
    {},
    {},
    {
      "retry-after": "1",
    },
  );

/**
 * Replies to malformed HTTP. The error is not logged, because it contains the bytes of the request and perhaps a token.
 */
export function answerClientError({ code }: NodeJS.ErrnoException, socket: Socket): void {
  if (code === "ECONNRESET" || socket.destroyed) return;
  const { status, body } = refusalOf(code);
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `x-request-id: ${randomUUID()}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(text)}`,
    "connection: close",
  ];
  if (socket.writable) socket.end(`${head.join("\r\n")}\r\n\r\n${text}`, () => socket.destroy());
  else socket.destroy();
}

function refusalOf(code: string | undefined): Refusal {
  switch (code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new Refusal(408, "bad_request", "The request took too long to arrive. Send it again.");
    case "HPE_HEADER_OVERFLOW":
      return new Refusal(431, "bad_request", "The headers are too large.");
    default:
      return new Refusal(400, "bad_request", "This is not a valid HTTP request.");
  }
}
