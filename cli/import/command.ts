import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withAccount } from "../core/account";
import { command } from "../core/command";
import { UserError } from "../core/errors";
import { discover } from "./discover";
import { importFiles, quoted } from "./files";

export const importCommand = command({
  summary: "writes a program and an import file for the projects of an account",
  description:
    "Reads the projects, domains and variables of an account. Writes a TypeScript program that declares them, and " +
    "files that import them into a stack. Changes nothing at the service. SLIPWAY_API_URL, SLIPWAY_TOKEN and " +
    "SLIPWAY_TEAM select the account.",
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
    promotions: { help: "also declares the deployment that serves production" },
    force: { help: "overwrites existing files" },
  },
  notes: `Writes three files:
  index.ts     the program, without secrets
  import.json  for \`pulumi import --file\` (Pulumi CLI 3.254 or newer); contains secrets
  secrets.sh   sets the values of variables in the stack's configuration; contains secrets
Only you can read the last two. Remove them after the import.`,
  examples: [
    ["slipway import", "writes the program of all projects into this folder"],
    ["slipway import web docs/www.example.com --out imported", "the project web, and one domain of docs"],
  ],
  run: ({ args, flags }) => runImport(args, flags),
});

interface ImportFlags {
  out: string;
  promotions: boolean | undefined;
  force: boolean | undefined;
}

/** @throws UserError, ConfigError */
async function runImport(
  selection: readonly string[],
  { out, promotions, force }: ImportFlags,
): Promise<void> {
  const names = { program: "index.ts", importFile: "import.json", secrets: "secrets.sh" } as const;
  const paths = Object.values(names).map((name) => join(out, name));
  const existing = paths.filter((path) => existsSync(path));
  if (existing.length > 0 && !force) {
    throw new UserError(
      `${existing.join(", ")} ${existing.length === 1 ? "exists" : "exist"} already. ` +
        "Choose another folder with --out, or overwrite with --force.",
    );
  }
  const { found, notes } = await withAccount((client) =>
    discover(client, { selection, promotions: promotions ?? false, progress: say }),
  );
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
