import { randomUUID } from "node:crypto";
import { type IncomingMessage, Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { Refusal } from "../platform/refusal";

/** The turns of requests on a connection, its end, and answers to what is not HTTP, in the API's form too. */

/** As many requests may wait on a connection for the answers before theirs; then no more of them are read. */
const mostWaiting = 100;
/** How long requests under way may take once the server closes, in milliseconds. */
const drainMs = 10_000;

/** Stops listening and finishes the requests under way. Idle connections are closed at once. */
export async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    // The only error is that the server is not listening.
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const forceTimer = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearInterval(idle);
  clearTimeout(forceTimer);
}

/**
 * The answers of a server that are on their way. To Node.js a connection is idle once the answer to its first request
 * has been written, though it may not be sent yet, and others may be in line behind it.
 */
export class Answers {
  private readonly latest = new WeakMap<Socket, ServerResponse>();
  private readonly unsent = new Map<ServerResponse, Socket>();
  private readonly waiting = new WeakMap<Socket, number>();
  private readonly pausing = new WeakSet<Socket>();

  /** Has the server close no connection as idle while an answer is on its way. */
  constructor(server: Server) {
    server.closeIdleConnections = () => {
      for (const [response, socket] of this.unsent) if (socket.destroyed) this.unsent.delete(response);
      if (this.unsent.size === 0) Server.prototype.closeIdleConnections.call(server);
    };
  }

  /**
   * Requests of one connection are carried out one after the other: a client that sends many and reads no answer would
   * have the server hold all of them.
   * @param begin carries out the request
   */
  inTurn({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const before = this.latest.get(socket);
    this.latest.set(socket, response);
    if (before === undefined || before.writableFinished || before.destroyed) {
      begin();
      return;
    }
    this.wait(socket, 1);
    this.pauseSoon(socket);
    before.once("close", () => {
      if (this.wait(socket, -1) < mostWaiting) socket.resume();
      if (!socket.destroyed) begin();
    });
  }

  /** Not at once: after each request that it has parsed, Node.js goes on reading. */
  private pauseSoon(socket: Socket): void {
    if (this.wait(socket, 0) < mostWaiting || this.pausing.has(socket)) return;
    this.pausing.add(socket);
    setImmediate(() => {
      this.pausing.delete(socket);
      if (this.wait(socket, 0) >= mostWaiting) socket.pause();
    });
  }

  private wait(socket: Socket, more: 1 | 0 | -1): number {
    const count = (this.waiting.get(socket) ?? 0) + more;
    this.waiting.set(socket, count);
    return count;
  }

  /** Whether no further request has come on the connection, so that it may be closed after this answer. */
  isLast({ socket }: IncomingMessage, response: ServerResponse): boolean {
    return this.latest.get(socket) === response;
  }

  write({ socket }: IncomingMessage, response: ServerResponse): void {
    this.unsent.set(response, socket);
    response.once("close", () => this.unsent.delete(response));
  }
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
 * Replies to malformed HTTP. The error is not logged, since it holds the bytes of the request and perhaps a token.
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
