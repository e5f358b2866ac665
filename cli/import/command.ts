import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "../../provider/client/client";
import { settingsFrom } from "../../provider/client/config";
import { ApiError, MalformedAnswer, OutOfReach } from "../../provider/client/errors";
import { importFiles, quoted } from "./files";
import { type Survey, survey } from "./survey";

/** What the user can put right: its message is all there is to show. */
export class Complaint extends Error {
  override readonly name = "Complaint";
}

export interface ImportFlags {
  out: string;
  promotions?: true;
  force?: true;
}

/** @throws Complaint, ConfigError */
export async function runImport(selection: string[], { out, promotions, force }: ImportFlags): Promise<void> {
  const names = { program: "index.ts", importFile: "import.json", secrets: "secrets.sh" } as const;
  const paths = Object.values(names).map((name) => join(out, name));
  const inTheWay = paths.filter((path) => existsSync(path));
  if (inTheWay.length > 0 && !force) {
    throw new Complaint(
      `${inTheWay.join(", ")} ${inTheWay.length === 1 ? "exists" : "exist"}. ` +
        "Give another folder with --out, or overwrite with --force.",
    );
  }
  const { found, notes } = await read(selection, promotions ?? false);
  if (found.length === 0) throw new Complaint("There is nothing to import in this account.");
  const files = importFiles(found);
  write(out, names.program, files.program, 0o644);
  write(out, names.importFile, files.importFile, 0o600);
  write(out, names.secrets, files.secrets, 0o600);
  for (const note of notes) say(`note: ${note}`);
  say(`wrote ${paths.join(", ")} for ${found.length} resources`);
  process.stdout.write(nextSteps(out));
}

async function read(selection: string[], promotions: boolean): Promise<Survey> {
  if (!process.env.SLIPWAY_TOKEN) {
    throw new Complaint(
      "No access token is given. Set SLIPWAY_TOKEN: the configuration of a stack is not read.",
    );
  }
  // A variable that is set to nothing counts as one that is not set.
  const client = new Client(settingsFrom(() => undefined));
  try {
    return await survey(client, { selection, promotions, progress: say });
  } catch (error) {
    if (error instanceof ApiError || error instanceof OutOfReach || error instanceof MalformedAnswer) {
      throw new Complaint(error.message);
    }
    throw error;
  } finally {
    await client.close();
  }
}

/** Writes a file anew, so that it has this mode whatever was there before. */
function write(folder: string, name: string, text: string, mode: number): void {
  const path = join(folder, name);
  try {
    mkdirSync(folder, { recursive: true });
    rmSync(path, { force: true });
    writeFileSync(path, text, { mode, flag: "wx" });
  } catch (error) {
    throw new Complaint(
      `${path} cannot be written (${(error as Error).message}). Give another folder with --out.`,
    );
  }
}

const nextSteps = (out: string): string => {
  const [secrets, importFile] = [inShell(join(out, "secrets.sh")), inShell(join(out, "import.json"))];
  return `In the folder of the Pulumi project, with the stack selected:
  sh ${secrets}
  pulumi import --file ${importFile} --protect=false --generate-code=false --yes
  pulumi preview --expect-no-changes
  rm ${secrets} ${importFile}
`;
};

const inShell = (path: string): string => (/^[\w./@:+-]+$/.test(path) ? path : quoted(path));

const say = (message: string): void => void process.stderr.write(`slipway: ${message}\n`);
