import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** As many requests may wait on a connection for the answers before theirs; then no more of them are read. */
const mostWaiting = 100;

/** A connection that a request has come on. */
interface Connection {
  /** The answer to the request that came last. */
  latest: ServerResponse;
  /** How many requests wait for the answers before theirs. */
  waiting: number;
  /** How many answers are on their way. */
  unsent: number;
  isPausing: boolean;
}

/**
 * The connections of a server, with the answers that are on their way. To Node.js a connection is idle once the answer
 * to its first request has been written, though it may not be sent yet, and others may be in line behind it.
 *
 * They are kept by connection: a map of answers, which changes with each of them, has the garbage collector keep all
 * requests until it next goes through the whole heap.
 */
export class Connections {
  private readonly open = new Map<Socket, Connection>();

  /** Has the server close no connection as idle while an answer is on its way. */
  constructor(server: Server) {
    server.closeIdleConnections = () => {
      for (const [socket, { unsent }] of this.open) if (unsent > 0 && !socket.destroyed) return;
      Server.prototype.closeIdleConnections.call(server);
    };
  }

  /**
   * Requests of one connection are carried out one after the other: a client that sends many and reads no answer would
   * have the server hold all of them.
   * @param begin carries out the request
   */
  inTurn({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const connection = this.open.get(socket);
    if (connection === undefined) {
      this.open.set(socket, { latest: response, waiting: 0, unsent: 0, isPausing: false });
      socket.once("close", () => this.open.delete(socket));
      begin();
      return;
    }
    const before = connection.latest;
    connection.latest = response;
    if (before.writableFinished || before.destroyed) {
      begin();
      return;
    }
    connection.waiting += 1;
    if (connection.waiting >= mostWaiting) pauseSoon(socket, connection);
    before.once("close", () => {
      connection.waiting -= 1;
      if (connection.waiting < mostWaiting) socket.resume();
      if (!socket.destroyed) begin();
    });
  }

  /** Whether no further request has come on the connection, so that it may be closed after this answer. */
  isLast({ socket }: IncomingMessage, response: ServerResponse): boolean {
    return this.open.get(socket)?.latest === response;
  }

  /** Counts an answer that is about to be written. */
  write({ socket }: IncomingMessage, response: ServerResponse): void {
    const connection = this.open.get(socket);
    if (connection === undefined) return;
    connection.unsent += 1;
    response.once("close", () => {
      connection.unsent -= 1;
    });
  }
}

/** Not at once: after each request that it has parsed, Node.js goes on reading. */
function pauseSoon(socket: Socket, connection: Connection): void {
  if (connection.isPausing) return;
  connection.isPausing = true;
  setImmediate(() => {
    connection.isPausing = false;
    if (connection.waiting >= mostWaiting) socket.pause();
  });
}
