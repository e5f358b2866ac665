import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { readChunks, tooLarge } from "./context";

/** A file that a request uploaded, of which only digest and size are known. */
export interface Upload {
  /** SHA-1 of the contents, in hex. */
  sha: string;
  size: number;
  /** Digest and size according to the headers of the request. */
  claimed: { sha: string | undefined; size: string | undefined };
}

/**
 * Reads a file chunk by chunk, so that its size does not matter to memory.
 * @param limit the largest file, in bytes
 * @throws Refusal 400 when the connection closes before the end, 413 when the file is too large
 */
export async function readUpload(request: IncomingMessage, limit: number): Promise<Upload> {
  if (Number(request.headers["content-length"] ?? 0) > limit) throw tooLarge(limit);
  const hash = createHash("sha1");
  const size = await readChunks(request, limit, (chunk) => hash.update(chunk));
  const header = (name: string): string | undefined => request.headers[name]?.toString();
  return {
    sha: hash.digest("hex"),
    size,
    claimed: {
      sha: header("x-vercel-digest") ?? header("x-now-digest"),
      size: header("x-vercel-size") ?? header("x-now-size"),
    },
  };
}
