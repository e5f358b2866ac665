import { readFileSync } from "node:fs";
import { isNode, LineCounter, parseDocument } from "yaml";
import { StartError } from "../platform/start-error";
import { type Seed, seedDocument } from "./document";
import { formatPlace, type SeedError } from "./error";

/** A checked seed file. */
export interface SeedFile {
  seed: Seed;
  /** Adds the file and line to an error. */
  explain(error: SeedError): StartError;
}

/**
 * Reads a seed file in YAML or JSON (a subset of YAML).
 * @throws StartError with file, line and place, but no value, which may be a secret
 */
export function readSeedFile(file: string): SeedFile {
  const lines = new LineCounter();
  const document = parseDocument(readText(file), { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number): string => `${file}:${lines.linePos(offset).line}`;
  const [mistake] = document.errors;
  if (mistake)
    throw new StartError(`${lineAt(mistake.pos[0])}: the seed file is not valid YAML: ${mistake.message}`);
  const explain = ({ place, problem }: { place: readonly PropertyKey[]; problem: string }): StartError => {
    // A missing member has no line, so the line is that of the nearest parent.
    for (let depth = place.length; depth >= 0; depth--) {
      const node = depth === 0 ? document.contents : document.getIn(place.slice(0, depth), true);
      if (isNode(node) && node.range)
        return new StartError(`${lineAt(node.range[0])}: ${formatPlace(place)}: ${problem}`);
    }
    return new StartError(`${file}: ${formatPlace(place)}: ${problem}`);
  };
  const result = seedDocument.safeParse(document.toJS() ?? {});
  if (!result.success) {
    const [issue] = result.error.issues;
    throw explain({ place: issue?.path ?? [], problem: issue?.message ?? "not accepted" });
  }
  return { seed: result.data, explain };
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new StartError(
      `The seed file ${file} cannot be read (${(error as Error).message}). Give another one with --seed.`,
    );
  }
}
