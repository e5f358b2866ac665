import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** As many requests may wait on a connection for the answers before theirs; then no more of them are read. */
const mostWaiting = 100;

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
    if (this.wait(socket, 1) >= mostWaiting) this.pauseSoon(socket);
    before.once("close", () => {
      if (this.wait(socket, -1) < mostWaiting) socket.resume();
      if (!socket.destroyed) begin();
    });
  }

  /** Not at once: after each request that it has parsed, Node.js goes on reading. */
  private pauseSoon(socket: Socket): void {
    if (this.pausing.has(socket)) return;
    this.pausing.add(socket);
    setImmediate(() => {
      this.pausing.delete(socket);
      if ((this.waiting.get(socket) ?? 0) >= mostWaiting) socket.pause();
    });
  }

  private wait(socket: Socket, more: 1 | -1): number {
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
