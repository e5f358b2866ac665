import { closeSync, mkdtempSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Section, sections } from "../objects";
import type { Sink } from "./read";

/** The length of text that is kept in memory for each section before it is written, in characters. */
const bufferSize = 65_536;

/** The rows of a section: those that are written to its temporary file, and the text of those that follow. */
interface Part {
  file: number;
  text: string;
  rows: number;
}

/**
 * Writes the rows of a seed document as they are read. Each project has rows in several sections, so each section gets
 * a temporary file, and `write` joins these files. The files have no names in the file system, so none remains, however
 * this process ends.
 */
export class SnapshotFile implements Sink {
  readonly #parts = new Map<Section, Part>();

  put(section: Section, row: unknown): void {
    const part = this.#parts.get(section) ?? { file: openNameless(), text: "", rows: 0 };
    this.#parts.set(section, part);
    part.text += `${part.rows === 0 ? "" : ",\n"}    ${JSON.stringify(row)}`;
    part.rows++;
    if (part.text.length > bufferSize) flush(part);
  }

  /**
   * Writes the document. A file that exists is replaced when the new one is complete.
   * @param copyOf the address of the API that was read
   * @param path the file to write; undefined for standard output
   * @param mode the permissions of the file
   */
  write(copyOf: string, path: string | undefined, mode: number): void {
    const staging = path === undefined ? undefined : `${path}.${process.pid}`;
    const file = staging === undefined ? process.stdout.fd : openSync(staging, "wx", mode);
    try {
      writeAll(file, Buffer.from(`{\n  "copyOf": ${JSON.stringify(copyOf)},\n  "copiedAt": ${Date.now()}`));
      for (const section of sections) {
        const part = this.#parts.get(section);
        if (!part) continue;
        flush(part);
        writeAll(file, Buffer.from(`,\n  ${JSON.stringify(section)}: [\n`));
        copy(part.file, file);
        writeAll(file, Buffer.from("\n  ]"));
      }
      writeAll(file, Buffer.from("\n}\n"));
      if (staging !== undefined && path !== undefined) {
        closeSync(file);
        renameSync(staging, path);
      }
    } catch (error) {
      if (staging !== undefined) rmSync(staging, { force: true });
      throw error;
    }
  }

  close(): void {
    for (const { file } of this.#parts.values()) closeSync(file);
    this.#parts.clear();
  }
}

function openNameless(): number {
  const folder = mkdtempSync(join(tmpdir(), "slipway-snapshot-"));
  try {
    return openSync(join(folder, "part"), "wx+", 0o600);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function flush(part: Part): void {
  writeAll(part.file, Buffer.from(part.text));
  part.text = "";
}

function copy(from: number, to: number): void {
  const block = Buffer.alloc(bufferSize);
  for (let at = 0; ; ) {
    const count = readSync(from, block, 0, block.length, at);
    if (count === 0) return;
    writeAll(to, block.subarray(0, count));
    at += count;
  }
}

function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(file, bytes, at);
    } catch (error) {
      // The pipe is full: its reader is slower.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
