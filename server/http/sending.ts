import { createReadStream } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Pacer } from "../store/pacer";
import type { Answer } from "./reply";

/** Sends a stream. It does not wait for slow readers, because streams are short texts at intervals. */
export async function sendStream(response: ServerResponse, stream: AsyncIterable<string>): Promise<void> {
  for await (const text of stream) {
    if (response.destroyed) return;
    response.write(text);
  }
  response.end();
}

/** How much of the rest of a refused body is read, in bytes, and how long the next part is waited for, in milliseconds. */
const rest = { bytes: 16 * 1024 * 1024, ms: 2_000 };

/**
 * Sends an answer to a request whose body is not read, and closes the connection after the client has sent a bounded
 * part of the rest. Otherwise the system would reset the connection, and many clients would lose the answer.
 */
export function endAfterRest(
  request: IncomingMessage,
  response: ServerResponse,
  body: string | Buffer | undefined,
): void {
  let left = rest.bytes;
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, rest.ms);
  response.write(body ?? "");
  request.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) end();
    else timer.refresh();
  });
  request.once("end", end);
  request.once("close", end);
  request.resume();
}

export const isInPieces = (body: Answer["body"]): body is readonly Buffer[] => Array.isArray(body);

export function lengthOf(body: Answer["body"]): number {
  if (body === undefined) return 0;
  return isInPieces(body) ? body.reduce((sum, piece) => sum + piece.length, 0) : Buffer.byteLength(body);
}

/** Sends the pieces of a large body as fast as the client reads them. Between two pieces, the event loop can turn. */
export async function sendPieces(
  response: ServerResponse,
  pieces: Iterable<Buffer> | AsyncIterable<Buffer>,
  pacer: Pacer,
): Promise<void> {
  const closed = new Promise<void>((resolve) => response.once("close", resolve));
  for await (const piece of pieces) {
    if (response.destroyed) return;
    if (response.write(piece)) await pacer.pause();
    else await Promise.race([new Promise<void>((next) => response.once("drain", next)), closed]);
  }
  response.end();
}

/** Sends a file as fast as the client reads it. If the file cannot be read to its end, the connection closes. */
export async function sendFile(response: ServerResponse, file: string, pacer: Pacer): Promise<void> {
  try {
    await sendPieces(response, createReadStream(file), pacer);
  } catch {
    response.destroy();
  }
}
