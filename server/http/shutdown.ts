import { randomUUID } from "node:crypto";
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { Refusal } from "../platform/refusal";

/** What happens to connections apart from requests that are routed. Answers have the API's error form here too. */

/**
 * Answers what the parser does not take for a request. It is not logged: the error holds the bytes that came,
 * and with them a token perhaps.
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
      return new Refusal(408, "bad_request", "The request did not come to its end in time.");
    case "HPE_HEADER_OVERFLOW":
      return new Refusal(431, "bad_request", "The headers are larger than this server takes.");
    default:
      return new Refusal(400, "bad_request", "This is not a valid HTTP request.");
  }
}

/** @returns whether the server has begun to close */
export function closingOf(app: FastifyInstance): () => boolean {
  let closing = false;
  app.addHook("preClose", async () => {
    closing = true;
  });
  return () => closing;
}

/** Once the server closes, requests that still come on open connections are refused, before they take effect. */
export function refuseOnceClosing(app: FastifyInstance): void {
  const isClosing = closingOf(app);
  app.addHook("onRequest", (request, _reply, done) => {
    done(isClosing() && !isAboutHealth(request.raw) ? closed() : undefined);
  });
}

const isAboutHealth = ({ url = "" }: IncomingMessage): boolean => /^\/_(health|ready)(?=\?|$)/.test(url);

const closed = (): Refusal =>
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
