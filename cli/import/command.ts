import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "../../provider/client/client";
import { withAccount } from "../core/account";
import { command } from "../core/command";
import { UserError } from "../core/errors";
import { type Discovery, discover } from "./discover";
import { importFiles, quoted } from "./files";
import { importTerraform } from "./terraform/import";

export const importCommand = command({
  summary: "writes a program and an import file for the projects of an account",
  description:
    "Reads the projects, domains and variables of an account, or those that a Terraform state has. Writes a " +
    "TypeScript program that declares them, and files that import them into a stack. Changes nothing at the service. " +
    "SLIPWAY_API_URL, SLIPWAY_TOKEN and SLIPWAY_TEAM select the account.",
  arguments: [
    {
      name: "what",
      isOptional: true,
      isRepeated: true,
      help:
        "projects by id or name, or single environments (project/staging), domains (project/www.example.com) and " +
        "variables (project/KEY/target, project/KEY/preview/branch); by default all projects",
    },
  ],
  flags: {
    out: { value: "folder", help: "folder for the files", default: "." },
    fromTerraform: {
      value: "file",
      help: "imports what a Terraform state has; - reads `terraform show -json` from standard input",
    },
    promotions: { help: "also declares the deployment that serves production" },
    force: { help: "overwrites existing files" },
  },
  notes: `Writes three files:
  index.ts     the program, without secrets
  import.json  for \`pulumi import --file\` (Pulumi CLI 3.254 or newer); contains secrets
  secrets.sh   sets the values of variables in the stack's configuration; contains secrets
Only you can read the last two. Remove them after the import.
With --from-terraform, also removed.tf, which lets Terraform let go of the resources without destroying them.`,
  examples: [
    ["slipway import", "writes the program of all projects into this folder"],
    ["slipway import web docs/www.example.com --out imported", "the project web, and one domain of docs"],
    ["slipway import --from-terraform terraform.tfstate", "what Terraform manages, with its values"],
  ],
  run: ({ args, flags }) => runImport(args, flags),
});

interface ImportFlags {
  out: string;
  fromTerraform: string | undefined;
  promotions: boolean | undefined;
  force: boolean | undefined;
}

/** What an import found, with the file that lets the former tool let go of it. */
interface Import extends Discovery {
  release?: { name: string; text: string };
}

/** @throws UserError, ConfigError */
async function runImport(selection: readonly string[], flags: ImportFlags): Promise<void> {
  const { out, fromTerraform, force } = flags;
  if (fromTerraform !== undefined && (selection.length > 0 || flags.promotions)) {
    throw new UserError(
      "--from-terraform imports what the state has. Remove the names of objects and --promotions.",
    );
  }
  const names = { program: "index.ts", importFile: "import.json", secrets: "secrets.sh" } as const;
  const release = fromTerraform === undefined ? [] : ["removed.tf"];
  const paths = [...Object.values(names), ...release].map((name) => join(out, name));
  refuseExisting(paths, force ?? false);
  const imported = await withAccount((client) => find(client, selection, flags));
  const { found, notes } = imported;
  for (const note of notes) say(`note: ${note}`);
  if (found.length === 0)
    throw new UserError("The account has nothing to import. Check that SLIPWAY_TEAM names the right team.");
  const files = importFiles(found);
  write(out, names.program, files.program, 0o644);
  write(out, names.importFile, files.importFile, 0o600);
  write(out, names.secrets, files.secrets, 0o600);
  if (imported.release) write(out, imported.release.name, imported.release.text, 0o644);
  say(`wrote ${paths.join(", ")} for ${found.length} resource${found.length === 1 ? "" : "s"}`);
  process.stdout.write(nextSteps(out, imported.release?.name));
}

/** @throws UserError if a file exists and may not be overwritten */
function refuseExisting(paths: readonly string[], force: boolean): void {
  const existing = paths.filter((path) => existsSync(path));
  if (existing.length === 0 || force) return;
  throw new UserError(
    `${existing.join(", ")} ${existing.length === 1 ? "exists" : "exist"} already. ` +
      "Choose another folder with --out, or overwrite with --force.",
  );
}

/** @throws UserError, ApiError */
async function find(
  client: Client,
  selection: readonly string[],
  { fromTerraform, promotions }: ImportFlags,
): Promise<Import> {
  if (fromTerraform === undefined)
    return discover(client, { selection, promotions: promotions ?? false, progress: say });
  const source = fromTerraform === "-" ? "The standard input" : fromTerraform;
  const text = readSource(fromTerraform);
  const { removed, ...found } = await importTerraform(client, text, { source, progress: say });
  return { ...found, release: { name: "removed.tf", text: removed } };
}

/** @param file - for standard input @throws UserError */
function readSource(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw new UserError(`${file} cannot be read (${(error as Error).message}).`);
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
const nextSteps = (out: string, release: string | undefined): string => {
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
${release === undefined ? "" : `4. ${releaseStep(join(out, release))}\n`}${release === undefined ? 4 : 5}. Remove the protection.
  pulumi up --yes
  rm ${secrets} ${importFile}
`;
};

const releaseStep = (path: string): string =>
  `In the Terraform configuration, replace the blocks of the resources by ${path}, and references to them by values.
   The plan must destroy nothing. After the apply, it is empty.
  terraform plan
  terraform apply`;

const shellArgument = (path: string): string => (/^[\w./@:+-]+$/.test(path) ? path : quoted(path));

const say = (message: string): void => void process.stderr.write(`slipway: ${message}\n`);
