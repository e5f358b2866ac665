import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "../../provider/client/client";
import { settingsFrom } from "../../provider/client/config";
import { ApiError, MalformedAnswer, OutOfReach } from "../../provider/client/errors";
import { type Discovery, discover } from "./discover";
import { importFiles, quoted } from "./files";

/** An error that the user can fix. Only its message is shown. */
export class UserError extends Error {
  override readonly name = "UserError";
}

export interface ImportFlags {
  out: string;
  promotions?: true;
  force?: true;
}

/** @throws UserError, ConfigError */
export async function runImport(selection: string[], { out, promotions, force }: ImportFlags): Promise<void> {
  const names = { program: "index.ts", importFile: "import.json", secrets: "secrets.sh" } as const;
  const paths = Object.values(names).map((name) => join(out, name));
  const existing = paths.filter((path) => existsSync(path));
  if (existing.length > 0 && !force) {
    throw new UserError(
      `${existing.join(", ")} ${existing.length === 1 ? "exists" : "exist"} already. ` +
        "Choose another folder with --out, or overwrite with --force.",
    );
  }
  const { found, notes } = await read(selection, promotions ?? false);
  if (found.length === 0)
    throw new UserError("The account has nothing to import. Check that SLIPWAY_TEAM names the right team.");
  const files = importFiles(found);
  write(out, names.program, files.program, 0o644);
  write(out, names.importFile, files.importFile, 0o600);
  write(out, names.secrets, files.secrets, 0o600);
  for (const note of notes) say(`note: ${note}`);
  say(`wrote ${paths.join(", ")} for ${found.length} resource${found.length === 1 ? "" : "s"}`);
  process.stdout.write(nextSteps(out));
}

async function read(selection: string[], promotions: boolean): Promise<Discovery> {
  if (!process.env.SLIPWAY_TOKEN) {
    throw new UserError(
      "No access token is given. Set SLIPWAY_TOKEN: this command does not read the configuration of a stack.",
    );
  }
  const client = new Client(settingsFrom(() => undefined));
  try {
    return await discover(client, { selection, promotions, progress: say });
  } catch (error) {
    if (error instanceof ApiError || error instanceof OutOfReach || error instanceof MalformedAnswer) {
      throw new UserError(error.message);
    }
    throw error;
  } finally {
    await client.close();
  }
}

/** Writes a file. An existing file is replaced, so that it gets the given mode. */
function write(folder: string, name: string, text: string, mode: number): void {
  const path = join(folder, name);
  try {
    mkdirSync(folder, { recursive: true });
    rmSync(path, { force: true });
    writeFileSync(path, text, { mode, flag: "wx" });
  } catch (error) {
    throw new UserError(
      `${path} cannot be written (${(error as Error).message}). Choose another folder with --out.`,
    );
  }
}

/**
 * Describes the next steps. Imported objects stay protected until a preview shows that the program declares them, so
 * that no earlier `up` deletes them.
 */
const nextSteps = (out: string): string => {
  const [secrets, importFile] = [
    shellArgument(join(out, "secrets.sh")),
    shellArgument(join(out, "import.json")),
  ];
  const program = join(out, "index.ts");
  const path = /^[./]/.test(program) ? program : `./${program}`;
  const isProgram = existsSync(join(out, "Pulumi.yaml"));
  const declare = isProgram
    ? `1. ${program} is now the program of the stack. Move the resources of the old program into it.`
    : `1. Declare the objects in the program of the stack. At the end of its main file, add
  import ${JSON.stringify(path)};`;
  return `Next steps, in the folder of the Pulumi project with the stack selected:
${declare}
2. Set the values of the variables in the configuration of the stack, and import the objects. Imported objects are
   protected from deletion.
  sh ${secrets}
  pulumi import --file ${importFile} --generate-code=false --yes
3. Check that nothing changes. If the preview shows changes, correct the program before you go on: \`pulumi up\` deletes
   objects that the program does not declare, and fails while they are protected.
  pulumi preview --expect-no-changes
4. Remove the protection.
  pulumi up --yes
  rm ${secrets} ${importFile}
`;
};

const shellArgument = (path: string): string => (/^[\w./@:+-]+$/.test(path) ? path : quoted(path));

const say = (message: string): void => void process.stderr.write(`slipway: ${message}\n`);
