import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withAccount } from "../core/account";
import { command, flagNameOf } from "../core/command";
import { UserError } from "../core/errors";
import { readInput } from "../core/input";
import { say } from "../core/output";
import { refuseExisting, refuseIrregular, refuseOwnFiles } from "../core/own-files";
import { kinds, namesOf } from "../objects";
import { type Discovery, discover } from "./discover";
import { importFiles, pluginFiles } from "./files";
import { type FormerTool, formerTools } from "./former-tools";
import { runtimeIn } from "./runtime";
import { nextSteps } from "./steps";

/** The kinds that an import declares without further flags. */
const imported = kinds.filter((kind) => "discover" in kind && !kind.name.endsWith("member"));

export const importCommand = command({
  summary: "writes a program and an import file for the projects of an account",
  description:
    `Reads the projects, ${namesOf(imported)} of an account, or those in the state of Terraform or ` +
    "@pulumiverse/vercel. Writes a TypeScript program that declares them, and files that import them into a stack. " +
    "Changes nothing in the account. SLIPWAY_API_URL, SLIPWAY_TOKEN and SLIPWAY_TEAM select the account.",
  arguments: [
    {
      name: "what",
      isOptional: true,
      isRepeated: true,
      help:
        "projects by id or name, or single environments (project/staging), domains (project/www.example.com), " +
        "variables (project/KEY/target, project/KEY/preview/branch), DNS records (example.com/rec_1) and members of " +
        "the team (ada@example.com); by default all projects, " +
        namesOf(imported.filter(({ owner }) => owner !== "project")),
    },
  ],
  flags: {
    out: { value: "folder", help: "folder for the files", default: "." },
    fromTerraform: {
      value: "file",
      help: "imports what is in a Terraform state; - reads `terraform show -json` from standard input",
    },
    fromPulumiverse: {
      value: "file",
      help: "imports what is in the export of a stack with @pulumiverse/vercel; - reads it from standard input",
    },
    plugin: {
      help: "imports resources of the plugin; `pulumi import` writes the program in the language of the project",
    },
    promotions: { help: "also declares the deployment that serves production" },
    members: { help: "also declares the members of the team, and of the projects" },
    force: { help: "overwrites existing files" },
  },
  notes: `Writes three files:
  index.ts     the program, without secrets; headers and destinations of routes are as they are
  import.json  for \`pulumi import --file\` (Pulumi CLI 3.254 or newer); contains secrets
  secrets.sh   sets the values of variables in the stack's configuration; contains secrets
Only you can read the last two. Remove them after the import. With --plugin, there is no index.ts.
With --from-terraform, also removed.tf, and with --from-pulumiverse, release.sh. They remove the resources from the
state of the former tool, and destroy nothing.`,
  examples: [
    ["slipway import", "writes the program of all projects into this folder"],
    ["slipway import web docs/www.example.com --out imported", "the project web, and one domain of docs"],
    ["slipway import --from-terraform terraform.tfstate", "what Terraform manages, with its values"],
    ["slipway import --plugin", "for a program in YAML, Python, Go, C# or Java"],
    ["slipway import --from-pulumiverse stack.json --out moved", "what the bridged provider manages"],
  ],
  run: ({ args, flags }) => runImport(args, flags),
});

interface ImportFlags {
  out: string;
  fromTerraform: string | undefined;
  fromPulumiverse: string | undefined;
  plugin: boolean | undefined;
  promotions: boolean | undefined;
  members: boolean | undefined;
  force: boolean | undefined;
}

const names = { program: "index.ts", importFile: "import.json", secrets: "secrets.sh" } as const;

/** @throws UserError, ConfigError */
async function runImport(selection: readonly string[], flags: ImportFlags): Promise<void> {
  const { out, force, plugin = false } = flags;
  const former = formerState(selection, flags);
  const file = (name: string): string => join(out, name);
  const paths = [
    ...(plugin ? [] : [file(names.program)]),
    ...[names.importFile, names.secrets, ...(former ? [former.tool.file] : [])].map(file),
  ];
  for (const path of paths) {
    refuseOwnFiles(path);
    refuseIrregular(path, "Choose another folder with --out.");
  }
  if (!force) refuseExisting(paths, "Choose another folder with --out, or overwrite with --force.");
  const discovery: Discovery & { release?: string } = await withAccount((client) =>
    former
      ? former.tool.read(client, former.text, { source: former.source, progress: say })
      : discover(client, { ...flags, selection, progress: say }),
  );
  const { found, notes, release } = discovery;
  for (const note of notes) say(`note: ${note}`);
  if (found.length === 0)
    throw new UserError("The account has nothing to import. Check that SLIPWAY_TEAM names the right team.");
  const files = plugin
    ? { ...pluginFiles(found, runtimeIn(out, ".")), program: undefined }
    : importFiles(found);
  if (files.program !== undefined) write(out, names.program, files.program, 0o644);
  write(out, names.importFile, files.importFile, 0o600);
  write(out, names.secrets, files.secrets, 0o600);
  if (former && release !== undefined) write(out, former.tool.file, release, 0o644);
  say(`wrote ${paths.join(", ")} for ${found.length} resource${found.length === 1 ? "" : "s"}`);
  process.stdout.write(nextSteps(out, former?.tool, plugin));
}

/**
 * The tool that has managed the objects until now, with the text of its state and the name of the file in messages.
 * @returns undefined without a --from flag
 * @throws UserError
 */
function formerState(
  selection: readonly string[],
  flags: ImportFlags,
): { tool: FormerTool; source: string; text: string } | undefined {
  const given = (["fromTerraform", "fromPulumiverse"] as const).filter((flag) => flags[flag] !== undefined);
  const [flag] = given;
  if (flag === undefined) return undefined;
  if (given.length > 1 || selection.length > 0 || flags.promotions || flags.members) {
    throw new UserError(
      `${flagNameOf(flag)} imports everything in the state. Remove the names of objects, --promotions, --members and the other --from flag.`,
    );
  }
  const file = flags[flag] ?? "";
  const source = file === "-" ? "The standard input" : file;
  return { tool: formerTools[flag], source, text: readInput(file) };
}

/** Writes a file. An existing file is deleted first, so that the new one has the given mode. */
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
