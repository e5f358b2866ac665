import { readFileSync } from "node:fs";
import { isNode, LineCounter, parseDocument } from "yaml";
import { StartError } from "../platform/start-error";
import { type Seed, seedDocument } from "./document";
import { formatPlace, type SeedError } from "./error";

/** A seed file that was read and checked. */
export interface SeedFile {
  seed: Seed;
  /** Tells where in the file something went wrong. */
  explain(error: SeedError): StartError;
}

/**
 * Reads a seed file, YAML or JSON (which is YAML).
 * @throws StartError naming file, line and place; never a value, which may be a secret
 */
export function readSeedFile(file: string): SeedFile {
  const lines = new LineCounter();
  const document = parseDocument(readText(file), { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number): string => `${file}:${lines.linePos(offset).line}`;
  const [mistake] = document.errors;
  if (mistake)
    throw new StartError(`${lineAt(mistake.pos[0])}: the seed file is not valid YAML: ${mistake.message}`);
  const explain = ({ place, problem }: { place: readonly PropertyKey[]; problem: string }): StartError => {
    // The nearest thing that stands in the file: a member that is missing has no line of its own.
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
