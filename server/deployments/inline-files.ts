import { hash } from "node:crypto";
import { type Contents, ContentsFull } from "../store/contents";

/** The files that are in the body of a request itself, instead of being uploaded before. */

/** A file of a body, with its contents as text or in base64. */
interface InlineFile {
  data?: string | undefined;
  encoding?: "base64" | "utf-8" | undefined;
}

export const contentsOf = ({ data = "", encoding }: InlineFile): Buffer =>
  Buffer.from(data, encoding === "base64" ? "base64" : "utf8");

export const digestOf = (file: InlineFile): string => hash("sha1", contentsOf(file));

/**
 * Stores the contents of inline files, so that their deployment can be served.
 * @choice If the limit for all contents leaves no room for a file, the deployment is created without its contents.
 * @returns the stored files, each once @throws StoreError when a file cannot be written
 */
export async function storeInline(
  contents: Contents,
  files: readonly InlineFile[],
): Promise<{ sha: string; size: number }[]> {
  const stored = new Map<string, number>();
  for (const file of files) {
    if (file.data === undefined) continue;
    const bytes = contentsOf(file);
    const sha = hash("sha1", bytes);
    if (contents.has(sha, bytes.length) || (await store(contents, sha, bytes))) stored.set(sha, bytes.length);
  }
  return [...stored].map(([sha, size]) => ({ sha, size }));
}

/** @returns false if no room is left */
async function store(contents: Contents, sha: string, bytes: Buffer): Promise<boolean> {
  const incoming = contents.receive();
  try {
    await incoming.add(bytes);
  } catch (error) {
    await incoming.discard();
    if (error instanceof ContentsFull) return false;
    throw error;
  }
  await incoming.keep(sha);
  return true;
}
