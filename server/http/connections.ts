import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The maximum number of requests of a connection that wait for earlier answers. With more, reading pauses. */
const mostWaiting = 100;

/** The requests of a connection, in order. */
interface Line {
  /** The answer to the latest request; undefined after it was closed. */
  latest: ServerResponse | undefined;
  /** The answer to the request before the latest one; undefined after it was closed. */
  previous: ServerResponse | undefined;
  /** The number of requests that wait for earlier answers. */
  waiting: number;
  isPausing: boolean;
  /** True after malformed bytes arrived. Later bytes are not parsed as requests. */
  isBroken: boolean;
}

/**
 * The connections of a server and their unsent answers. This class, not Node.js, decides which connections are idle.
 * For Node.js, a connection is idle as soon as the answer to its first request was written, even if the answer is not
 * sent yet or other requests wait. For Node.js, a connection that has sent no request is not idle.
 *
 * A connection may stay open for hours, so its state keeps no reference to answered requests. There is also no map of
 * answers: with a map that changes at each answer, all requests would stay in memory until the next full garbage
 * collection.
 */
export class Connections {
  private readonly lines = new WeakMap<Socket, Line>();
  /** The number of answers that were written but are not sent yet. */
  private unsent = 0;
  /** The connections that have sent no request yet. */
  private readonly silent = new Set<Socket>();

  /** Prevents the server from closing connections as idle while an answer is unsent. */
  constructor(server: Server) {
    server.on("connection", (socket: Socket) => {
      this.silent.add(socket);
      socket.once("close", () => this.silent.delete(socket));
    });
    server.closeIdleConnections = () => {
      // `close` first calls this while the server is still listening. The latest bytes may not be read yet.
      if (!server.listening) this.closeSilent();
      if (this.unsent === 0) Server.prototype.closeIdleConnections.call(server);
    };
  }

  /**
   * Runs the requests of a connection one after the other. Otherwise, a client that sends many requests and reads no
   * answers could fill the memory. If the connection ends before a request begins, the request is neither run nor
   * reported.
   * @param begin runs the request
   */
  inOrder({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const line = this.lineOf(socket);
    line.previous = line.latest;
    line.latest = response;
    forgetClosed(line, response);
    const before = unfinished(line.previous);
    if (before === undefined) begin();
    else waitFor(before, socket, line, response, begin);
  }

  /** True when no later request has arrived on the connection. The connection may then close after this answer. */
  isLast({ socket }: IncomingMessage, response: ServerResponse): boolean {
    return this.lines.get(socket)?.latest === response;
  }

  /** Counts an answer as unsent until it is sent. Call it before the answer is written. */
  count(response: ServerResponse): void {
    this.unsent += 1;
    response.once("close", () => {
      this.unsent -= 1;
    });
  }

  /** Replies to malformed bytes after all earlier answers, so that no client takes the reply for one of them. */
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
    // After the last answer, the connection is no longer writable, even before it is closed.
    const canBeWhole = response.req.complete || !line.isBroken;
    if (socket.writable && canBeWhole) begin();
  });
}

/** Pauses reading in a later turn, because Node.js resumes reading after each request that it has parsed. */
function pauseSoon(socket: Socket, line: Line): void {
  if (line.isPausing) return;
  line.isPausing = true;
  setImmediate(() => {
    line.isPausing = false;
    if (line.waiting >= mostWaiting) socket.pause();
  });
}
