import { parseDocument } from "yaml";
import * as z from "zod";
import { command } from "../core/command";
import { UserError } from "../core/errors";
import { readInput } from "../core/input";
import { print, printJson } from "../core/output";
import { control, serverNote } from "./control";

export const seed = command({
  summary: "adds the accounts and projects of a seed file",
  description:
    "Adds the accounts, projects and deployments of a seed file, completely or not at all. Existing objects stay as they are.",
  arguments: [{ name: "file", help: "the seed file in YAML or JSON; - is standard input" }],
  examples: [
    ["slipway seed seed.yaml", "adds what is missing"],
    ["echo '{ dns: [{ name: _vercel.example.com, type: TXT, value: x }] }' | slipway seed -", "from a pipe"],
  ],
  notes: serverNote,
  output: z.strictObject({
    /** How many entries each list of the file has. */
    entries: z.record(z.string(), z.int()),
    /** How many objects were added for each list. The other entries existed. */
    added: z.record(z.string(), z.int()),
  }),
  async run({ args: [file = ""], json }) {
    const document = readSeed(file);
    const { added = {} } = (await control("POST", "/seed", document)) as { added?: Record<string, number> };
    const entries = Object.fromEntries(
      Object.entries(document).map(([name, list]) => [name, Array.isArray(list) ? list.length : 0]),
    );
    if (json) return printJson({ entries, added });
    const counts = Object.entries(entries).map(([name, count]) => {
      const isWhole = added[name] === undefined || added[name] >= count;
      return isWhole ? `${name} ${count}` : `${name} ${added[name]} of ${count}, the others exist`;
    });
    print(`applied ${file === "-" ? "standard input" : file}: ${counts.join("; ") || "nothing"}`);
  },
});

/** The value of a YAML document. @throws UserError if its aliases expand to too many values */
function parsedValue(document: ReturnType<typeof parseDocument>, file: string): unknown {
  try {
    return document.toJS() ?? {};
  } catch (error) {
    throw new UserError(`${file} is not valid YAML: ${(error as Error).message}.`);
  }
}

function readSeed(file: string): Record<string, unknown> {
  const text = readInput(file, `The seed file ${file}`);
  // An empty text is, for example, the output of a command that failed.
  if (text.trim() === "") throw new UserError(`${file === "-" ? "Standard input" : file} is empty.`);
  const document = parseDocument(text, { prettyErrors: true });
  const [mistake] = document.errors;
  // The first line has the position. The other lines quote the file, which may contain secrets.
  if (mistake)
    throw new UserError(`${file} is not valid YAML: ${mistake.message.split("\n")[0]?.replace(/:$/, "")}.`);
  const value = parsedValue(document, file);
  if (typeof value === "object" && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new UserError(`${file} is not a seed file: it must have lists such as projects and teams.`);
}
