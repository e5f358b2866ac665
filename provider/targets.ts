import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { identityOf } from "./core/urn";

/**
 * The targets of a run. The engine does not tell a provider which resources a run leaves out, so they are read from the
 * command line of the Pulumi CLI, which is an ancestor of this process.
 */

/** The resources that a run changes. */
export interface Targets {
  /** @param urn the identity of a resource */
  leavesOut(urn: string): boolean;
}

/** A process: its parent and the words of its command line. */
interface Process {
  parent: number;
  words: readonly string[];
}

/** How far up the CLI is looked for. */
const mostAncestors = 8;

/** The targets of the run; undefined if it has none, or if the command line cannot be read, as on Windows. */
export async function targetsOfRun(): Promise<Targets | undefined> {
  let id = process.ppid;
  for (let at = 0; at < mostAncestors && id > 1; at++) {
    const found = await processOf(id).catch(() => undefined);
    if (!found) return undefined;
    if (/(^|[\\/])pulumi(\.exe)?$/.test(found.words[0] ?? "")) return targetsIn(found.words);
    id = found.parent;
  }
  return undefined;
}

/** The targets in the words of a command line; undefined if it has none. */
export function targetsIn(words: readonly string[]): Targets | undefined {
  const chosen = valuesOf(words, /^(--target|--target-replace|-t)$/);
  const excluded = valuesOf(words, /^--exclude$/);
  if (chosen.length + excluded.length === 0) return undefined;
  return {
    leavesOut: (urn) => matches(excluded, urn) || (chosen.length > 0 && !matches(chosen, urn)),
  };
}

/** The values of a flag: `--target URN` and `--target=URN`. */
const valuesOf = (words: readonly string[], flag: RegExp): string[] =>
  words.flatMap((word, at) => {
    const [, name = word, value = words[at + 1] ?? ""] = /^(--[\w-]+)=(.*)$/.exec(word) ?? [];
    return flag.test(name) ? [value] : [];
  });

/** True if one of the patterns is the URN. `*` stands for anything but `:`, `**` for anything. */
const matches = (patterns: readonly string[], urn: string): boolean =>
  patterns.some((pattern) => {
    const parts = identityOf(pattern).split(/(\*\*?)/);
    const text = parts.map((part) =>
      part === "**" ? ".*" : part === "*" ? "[^:]*" : part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"),
    );
    return new RegExp(`^${text.join("")}$`).test(urn);
  });

async function processOf(id: number): Promise<Process> {
  if (process.platform !== "linux") return fromPs(id);
  const [line, status] = await Promise.all([
    readFile(`/proc/${id}/cmdline`, "utf8"),
    readFile(`/proc/${id}/status`, "utf8"),
  ]);
  return { parent: Number(/^PPid:\s*(\d+)/m.exec(status)?.[1] ?? 0), words: line.split("\0").slice(0, -1) };
}

/** URNs have no spaces unless the name of a resource has some; such a target counts as another one. */
const fromPs = (id: number): Promise<Process> =>
  new Promise((resolve, reject) => {
    execFile("ps", ["-o", "ppid=,command=", "-p", String(id)], (error, stdout) => {
      if (error) return reject(error);
      const [parent = "0", ...words] = stdout.trim().split(/\s+/);
      resolve({ parent: Number(parent), words });
    });
  });
