import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parse, stringify } from "yaml";
import { isPlain, type Plain } from "../../provider/core/values";
import { pulumiEnvironment } from "../../provider/pulumi-cli";
import { UserError } from "../core/errors";
import { encryption } from "./encrypt";
import type { Folder } from "./folder";
import { type Processes, ProcessFailed } from "./process";
import { projectOf } from "./program-files";
import type { PulumiCommand } from "./pulumi-command";

/** Reads the stack of a command, and copies it to a backend on disk. */

const quiet = ["--non-interactive", "--color", "never"];

/** A value of the stack's configuration. */
interface ConfigValue {
  value?: string;
  objectValue?: unknown;
  secret: boolean;
}

interface NamedState {
  /** The name without organization and project. */
  name: string;
  project: string;
  /** The exported state, with secrets in plain text. It stays in memory. */
  state: { version?: number; deployment?: Plain };
}

export interface StackCopySource extends NamedState {
  /** The stacks that the program refers to. */
  references: readonly NamedState[];
  resources: readonly Resource[];
  config: ReadonlyMap<string, ConfigValue>;
}

/** A resource of a state, with secrets in plain text. */
export interface Resource {
  urn: string;
  type: string;
  id: string;
  custom: boolean;
  inputs: Plain;
  outputs: Plain;
  /** The inputs and outputs that the state marks as secret, also if only a part of the value is. */
  marked: readonly string[];
}

/** @throws UserError if the stack cannot be read */
export async function readStack(
  processes: Processes,
  { start, folder, stack, configFile }: PulumiCommand,
): Promise<StackCopySource> {
  const env = pulumiEnvironment();
  const of = stack === undefined ? [] : ["--stack", stack];
  const ask = async (args: readonly string[], which: readonly string[] = of): Promise<string> => {
    try {
      return await processes.output([...start, ...args, ...which, ...quiet], { cwd: folder, env });
    } catch (error) {
      if (!(error instanceof ProcessFailed)) throw error;
      throw new UserError(`The stack cannot be read: ${error.said}`);
    }
  };
  const project = projectIn(folder);
  const named = stack ?? (await ask(["stack", "--show-name"])).trim();
  const state = JSON.parse(await ask(["stack", "export", "--show-secrets"])) as StackCopySource["state"];
  const file = configFile === undefined ? [] : ["--config-file", configFile];
  const config = JSON.parse(await ask(["config", "--show-secrets", "--json", ...file])) as Record<
    string,
    ConfigValue
  >;
  const resources = resourcesIn(state.deployment);
  const references: NamedState[] = [];
  for (const name of referencesIn(resources)) {
    const parts = name.split("/");
    references.push({
      name: parts.at(-1) ?? name,
      project: parts.length === 3 ? (parts[1] ?? project) : project,
      state: JSON.parse(await ask(["stack", "export", "--show-secrets"], ["--stack", name])),
    });
  }
  return {
    name: named.split("/").at(-1) ?? named,
    project,
    state,
    references,
    resources,
    config: new Map(Object.entries(config)),
  };
}

const referencesIn = (resources: readonly Resource[]): Set<string> =>
  new Set(
    resources.flatMap(({ type, inputs }) =>
      type === "pulumi:pulumi:StackReference" && typeof inputs.name === "string" ? [inputs.name] : [],
    ),
  );

/** The name of the project of a folder. @throws UserError */
function projectIn(folder: string): string {
  const project = projectOf(folder);
  if (project) return String(project.contents.name);
  throw new UserError(`No Pulumi.yaml is in ${folder}. Run this in the program's folder.`);
}

export const resourcesIn = (deployment: Plain | undefined): Resource[] =>
  (Array.isArray(deployment?.resources) ? deployment.resources : []).filter(isPlain).map((resource) => ({
    urn: String(resource.urn),
    type: String(resource.type),
    id: String(resource.id ?? ""),
    custom: resource.custom === true,
    inputs: opened(resource.inputs ?? {}) as Plain,
    outputs: opened(resource.outputs ?? {}) as Plain,
    marked: [...new Set([resource.inputs, resource.outputs].flatMap(markedIn))],
  }));

/** The keys of an object whose values are or contain secrets. */
export const markedIn = (values: unknown): string[] =>
  Object.entries(isPlain(values) ? values : {}).flatMap(([key, value]) => (hasSecret(value) ? [key] : []));

function hasSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasSecret);
  return isPlain(value) && (secretSignature in value || Object.values(value).some(hasSecret));
}

const secretSignature = "4dabf18193072939515e22adb298388d";

/** The value with its secrets in plain text. */
function opened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(opened);
  if (!isPlain(value)) return value;
  if (secretSignature in value) {
    return typeof value.plaintext === "string" ? JSON.parse(value.plaintext) : undefined;
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, opened(item)]));
}

/** A state with its secrets encrypted. */
function encrypted(value: unknown, encrypt: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => encrypted(item, encrypt));
  if (!isPlain(value)) return value;
  if (secretSignature in value && typeof value.plaintext === "string") {
    const { plaintext, ...rest } = value;
    return { ...rest, ciphertext: encrypt(plaintext) };
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encrypted(item, encrypt)]));
}

export interface StackCopy {
  configFile: string;
  /** The environment of the CLI: its backend, passphrase and home. */
  env: NodeJS.ProcessEnv;
  /** The current resources, with secrets in plain text. */
  export(): Promise<Resource[]>;
}

interface CopyOptions {
  files: Folder;
  /** The folder for PULUMI_HOME. */
  home: string;
  /** The folder that precedes PATH. */
  binaries: string;
  /** The values of `--allow`. */
  allowed: readonly string[];
  /** New values for keys of the configuration. */
  replaced: Readonly<Record<string, string>>;
}

const guard = join(__dirname, "guard.js");

/** Copies a stack to a backend in a folder, with its secrets encrypted by a new passphrase. */
export async function copyStack(
  processes: Processes,
  { start, folder }: PulumiCommand,
  source: StackCopySource,
  { files, home, binaries, allowed, replaced }: CopyOptions,
): Promise<StackCopy> {
  const { name, config } = source;
  const passphrase = randomBytes(24).toString("base64url");
  const env: NodeJS.ProcessEnv = {
    ...pulumiEnvironment(),
    PULUMI_BACKEND_URL: `${pathToFileURL(files.folder("state")).href}?metadata=skip`,
    PULUMI_CONFIG_PASSPHRASE: passphrase,
    PULUMI_CONFIG_PASSPHRASE_FILE: undefined,
    PULUMI_ACCESS_TOKEN: undefined,
    PULUMI_STACK: undefined,
    PULUMI_HOME: home,
    // The CLI writes to the files that these variables name.
    PULUMI_CREDENTIALS_PATH: undefined,
    PULUMI_CREDENTIAL_STORE: undefined,
    PULUMI_DEBUG_GRPC: undefined,
    // The requests to the copy are none of the account.
    OTEL_SDK_DISABLED: "true",
    // A refusal of code that would run for real, in every Node.js process.
    NODE_OPTIONS: [process.env.NODE_OPTIONS, `--require ${JSON.stringify(guard)}`].filter(Boolean).join(" "),
    SLIPWAY_REHEARSAL_ALLOW: allowed.join(","),
    PATH: [binaries, process.env.PATH].filter(Boolean).join(delimiter),
    // Temporary files are deleted with the folder of the rehearsal, even if the CLI is killed.
    TMPDIR: files.folder("tmp"),
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    // Lets the CLI write an event log.
    PULUMI_DEBUG_COMMANDS: "true",
  };
  const run = async (cwd: string, args: readonly string[], input?: string): Promise<string> => {
    try {
      // Starts in the folder of the program, where npx finds the CLI.
      return await processes.output([...start, "--cwd", cwd, ...args, ...quiet], {
        cwd: folder,
        env,
        ...(input !== undefined && { input }),
      });
    } catch (error) {
      if (!(error instanceof ProcessFailed)) throw error;
      throw new UserError(`The stack cannot be copied: ${error.said}`);
    }
  };
  /** Creates a stack from an exported state. The project keeps its name, and gets its file in the folder `cwd`. */
  const importState = async (cwd: string, { name, project, state }: NamedState) => {
    writeFileSync(join(cwd, "Pulumi.yaml"), stringify({ name: project, runtime: "yaml" }), { mode: 0o600 });
    await run(cwd, ["stack", "init", name, "--secrets-provider", "passphrase"]);
    const configFile = join(cwd, `Pulumi.${name}.yaml`);
    const { encryptionsalt } = parse(readFileSync(configFile, "utf8")) as { encryptionsalt: string };
    const encrypt = await encryption(passphrase, encryptionsalt);
    const deployment = {
      ...(encrypted(state.deployment ?? {}, encrypt) as Plain),
      secrets_providers: { type: "passphrase", state: { salt: encryptionsalt } },
    };
    await run(cwd, ["stack", "import", "--stack", name], JSON.stringify({ ...state, deployment }));
    return { configFile, encryptionsalt, encrypt };
  };
  for (const [at, reference] of source.references.entries())
    await importState(files.folder(`reference-${at}`), reference);
  const cwd = files.folder("project");
  const { configFile, encryptionsalt, encrypt } = await importState(cwd, source);
  const values = [...config].map(([key, { value, objectValue, secret }]): [string, unknown] => {
    const isReplaced = Object.hasOwn(replaced, key);
    if (!secret && !isReplaced) return [key, objectValue ?? value ?? ""];
    // A secret object is stored as JSON text. Programs read both forms in the same way.
    const text = replaced[key] ?? (objectValue === undefined ? (value ?? "") : JSON.stringify(objectValue));
    return [key, { secure: encrypt(text) }];
  });
  writeFileSync(configFile, stringify({ encryptionsalt, config: Object.fromEntries(values) }), {
    mode: 0o600,
  });
  return {
    configFile,
    env,
    export: async () =>
      resourcesIn(
        (
          JSON.parse(await run(cwd, ["stack", "export", "--show-secrets", "--stack", name])) as {
            deployment?: Plain;
          }
        ).deployment,
      ),
  };
}
