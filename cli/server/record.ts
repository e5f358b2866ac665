import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder with the files of a server in the background. */
export const localFolder = ".slipway";

/** What `slipway serve --detach` records of the server that it started in this folder. */
export interface ServerRecord {
  pid: number;
  url: string;
  /** As `/_health` returns it, to recognize the process. */
  instance?: string;
  controlToken?: string;
  /** The flag `--data`, without a password. */
  data?: string;
}

/** @returns undefined if no server was started in this folder */
export function readRecord(): ServerRecord | undefined {
  const text = readLocal("server.json");
  if (text === undefined) return undefined;
  try {
    const record = JSON.parse(text) as ServerRecord;
    return typeof record.url === "string" ? record : undefined;
  } catch {
    return undefined;
  }
}

/** The token of `npm run up`, which other servers of a clone accept too. */
export const readControlToken = (): string | undefined => readLocal("control-token")?.trim() || undefined;

function readLocal(name: string): string | undefined {
  try {
    return readFileSync(join(localFolder, name), "utf8");
  } catch {
    return undefined;
  }
}
