import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import type { Client } from "../../client/client";
import { ApiError } from "../../client/errors";
import * as responses from "../../client/responses";
import type { Operation } from "../../core/definition";
import { inParallel } from "../../core/parallel";
import { contentOf, type SourceFile } from "./files";

/** How many files are uploaded at a time. */
const atOnce = 8;
/** How often progress is shown. */
const remindMs = 5_000;

/**
 * Returns the SHA-1 digests of the contents that the service reports as missing; undefined for other errors.
 * @source the newest official client: POST /v13/deployments, missing_files
 */
export const missingIn = (error: unknown): readonly string[] | undefined =>
  error instanceof ApiError && error.code === "missing_files" ? error.missing : undefined;

/** Uploads the files whose contents are missing, each content once. @param missing the SHA-1 digests of the contents */
export async function upload(
  { client, inform }: Pick<Operation<unknown, unknown>, "client" | "inform">,
  files: readonly SourceFile[],
  missing: readonly string[],
): Promise<void> {
  const wanted = new Set(missing);
  const unique = new Map(files.filter(({ sha }) => wanted.has(sha)).map((file) => [file.sha, file]));
  const all = [...unique.values()];
  let done = 0;
  let tellAt = 0;
  const tell = (): void => {
    if (Date.now() < tellAt && done < all.length) return;
    inform(`Uploading files: ${done} of ${all.length}.`);
    tellAt = Date.now() + remindMs;
  };
  await inParallel(
    all,
    async (file) => {
      tell();
      await uploadOne(client, file);
      done += 1;
      if (done === all.length) tell();
    },
    atOnce,
  );
}

/** @source the newest official client: POST /v2/files */
async function uploadOne(client: Client, file: SourceFile): Promise<void> {
  const { location, sha, size, link } = file;
  if (link === undefined && (await stat(location)).size !== size) throw changed(file);
  // The file is opened only when it is read, because a request may fail before.
  const open = (): Readable => Readable.from(link === undefined ? chunksOf(location) : [Buffer.from(link)]);
  try {
    await client.send({
      method: "POST",
      path: "/v2/files",
      content: { open, size, headers: { "x-vercel-digest": sha } },
      shape: responses.anything,
    });
  } catch (error) {
    // While the file was sent, somebody else may have written it, so that its content does not have the digest.
    if (link === undefined && (await isChanged(file).catch(() => true))) throw changed(file);
    throw error;
  }
}

const changed = ({ path }: SourceFile): Error =>
  new Error(`${path} has changed since the run began. Run again when nothing writes to its folder.`);

/** True if the file no longer has the content that the run has read first. */
async function isChanged({ location, sha, size }: SourceFile): Promise<boolean> {
  if ((await stat(location)).size !== size) return true;
  return (await contentOf(location, size)).sha !== sha;
}

async function* chunksOf(location: string): AsyncGenerator<Buffer> {
  yield* createReadStream(location);
}
