import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { type FileHandle, open, readdir, rename, rm, stat, unlink } from "node:fs/promises";
import path from "node:path";
import { makeFolder } from "../platform/folders";
import { asStoreError } from "./sqlite/file";

/** How much of a file is held until it is written. */
const heldBytes = 256 * 1024;

/** How long contents without a record are kept: their upload may be about to be committed. */
const graceMs = 24 * 60 * 60 * 1000;

/** How often contents without a record are looked for, and how soon after the start, in milliseconds. */
const collectEveryMs = 60 * 60 * 1000;
const firstCollectMs = 60 * 1000;

/** The most that contents take by default, in bytes. @choice Much more than a site has, and less than a disk. */
export const defaultFilesLimit = 10e9;

interface Kept {
  size: number;
  /** When it was stored. */
  since: number;
}

/**
 * The contents of uploaded files, each once, in a folder: `ab/abcd…` by its SHA-1. A file appears complete or not at
 * all.
 *
 * The tables say who has uploaded what, and this folder says what is there. Contents that are missing, or of another
 * size, after a power failure or because somebody removed them, count as not uploaded: clients upload them again.
 * @choice Nothing waits for the disk, since nothing is lost for good: the client has the file.
 */
export class Contents {
  /** By SHA-1. Filled by `load`. */
  private readonly kept = new Map<string, Kept>();
  /** Bytes that are stored, and that requests under way have brought so far. */
  private used = 0;
  private loading: Promise<void> | undefined;
  private collectAt: number;

  /**
   * @param folder is made when it is needed
   * @param limit the most that all contents may take, in bytes
   * @param now the server's time, in milliseconds
   */
  constructor(
    readonly folder: string,
    readonly limit: number,
    private readonly now: () => number,
  ) {
    this.collectAt = now() + firstCollectMs;
  }

  /** Reads what is stored, once. @throws StoreError when the folder cannot be used */
  load(): Promise<void> {
    this.loading ??= this.read().catch((error) => {
      this.loading = undefined;
      throw asStoreError(error, this.folder);
    });
    return this.loading;
  }

  /** True when these contents are stored, of this size if one is given. After `load`. */
  has(sha: string, size?: number): boolean {
    const kept = this.kept.get(sha);
    return kept !== undefined && (size === undefined || kept.size === size);
  }

  /** Begins to store a file. After `load`. @throws StoreError when the folder cannot be made */
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

  /** Contents that are due to be compared with the records: those that have been stored for a day, once an hour. */
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

  /** Moves a complete file to its place. Its bytes are reserved. */
  private async store(file: string, sha: string, size: number): Promise<void> {
    const target = this.fileOf(sha);
    await rename(file, target).catch((error) => {
      unlessMissing(error);
      makeFolder(path.dirname(target));
      return rename(file, target);
    });
    // Another request may have brought it at the same time, or it was damaged.
    this.used -= this.kept.get(sha)?.size ?? 0;
    this.kept.set(sha, { size, since: this.now() });
  }

  private async read(): Promise<void> {
    // Uploads that a killed server has not completed.
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

/** The part of the store that an incoming file needs. */
interface Place {
  /** @throws ContentsFull */
  reserve(bytes: number): void;
  release(bytes: number): void;
  store(file: string, sha: string, size: number): Promise<void>;
}

/** A file that arrives. */
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

  /** Takes the next bytes. @returns a promise when the next ones have to wait @throws ContentsFull */
  add(chunk: Buffer): Promise<void> | undefined {
    this.place.reserve(chunk.length);
    this.chunks.push(chunk);
    this.held += chunk.length;
    this.size += chunk.length;
    if (this.held <= heldBytes) return undefined;
    this.writing = this.write();
    return this.writing;
  }

  /** Stores it by its SHA-1, or discards it. @throws StoreError when it cannot be written */
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
