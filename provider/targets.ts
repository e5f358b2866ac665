import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { identityOf, typeOf } from "./core/urn";

/**
 * The targets of a run. The engine does not tell a provider which resources a run leaves out, so they are read from the
 * command line of the Pulumi CLI, which is an ancestor of this process, and from the variables that set its flags.
 */

/** The resources of the state of the stack that a choice of targets depends on. */
export interface RecordedLinks {
  /** The identities of all resources of the stack. */
  urns: readonly string[];
  /** The identities of the resources that a resource depends on, by its identity. */
  dependencies: ReadonlyMap<string, readonly string[]>;
}

/** The resources that a run changes. */
export interface Targets {
  /**
   * True also if it cannot be ruled out that the run leaves the resource out.
   * @param urn the identity of a resource of the state
   * @param links undefined if the state cannot be read
   */
  leavesOut(urn: string, links?: RecordedLinks): boolean;
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
    if (!found) return targetsIn([], process.env);
    if (/(^|[\\/])pulumi(\.exe)?$/.test(found.words[0] ?? "")) return targetsIn(found.words, process.env);
    id = found.parent;
  }
  return targetsIn([], process.env);
}

/** The targets in the words of a command line and in variables; undefined if they have none. */
export function targetsIn(
  words: readonly string[],
  variables: Readonly<Record<string, string | undefined>> = {},
): Targets | undefined {
  const flags = flagsIn(words);
  const valuesOf = (flag: string, letter?: string): string[] => [
    ...flags.filter(({ name }) => name === flag || name === letter).map(({ value }) => value),
    ...listIn(variables[`PULUMI_OPTION_${flag.toUpperCase().replaceAll("-", "_")}`] ?? ""),
  ];
  const chosen = [...valuesOf("target", "t"), ...valuesOf("target-replace")];
  const excluded = valuesOf("exclude", "x");
  if (chosen.length + excluded.length === 0) return undefined;
  const takesDependents =
    flags.some(({ name }) => name === "exclude-dependents") ||
    Boolean(variables.PULUMI_OPTION_EXCLUDE_DEPENDENTS);
  return {
    leavesOut: (urn, links) =>
      (chosen.length > 0 && !matches(chosen, urn)) ||
      (excluded.length > 0 && mayBeExcluded(excluded, urn, takesDependents, links)),
  };
}

/** @param takesDependents the resources that depend on an excluded one are excluded too */
const mayBeExcluded = (
  patterns: readonly string[],
  urn: string,
  takesDependents: boolean,
  links: RecordedLinks | undefined,
): boolean => {
  if (matches(patterns, urn)) return true;
  if (!links) return takesDependents;
  if (mayBeRenamed(patterns, urn, links.urns)) return true;
  return takesDependents && allDependencies(urn, links).some((other) => matches(patterns, other));
};

/** A flag of a command line. `value` is the next word if the flag contains none, so a switch has one too. */
interface Flag {
  name: string;
  value: string;
}

/** The letters of the flags of the CLI that have a value. */
const lettersWithValue = /[Ccmpstxv]/;

/** `--target URN`, `--target=URN`, `-t URN`, `-tURN`, `-t=URN`, and switches before the letter: `-yt URN`. */
const flagsIn = (words: readonly string[]): Flag[] => {
  const end = words.indexOf("--");
  return words.slice(0, end < 0 ? undefined : end).flatMap((word, at): Flag[] => {
    const next = words[at + 1] ?? "";
    const [, long, value = next] = /^--([\w-]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (long !== undefined) return [{ name: long, value }];
    if (!/^-\w/.test(word)) return [];
    const position = word.slice(1).search(lettersWithValue) + 1;
    if (position === 0) return [];
    const rest = word.slice(position + 1).replace(/^=/, "");
    return [{ name: word[position] ?? "", value: rest || next }];
  });
};

/** The items of a list separated by commas, each perhaps in quotes. */
const listIn = (text: string): string[] =>
  [...text.matchAll(/"((?:[^"]|"")*)"|[^,]+/g)].map(([item, quoted]) =>
    quoted === undefined ? item : quoted.replaceAll('""', '"'),
  );

/**
 * True if a pattern names no resource of the state. It may then be the new name of the resource (`aliases`), which only
 * the engine knows. URNs of another type are not.
 */
const mayBeRenamed = (patterns: readonly string[], urn: string, urns: readonly string[]): boolean =>
  patterns.some((pattern) => {
    if (urns.some((known) => matches([pattern], known))) return false;
    return pattern.includes("*") || typeOf(identityOf(pattern)) === typeOf(urn);
  });

/** The resources that a resource depends on, directly or not. */
function allDependencies(urn: string, { dependencies }: RecordedLinks): string[] {
  const found = new Set<string>();
  const open = [urn];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const other of dependencies.get(next) ?? []) {
      if (!found.has(other)) open.push(other);
      found.add(other);
    }
  }
  return [...found];
}

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
    execFile("ps", ["-ww", "-o", "ppid=,command=", "-p", String(id)], (error, stdout) => {
      if (error) return reject(error);
      const [parent = "0", ...words] = stdout.trim().split(/\s+/);
      resolve({ parent: Number(parent), words });
    });
  });
