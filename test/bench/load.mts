import net from "node:net";

/** The result of one round of load. */
export interface Round {
  requests: number;
  /** Requests answered per second. */
  rate: number;
  /** Half of the answers came faster, in milliseconds. */
  median: number;
  /** 99 of 100 came faster. */
  p99: number;
  /** Answers by status. */
  statuses: Record<number, number>;
}

/**
 * Sends requests over plain sockets, one at a time on each connection, and counts the answers.
 * A client this small leaves the machine to the server that is measured.
 * @param next the bytes of the next request; undefined ends the round early
 */
export async function load(
  url: URL,
  {
    connections,
    durationMs,
    next,
  }: { connections: number; durationMs: number; next: () => string | undefined },
): Promise<Round> {
  const statuses: Record<number, number> = {};
  const times: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + durationMs;
  await Promise.all(
    Array.from({ length: connections }, () =>
      converse(url, endsAt, next, (status, ms) => {
        statuses[status] = (statuses[status] ?? 0) + 1;
        times.push(ms);
      }),
    ),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  times.sort((a, b) => a - b);
  return {
    requests: times.length,
    rate: times.length / seconds,
    median: times[times.length >> 1] ?? 0,
    p99: times[Math.floor(times.length * 0.99)] ?? 0,
    statuses,
  };
}

function converse(
  url: URL,
  endsAt: number,
  next: () => string | undefined,
  answered: (status: number, ms: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(url.port), url.hostname);
    let sentAt = 0;
    let buffer = Buffer.alloc(0);
    const send = (): void => {
      const bytes = performance.now() < endsAt ? next() : undefined;
      if (bytes === undefined) {
        socket.end();
        return;
      }
      sentAt = performance.now();
      socket.write(bytes);
    };
    socket.setNoDelay(true);
    socket.on("connect", send);
    socket.on("error", reject);
    socket.on("close", () => resolve());
    socket.on("data", (chunk) => {
      buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk]);
      const length = answerLength(buffer);
      if (length === undefined || buffer.length < length) return;
      answered(Number(buffer.toString("latin1", 9, 12)), performance.now() - sentAt);
      buffer = buffer.subarray(length);
      send();
    });
  });
}

/** Length of the first answer in a buffer; undefined while its head is not complete. */
function answerLength(buffer: Buffer): number | undefined {
  const end = buffer.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const head = buffer.toString("latin1", 0, end);
  const length = /content-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return end + 4 + Number(length);
  if (!/transfer-encoding: *chunked/i.test(head)) throw new Error(`an answer without a length:\n${head}`);
  const last = buffer.indexOf("\r\n0\r\n\r\n", end);
  return last < 0 ? undefined : last + 7;
}

export function request(method: string, path: string, token: string, body?: unknown): string {
  const text = body === undefined ? "" : JSON.stringify(body);
  const content = text
    ? `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`
    : "";
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n${content}\r\n${text}`;
}
