import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Refusal } from "../platform/refusal";
import { type Contents, ContentsFull } from "../store/contents";
import { readChunks, tooLarge } from "./context";

/** A file that a request uploaded. */
export interface Upload {
  /** SHA-1 of the contents, in hex. */
  sha: string;
  size: number;
  /** The digest and the size in the headers of the request. */
  claimed: { sha: string | undefined; size: string | undefined };
}

/**
 * Reads a file chunk by chunk, so that a large file does not fill the memory.
 * @param limit the maximum size of the file, in bytes
 * @param contents stores the file if its digest is the digest in the header; undefined to store no files
 * @throws Refusal 400 when the connection closes before the end, 413 when the file is too large or no room is left
 * @throws StoreError when the file cannot be written
 */
export async function readUpload(
  request: IncomingMessage,
  limit: number,
  contents: Contents | undefined,
): Promise<Upload> {
  if (Number(request.headers["content-length"] ?? 0) > limit) throw tooLarge(limit);
  const header = (name: string): string | undefined => request.headers[name]?.toString();
  const claimed = {
    sha: header("x-vercel-digest") ?? header("x-now-digest"),
    size: header("x-vercel-size") ?? header("x-now-size"),
  };
  const named = claimed.sha?.toLowerCase() ?? "";
  await contents?.load();
  const incoming = contents?.has(named) ? undefined : contents?.receive();
  const hash = createHash("sha1");
  try {
    const size = await readChunks(request, limit, (chunk) => {
      hash.update(chunk);
      return incoming?.add(chunk);
    });
    const sha = hash.digest("hex");
    if (sha === named) await incoming?.keep(sha);
    else await incoming?.discard();
    return { sha, size, claimed };
  } catch (error) {
    await incoming?.discard();
    throw contents && error instanceof ContentsFull ? storageFullRefusal(contents) : error;
  }
}

/** The refusal of a file that would exceed the limit of all files. @choice A status that no client retries. */
export const storageFull = [413, "files_limit_exceeded"] as const;

const storageFullRefusal = ({ folder, limit }: Contents): Refusal =>
  new Refusal(
    ...storageFull,
    `The uploaded files would take more than ${limit} bytes. Start the server with a higher --files-limit, or stop it ` +
      `and remove ${folder}: clients upload again what they need.`,
    {},
    {},
    { connection: "close" },
  );
