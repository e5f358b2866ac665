import { readFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../core/errors";

/** The folder with the files of a server in the background. */
export const localFolder = ".slipway";

/** The record of the server that `slipway serve --detach` started in this folder. */
export interface ServerRecord {
  pid: number;
  url: string;
  /** The instance id that `/_health` returns. Another process on the same port has another id. */
  instance?: string;
  controlToken?: string;
  /** The flag `--data`, without a password. */
  data?: string;
}

/** @returns undefined if no server was started in this folder @throws UserError if the record is damaged */
export function readRecord(): ServerRecord | undefined {
  const text = readLocal("server.json");
  // The record is empty while a start is about to write it.
  if (text === undefined || text === "") return undefined;
  try {
    const record = JSON.parse(text) as ServerRecord;
    if (typeof record.url === "string") return record;
  } catch {
    // The text is not JSON.
  }
  throw new UserError(
    `${localFolder}/server.json is damaged. Run slipway stop, which names the process to end.`,
  );
}

/** The control token of `npm run up`. Other servers of a clone accept it too. */
export const readControlToken = (): string | undefined => readLocal("control-token")?.trim() || undefined;

function readLocal(name: string): string | undefined {
  try {
    return readFileSync(join(localFolder, name), "utf8");
  } catch {
    return undefined;
  }
}
