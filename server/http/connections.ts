import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** As many requests may wait on a connection for the answers before theirs; then no more of them are read. */
const mostWaiting = 100;

/** The requests of a connection, one behind the other. */
interface Line {
  /** The answer to the request that came last; undefined once it is closed. */
  latest: ServerResponse | undefined;
  /** The answer to the request before that one; undefined once it is closed. */
  previous: ServerResponse | undefined;
  /** How many requests wait for the answers before theirs. */
  waiting: number;
  isPausing: boolean;
  /** Something came that is no request: nothing behind it is one. */
  isBroken: boolean;
}

/**
 * The connections of a server, with the answers that are on their way. To Node.js a connection is idle once the answer
 * to its first request has been written, though it may not be sent yet, and others may be in line behind it; and one
 * that has never sent anything is not.
 *
 * A connection may stay open for hours, so nothing that is kept for it leads to a request that was answered. Nor are
 * answers kept in a map, which changes with each of them: such a map has the garbage collector keep all requests until
 * it next goes through the whole heap.
 */
export class Connections {
  private readonly lines = new WeakMap<Socket, Line>();
  /** How many answers are on their way. */
  private unsent = 0;
  /** The connections that have sent no request yet. */
  private readonly silent = new Set<Socket>();

  /** Has the server close no connection as idle while an answer is on its way. */
  constructor(server: Server) {
    server.on("connection", (socket: Socket) => {
      this.silent.add(socket);
      socket.once("close", () => this.silent.delete(socket));
    });
    server.closeIdleConnections = () => {
      // `close` begins with this while it still listens: what was sent just before is not read yet.
      if (!server.listening) this.closeSilent();
      if (this.unsent === 0) Server.prototype.closeIdleConnections.call(server);
    };
  }

  /**
   * Requests of one connection are carried out one after the other: a client that sends many and reads no answer would
   * have the server hold all of them. One whose connection ends before its turn is not carried out, nor reported.
   * @param begin carries out the request
   */
  inTurn({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const line = this.lineOf(socket);
    line.previous = line.latest;
    line.latest = response;
    forgetClosed(line, response);
    const before = unfinished(line.previous);
    if (before === undefined) begin();
    else waitFor(before, socket, line, response, begin);
  }

  /** Whether no further request has come on the connection, so that it may be closed after this answer. */
  isLast({ socket }: IncomingMessage, response: ServerResponse): boolean {
    return this.lines.get(socket)?.latest === response;
  }

  /** Counts an answer that is about to be written, until it is sent. */
  count(response: ServerResponse): void {
    this.unsent += 1;
    response.once("close", () => {
      this.unsent -= 1;
    });
  }

  /**
   * Replies to what is no request, after the answers to the requests before it: a client would take the reply for the
   * answer to one of them.
   */
  afterAnswers(socket: Socket, reply: () => void): void {
    const line = this.lines.get(socket);
    const isPart = line?.latest?.req.complete === false;
    const before = unfinished(isPart ? line?.previous : line?.latest);
    if (line === undefined || before === undefined) {
      reply();
      return;
    }
    if (line.isBroken) return;
    line.isBroken = true;
    before.once("close", () => {
      if (socket.writable) reply();
    });
  }

  private closeSilent(): void {
    for (const socket of this.silent) if (socket.bytesRead === 0) socket.destroy();
  }

  private lineOf(socket: Socket): Line {
    let line = this.lines.get(socket);
    if (line === undefined) {
      this.silent.delete(socket);
      line = { latest: undefined, previous: undefined, waiting: 0, isPausing: false, isBroken: false };
      this.lines.set(socket, line);
    }
    return line;
  }
}

const unfinished = (response: ServerResponse | undefined): ServerResponse | undefined =>
  response?.writableFinished || response?.destroyed ? undefined : response;

function forgetClosed(line: Line, response: ServerResponse): void {
  response.once("close", () => {
    if (line.latest === response) line.latest = undefined;
    if (line.previous === response) line.previous = undefined;
  });
}

function waitFor(
  before: ServerResponse,
  socket: Socket,
  line: Line,
  response: ServerResponse,
  begin: () => void,
): void {
  line.waiting += 1;
  if (line.waiting >= mostWaiting) pauseSoon(socket, line);
  before.once("close", () => {
    line.waiting -= 1;
    if (line.waiting < mostWaiting) socket.resume();
    // After a last answer the connection takes no more of them, though it may not be closed yet.
    const canBeWhole = response.req.complete || !line.isBroken;
    if (socket.writable && canBeWhole) begin();
  });
}

/** Not at once: after each request that it has parsed, Node.js goes on reading. */
function pauseSoon(socket: Socket, line: Line): void {
  if (line.isPausing) return;
  line.isPausing = true;
  setImmediate(() => {
    line.isPausing = false;
    if (line.waiting >= mostWaiting) socket.pause();
  });
}
