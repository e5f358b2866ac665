import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The largest number of requests of a connection that wait for earlier answers. Above it, reading pauses. */
const mostWaiting = 100;

/** The requests of a connection, in order. */
interface Line {
  /** The answer to the request that came last; undefined once it is closed. */
  latest: ServerResponse | undefined;
  /** The answer to the request before that one; undefined once it is closed. */
  previous: ServerResponse | undefined;
  /** How many requests wait for the answers before theirs. */
  waiting: number;
  isPausing: boolean;
  /** Malformed bytes arrived: nothing after them is a request. */
  isBroken: boolean;
}

/**
 * The connections of a server and their unsent answers. For Node.js a connection is idle as soon as the answer to its
 * first request is written, even if it is not sent and other requests wait; a connection that has sent nothing is not
 * idle.
 *
 * A connection may stay open for hours, so its state refers to no answered request. Answers are not in a map either:
 * a map that changes with each answer makes the garbage collector keep all requests until its next full collection.
 */
export class Connections {
  private readonly lines = new WeakMap<Socket, Line>();
  /** The number of answers that are written and not sent. */
  private unsent = 0;
  /** The connections that have sent no request yet. */
  private readonly silent = new Set<Socket>();

  /** Keeps the server from closing connections as idle while an answer is unsent. */
  constructor(server: Server) {
    server.on("connection", (socket: Socket) => {
      this.silent.add(socket);
      socket.once("close", () => this.silent.delete(socket));
    });
    server.closeIdleConnections = () => {
      // `close` calls this first, while it still listens: the latest bytes are not read yet.
      if (!server.listening) this.closeSilent();
      if (this.unsent === 0) Server.prototype.closeIdleConnections.call(server);
    };
  }

  /**
   * Runs the requests of a connection one after the other: otherwise a client that sends many and reads no answer
   * would fill the memory. A request whose connection ends before it begins is neither run nor reported.
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

  /** True when no later request has arrived on the connection, so that it may close after this answer. */
  isLast({ socket }: IncomingMessage, response: ServerResponse): boolean {
    return this.lines.get(socket)?.latest === response;
  }

  /** Counts an answer from before it is written until it is sent. */
  count(response: ServerResponse): void {
    this.unsent += 1;
    response.once("close", () => {
      this.unsent -= 1;
    });
  }

  /** Replies to malformed bytes after all earlier answers, so that no client takes the reply for one of those. */
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
    // After its last answer the connection accepts no more, though it may not be closed yet.
    const canBeWhole = response.req.complete || !line.isBroken;
    if (socket.writable && canBeWhole) begin();
  });
}

/** Pauses later, since Node.js resumes reading after each request that it has parsed. */
function pauseSoon(socket: Socket, line: Line): void {
  if (line.isPausing) return;
  line.isPausing = true;
  setImmediate(() => {
    line.isPausing = false;
    if (line.waiting >= mostWaiting) socket.pause();
  });
}
