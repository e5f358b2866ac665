import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import { command } from "./core/command";
import { UserError } from "./core/errors";
import { print } from "./core/output";
import { refuseOwnFiles } from "./core/own-files";

const languages = ["typescript", "yaml", "hcl"] as const;

export const init = command({
  summary: "writes a first program into an empty folder",
  description:
    "Writes a Pulumi program with a project, a variable and a domain into an empty folder, and prints the next steps. " +
    "It starts nothing and asks nothing.",
  arguments: [
    {
      name: "folder",
      help: "a folder that is empty or does not exist; default: this folder",
      isOptional: true,
    },
  ],
  flags: {
    language: {
      value: "language",
      help: "language of the program; YAML and HCL need slipway plugin install",
      choices: languages,
      default: "typescript",
    },
    name: {
      value: "name",
      help: "name of the Pulumi project and of the Vercel project; default: that of the folder",
      parse: projectName,
    },
  },
  examples: [
    ["slipway init infrastructure", "writes a program in TypeScript"],
    [
      "slipway init infrastructure --language yaml --name web",
      "writes a program in YAML for the project web",
    ],
  ],
  run({ args: [folder = "."], flags: { language, name } }) {
    write(resolve(folder), language, name ?? nameOf(folder));
    for (const line of nextSteps(folder, language)) print(line);
  },
});

/** @throws InvalidArgumentError */
function projectName(text: string): string {
  if (/^[a-z0-9][a-z0-9._-]{0,99}$/.test(text) && !text.includes("---")) return text;
  throw new InvalidArgumentError("Use up to 100 lower-case letters, digits, ., _ and -, without ---.");
}

/** The name of a folder in the form that Vercel and Pulumi accept. @throws UserError if nothing is left of it */
function nameOf(folder: string): string {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9._]+/g, "-")
    .replace(/^[-._]+|[-._]+$/g, "")
    .slice(0, 100);
  if (name === "") throw new UserError(`${resolve(folder)} gives no name. Set one with --name.`);
  return name;
}

/** @throws UserError if the folder has files */
function write(folder: string, language: string, name: string): void {
  refuseOwnFiles(join(folder, "Pulumi.yaml"));
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new UserError(
      `${folder} is not empty. Choose an empty folder, such as slipway init infrastructure.`,
    );
  mkdirSync(folder, { recursive: true });
  cpSync(join(templates(), `slipway-${language}`), folder, { recursive: true });
  renameSync(join(folder, "gitignore"), join(folder, ".gitignore"));
  for (const file of readdirSync(folder)) {
    const text = readFileSync(join(folder, file), "utf8");
    writeFileSync(join(folder, file), filled(file, text, name));
  }
}

/** The templates of the package, which is one folder further up once it is built. */
const templates = (): string =>
  [join(__dirname, "../../templates"), join(__dirname, "../templates")].find(existsSync) ?? "";

/** A file of a template as `pulumi new` writes it. */
function filled(file: string, text: string, name: string): string {
  // The questions of `pulumi new` are no part of a project.
  const own = file === "Pulumi.yaml" ? text.replace(/^template:\n(?: .*\n|\n(?= ))*/m, "") : text;
  return own.replace(/\$\{PROJECT\}/g, name).replace(/\$\{DESCRIPTION\}/g, "Vercel projects, with Slipway");
}

const nextSteps = (folder: string, language: string): readonly string[] => [
  "Next:",
  "",
  ...(folder === "." ? [] : [`    cd ${folder}`]),
  language === "typescript"
    ? "    npm install <the package file of slipway>"
    : "    npx slipway plugin install",
  "    npx slipway serve --detach",
  "    export SLIPWAY_TOKEN=slipway-dev-token SLIPWAY_TEAM=acme",
  "    export PULUMI_BACKEND_URL=file://~ PULUMI_CONFIG_PASSPHRASE=<a passphrase>",
  "    pulumi stack init dev",
  "    pulumi up",
  "",
  "The variables name the bundled server. For a real account, set SLIPWAY_API_URL, SLIPWAY_TOKEN and SLIPWAY_TEAM.",
];
