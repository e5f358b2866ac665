import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./server";

/** A request of the tool that made the account, and the ids in the answer that it used or recorded, by their path. */
interface RecordedWrite {
  method: string;
  path: string;
  body?: unknown;
  made?: Record<string, string>;
}

export interface ReplayedAccount {
  /** The text of a file beside the requests, with the ids of the account. */
  file(name: string): string;
  /** Its secrets beside the canaries: keys and bypass secrets that the server generated. */
  generated: string[];
}

/**
 * Makes the account that another tool once made, by the requests that the tool sent.
 * @param tool the folder in test/fixtures/
 * @param team the id of the team @param send sends a request @returns the body of the answer
 */
export async function replayAccount(
  tool: string,
  team: string,
  send: (method: string, path: string, body?: object) => Promise<unknown>,
): Promise<ReplayedAccount> {
  const text = (name: string): string => readFileSync(join(root, "test/fixtures", tool, name), "utf8");
  const [head = "", ...lines] = text("account.jsonl").trim().split("\n");
  const ids = new Map([[JSON.parse(head).team as string, team]]);
  const generated: string[] = [];
  const renamed = (recorded: string): string =>
    recorded.replaceAll(/[\w-]{12,}/g, (word) => ids.get(word) ?? word);
  for (const line of lines) {
    const { method, path, body, made = {} }: RecordedWrite = JSON.parse(line);
    const sent = body === undefined ? undefined : JSON.parse(renamed(JSON.stringify(body)));
    const answer = await send(method, renamed(path), sent);
    for (const [place, id] of Object.entries(made)) {
      const now = memberAt(answer, place, [...ids.values()]);
      ids.set(id, now);
      if (/secret$|\?$/.test(place)) generated.push(now);
    }
  }
  return { file: (name) => renamed(text(name)), generated };
}

/** The text at a path. A `?` at its end is the key that is not known yet. */
function memberAt(answer: unknown, path: string, known: readonly string[]): string {
  let value = answer as Record<string, unknown>;
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  for (const key of keys) value = value[key] as Record<string, unknown>;
  const found = last === "?" ? Object.keys(value).find((key) => !known.includes(key)) : value[last];
  if (typeof found !== "string") throw new Error(`the answer has no ${path}: ${JSON.stringify(answer)}`);
  return found;
}
