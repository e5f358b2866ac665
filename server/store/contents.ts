import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { type FileHandle, open, readdir, rename, rm, stat, unlink } from "node:fs/promises";
import path from "node:path";
import { makeFolder } from "./folders";
import { asStoreError } from "./sqlite/file";

/** The number of bytes of a file that are collected in memory before they are written. */
const heldBytes = 256 * 1024;

/** How long contents without a record are kept (ms). The record of an upload is committed after its file. */
const graceMs = 24 * 60 * 60 * 1000;

/** The interval between searches for contents without a record, and the time from the start to the first one (ms). */
const collectEveryMs = 60 * 60 * 1000;
const firstCollectMs = 60 * 1000;

/** The default limit for all contents, in bytes. @choice Much more than the files of a site, and less than a disk. */
export const defaultFilesLimit = 10e9;

interface Kept {
  size: number;
  /** When it was stored. */
  since: number;
}

/**
 * The contents of uploaded files, in a folder. Equal contents are stored once. Their file is named after their SHA-1,
 * `ab/abcd…`, and appears only when it is complete.
 *
 * The tables record who has uploaded which file, and the folder has the contents. After a power failure or a deletion
 * by hand, contents may be missing or have another size. They then count as not uploaded: clients upload them again.
 * @choice Writes do not wait for the disk (`fsync`), because the client still has the file.
 */
export class Contents {
  /** By SHA-1. Filled by `load`. */
  private readonly kept = new Map<string, Kept>();
  /** The bytes of stored contents, and those that requests in progress have uploaded so far. */
  private used = 0;
  private loading: Promise<void> | undefined;
  private collectAt: number;

  /**
   * @param folder is created when it is needed
   * @param limit for all contents, in bytes
   * @param now the server's time, in milliseconds
   */
  constructor(
    readonly folder: string,
    readonly limit: number,
    private readonly now: () => number,
  ) {
    this.collectAt = now() + firstCollectMs;
  }

  /** Finds the stored contents; later calls do nothing. @throws StoreError when the folder cannot be used */
  load(): Promise<void> {
    this.loading ??= this.read().catch((error) => {
      this.loading = undefined;
      throw asStoreError(error, this.folder);
    });
    return this.loading;
  }

  /** True when contents with this SHA-1, and this size if it is given, are stored. Call `load` first. */
  has(sha: string, size?: number): boolean {
    const kept = this.kept.get(sha);
    return kept !== undefined && (size === undefined || kept.size === size);
  }

  /** The path of the file with stored contents; undefined if contents with this SHA-1 and size are not stored. */
  async find(sha: string, size: number): Promise<string | undefined> {
    await this.load();
    if (!this.has(sha, size)) return undefined;
    const file = this.fileOf(sha);
    const stored = await stat(file).catch(unlessMissing);
    return stored?.size === size ? file : undefined;
  }

  /** Begins to store a file. Call `load` first. @throws StoreError when the folder cannot be created */
  receive(): Incoming {
    try {
      makeFolder(this.incoming);
    } catch (error) {
      throw asStoreError(error, this.folder);
    }
    return new Incoming(this.incoming, {
      reserve: (bytes) => this.reserve(bytes),
      release: (bytes) => this.reserve(-bytes),
      store: (file, sha, size) => this.store(file, sha, size),
    });
  }

  /** Returns, once an hour, the SHA-1s of contents older than a day, to compare with the records; otherwise none. */
  async due(): Promise<string[]> {
    if (this.now() < this.collectAt) return [];
    this.collectAt = this.now() + collectEveryMs;
    await this.load();
    const before = this.now() - graceMs;
    return [...this.kept].filter(([, { since }]) => since <= before).map(([sha]) => sha);
  }

  async remove(sha: string): Promise<void> {
    const kept = this.kept.get(sha);
    if (!kept) return;
    this.kept.delete(sha);
    this.used -= kept.size;
    await unlink(this.fileOf(sha)).catch(unlessMissing);
  }

  private reserve(bytes: number): void {
    if (this.used + bytes > this.limit) throw new ContentsFull();
    this.used += bytes;
  }

  /** Moves a complete file into the folder. Its bytes are already reserved. */
  private async store(file: string, sha: string, size: number): Promise<void> {
    const target = this.fileOf(sha);
    await rename(file, target).catch((error) => {
      unlessMissing(error);
      makeFolder(path.dirname(target));
      return rename(file, target);
    });
    // Another request may have stored the same contents at the same time, or the stored contents are damaged.
    this.used -= this.kept.get(sha)?.size ?? 0;
    this.kept.set(sha, { size, since: this.now() });
  }

  private async read(): Promise<void> {
    // Removes incomplete uploads of a server that was killed.
    await rm(this.incoming, { recursive: true, force: true });
    for (const part of existsSync(this.folder) ? await readdir(this.folder) : []) {
      if (!/^[0-9a-f]{2}$/.test(part)) continue;
      const names = await readdir(path.join(this.folder, part));
      await Promise.all(
        names.map(async (sha) => {
          const { size, mtimeMs } = await stat(this.fileOf(sha));
          this.kept.set(sha, { size, since: mtimeMs });
          this.used += size;
        }),
      );
    }
  }

  private get incoming(): string {
    return path.join(this.folder, "incoming");
  }

  private fileOf(sha: string): string {
    return path.join(this.folder, sha.slice(0, 2), sha);
  }
}

/** The contents would exceed their limit. */
export class ContentsFull extends Error {
  override readonly name = "ContentsFull";
}

/** The functions of `Contents` that an incoming file needs. */
interface Place {
  /** @throws ContentsFull */
  reserve(bytes: number): void;
  release(bytes: number): void;
  store(file: string, sha: string, size: number): Promise<void>;
}

/** A file that is being uploaded. */
export class Incoming {
  private chunks: Buffer[] = [];
  private held = 0;
  private size = 0;
  private readonly file: string;
  private handle: FileHandle | undefined;
  private writing: Promise<void> | undefined;

  constructor(
    folder: string,
    private readonly place: Place,
  ) {
    this.file = path.join(folder, randomUUID());
  }

  /** Adds bytes. @returns a promise if the caller must wait before it adds more @throws ContentsFull */
  add(chunk: Buffer): Promise<void> | undefined {
    this.place.reserve(chunk.length);
    this.chunks.push(chunk);
    this.held += chunk.length;
    this.size += chunk.length;
    if (this.held <= heldBytes) return undefined;
    this.writing = this.write();
    return this.writing;
  }

  /** Stores the file if it has this SHA-1; otherwise discards it. @throws StoreError when it cannot be written */
  async keep(sha: string): Promise<void> {
    try {
      await this.write();
      await this.close();
      await this.place.store(this.file, sha, this.size);
    } catch (error) {
      await this.discard();
      throw asStoreError(error, this.file);
    }
  }

  async discard(): Promise<void> {
    this.place.release(this.size);
    this.size = 0;
    this.chunks = [];
    // The connection may close during a write.
    await this.writing?.catch(() => {});
    await this.close().catch(() => {});
    await unlink(this.file).catch(() => {});
  }

  private async write(): Promise<void> {
    try {
      this.handle ??= await open(this.file, "wx", 0o600);
      await this.handle.writeFile(Buffer.concat(this.chunks.splice(0)));
      this.held = 0;
    } catch (error) {
      throw asStoreError(error, this.file);
    }
  }

  private async close(): Promise<void> {
    const { handle } = this;
    this.handle = undefined;
    await handle?.close();
  }
}

function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
