import { readFileSync } from "node:fs";
import { isNode, LineCounter, parseDocument } from "yaml";
import { formatPath } from "../platform/path";
import { StartError } from "../platform/start-error";
import { type Seed, seedDocument } from "./document";
import type { SeedError } from "./error";

/** A checked seed file. */
export interface SeedFile {
  seed: Seed;
  /** Adds the file and line to an error. */
  explain(error: SeedError): StartError;
}

/**
 * Reads a seed file in YAML or JSON (a subset of YAML).
 * @throws StartError with file, line and place, but without values, because a value may be a secret
 */
export function readSeedFile(file: string): SeedFile {
  const text = readText(file);
  if (text.trim() === "") throw new StartError(`${file} is empty. Write one with slipway snapshot.`);
  // The YAML parser takes minutes for a large account, so it is used only without JSON, and for messages.
  const quick = parseJson(text);
  const parsed = quick === undefined ? parseYaml(file, text) : undefined;
  const explain = (problem: Pick<SeedError, "place" | "problem">): StartError =>
    (parsed ?? parseYaml(file, text)).explain(problem);
  const result = seedDocument.safeParse(quick ?? parsed?.value ?? {});
  if (!result.success) {
    const [issue] = result.error.issues;
    throw explain({
      place: (issue?.path ?? []) as SeedError["place"],
      problem: issue?.message ?? "not accepted",
    });
  }
  return { seed: result.data, explain };
}

/** @returns undefined if the text is not a JSON object */
function parseJson(text: string): object | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @throws StartError */
function parseYaml(file: string, text: string) {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number): string => `${file}:${lines.linePos(offset).line}`;
  const [mistake] = document.errors;
  if (mistake) {
    const message = `${lineAt(mistake.pos[0])}: the seed file is not valid YAML: ${mistake.message}`;
    // A snapshot is JSON, which is valid YAML unless it is incomplete.
    const isJson = text.trimStart().startsWith("{");
    throw new StartError(
      isJson ? `${message} If it is an incomplete snapshot, write it again with slipway snapshot.` : message,
    );
  }
  return {
    value: parsedValue(document, file),
    explain({ place, problem }: { place: readonly PropertyKey[]; problem: string }): StartError {
      // A missing member has no line, so the line of its nearest parent is used.
      const text = `${formatPath(place) || "the document"}: ${problem}`;
      for (let depth = place.length; depth >= 0; depth--) {
        const node = depth === 0 ? document.contents : document.getIn(place.slice(0, depth), true);
        if (isNode(node) && node.range) return new StartError(`${lineAt(node.range[0])}: ${text}`);
      }
      return new StartError(`${file}: ${text}`);
    },
  };
}

/** @throws StartError for a document whose YAML aliases expand to too many nodes */
function parsedValue(document: ReturnType<typeof parseDocument>, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw new StartError(`${file}: the seed file is not valid YAML: ${(error as Error).message}.`);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new StartError(
      `The seed file ${file} cannot be read (${(error as Error).message}). Write one with slipway snapshot, or give another one with --seed.`,
    );
  }
}
