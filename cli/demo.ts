import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { command } from "./core/command";
import { UserError } from "./core/errors";
import { print, say } from "./core/output";
import { wholeNumber } from "./core/parse";
import { supportedPulumi } from "./core/pulumi-version";
import { installPlugin } from "./plugin";
import { refuseWithoutPulumi, refuseWithoutYamlHost } from "./pulumi-present";
import { Processes, ProcessFailed } from "./rehearse/process";
import { dashboardLink } from "./server/control";
import { readRecord } from "./server/record";

export const demo = command({
  summary: "starts the server and a first program in an empty folder",
  description:
    "Starts the reference API in the background, writes a program in YAML into this folder, which has to be empty, " +
    "and runs pulumi up. Needs the Pulumi CLI. Repeat it as often as you like: each run prints a new link to the dashboard.",
  flags: {
    port: {
      value: "number",
      help: "port of the server; a free one if it is in use",
      default: 4000,
      variable: "SLIPWAY_PORT",
      parse: wholeNumber(0, 65_535),
    },
  },
  examples: [["mkdir demo && cd demo && slipway demo", "runs a first program on a server of its own"]],
  exitCodes: { 130: "interrupted" },
  run: ({ flags }) => runDemo(flags),
});

/** The program of the demo. It is in YAML, so that it needs no packages. */
const program = `name: slipway-demo
description: A project with a variable and a domain, on the bundled server
requiredPulumiVersion: "${supportedPulumi}"
runtime: yaml
backend:
  url: file://./.slipway/state
resources:
  web:
    type: slipway:Project
    properties:
      framework: nextjs
      nodeVersion: 22.x
  greeting:
    type: slipway:EnvVar
    properties:
      project: \${web.id}
      key: GREETING
      value: hello
      type: plain
      target: [production, preview]
  domain:
    type: slipway:ProjectDomain
    properties:
      project: \${web.id}
      name: demo.example.com
outputs:
  projectId: \${web.id}
  # Publish one of these records to verify the domain.
  challenges: \${domain.verification}
`;

const passphraseFile = ".slipway/passphrase";

/**
 * Starts the server in the background, writes a program into this folder and runs it. A second run adds
 * the missing parts, and runs the program again.
 * @returns the exit code
 * @throws UserError if the folder has other files, a variable names another API, or the Pulumi CLI is missing or fails
 */
async function runDemo({ port }: { port: number }): Promise<number> {
  refuseOtherFolder();
  refuseOtherApi();
  const processes = new Processes();
  processes.interrupted.catch(() => {});
  try {
    await refuseWithoutPulumi(processes);
    refuseWithoutYamlHost();
    say(`the plugin is in ${installPlugin()}`);
    const url = await startServer(processes, port);
    say(`the server is at ${url}`);
    await runOn(url, processes);
    return 0;
  } catch (error) {
    if (processes.interruption === undefined) throw error;
    say("interrupted");
    return 130;
  }
}

/**
 * Runs the program, and prints the link to the dashboard and the next steps. After a failure, prints how to stop the
 * server instead of the next steps. @throws UserError
 */
async function runOn(url: string, processes: Processes): Promise<void> {
  let isDone = false;
  try {
    await runProgram(url, processes);
    isDone = true;
  } finally {
    const link = await linkTo(url);
    if (link !== undefined) print(`The dashboard is at ${link}`);
    if (isDone) process.stdout.write(nextSteps(url));
    else say(`the server continues in the background; ${slipway()} stop stops it`);
  }
}

/** @throws UserError */
async function runProgram(url: string, processes: Processes): Promise<void> {
  if (!existsSync("Pulumi.yaml")) {
    writeFileSync("Pulumi.yaml", program);
    say("wrote Pulumi.yaml");
  }
  mkdirSync(stateFolder, { recursive: true });
  if (!existsSync(passphraseFile)) {
    writeFileSync(passphraseFile, randomBytes(24).toString("base64url"), { mode: 0o600 });
  }
  const onStack = async (...args: string[]): Promise<void> => {
    await outputOf(processes, ["pulumi", ...args, "--non-interactive"]);
  };
  await onStack("stack", "select", "--create", "dev", "--secrets-provider", "passphrase");
  await onStack(
    ...["config", "set-all", "--stack", "dev"],
    ...["--plaintext", `slipway:apiUrl=${url}`, "--plaintext", "slipway:team=acme"],
    ...["--secret", "slipway:token=slipway-dev-token"],
  );
  const up = ["pulumi", "up", "--yes", "--skip-preview", "--stack", "dev"];
  if ((await processes.show(up, { cwd: process.cwd(), env: environment() })) === 0) return;
  const hint = isLocked() ? ` ${unlockHint}` : "";
  throw new UserError(`pulumi up failed: see above.${hint}`);
}

const stateFolder = ".slipway/state";

/** True if the stack is locked. A run that was killed leaves its lock. */
const isLocked = (): boolean =>
  readdirSync(stateFolder, { recursive: true, encoding: "utf8" }).some((name) =>
    /^\.pulumi.locks.*\.json$/.test(name),
  );

const unlockHint = `The stack is locked. If no other run uses it, remove the lock, then try again:
  export PULUMI_CONFIG_PASSPHRASE_FILE=${passphraseFile}
  pulumi cancel dev --yes`;

/** @returns a link that opens the dashboard once; undefined if the dashboard is off or the request fails */
async function linkTo(url: string): Promise<string | undefined> {
  try {
    return await dashboardLink({ url, token: readRecord()?.controlToken });
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** @returns the output of a command @throws UserError with the output, if the command fails */
async function outputOf(processes: Processes, words: readonly string[]): Promise<string> {
  try {
    return await processes.output(words, { cwd: process.cwd(), env: environment() });
  } catch (error) {
    if (!(error instanceof ProcessFailed)) throw error;
    throw new UserError(`${words.slice(0, 3).join(" ")} failed:\n${error.said}`);
  }
}

/** Files that the folder may have: hidden files, and the files of an installation of this package. */
const allowed = /^(\..*|node_modules|package(-lock)?\.json|slipway-.*\.tgz)$/;

/** Refuses a folder with other files, because it may have its own stack. @throws UserError */
function refuseOtherFolder(): void {
  const others = readdirSync(".").filter((name) => !allowed.test(name));
  if (others.length === 0 || (existsSync("Pulumi.yaml") && existsSync(".slipway"))) return;
  throw new UserError("This folder is not empty. Run slipway demo in an empty one: mkdir demo && cd demo");
}

/** Refuses variables that select an API. They override the stack's settings, so the demo could change an account. */
function refuseOtherApi(): void {
  const given = ["SLIPWAY_API_URL", "SLIPWAY_TOKEN", "SLIPWAY_TEAM"].filter((name) => process.env[name]);
  if (given.length === 0) return;
  throw new UserError(`The demo runs on its own server. Unset ${given.join(", ")}, then try again.`);
}

const main = join(__dirname, "main.js");

/** @returns the address of the server @throws UserError if it does not start */
async function startServer(processes: Processes, port: number): Promise<string> {
  const start = (at: number): Promise<string> =>
    processes
      .output([process.execPath, main, "serve", "--detach", "--port", String(at)], {
        cwd: process.cwd(),
        env: process.env,
      })
      .catch((error: unknown) => {
        if (error instanceof ProcessFailed) return error.said;
        throw error;
      });
  let output = await start(port);
  if (/port .* in use|EADDRINUSE/i.test(output)) output = await start(0);
  const url = /(?:listening on|already running at) (http\S+?)\.?(?:\s|$)/.exec(output)?.[1];
  if (url === undefined) throw new UserError(output.replace(/^slipway: /, ""));
  return url;
}

const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  // The plugin runs with the same Node.js as this command.
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  PULUMI_CONFIG_PASSPHRASE: undefined,
  PULUMI_CONFIG_PASSPHRASE_FILE: passphraseFile,
  PULUMI_BACKEND_URL: undefined,
  PULUMI_STACK: undefined,
});

/**
 * The command to type in this folder. It is `npx slipway` only if the folder has the package. Without the package, npx
 * would fetch a package of the same name from the registry.
 */
function slipway(): string {
  const own = realpathSync(main);
  const isOwn = (file: string): boolean => existsSync(file) && realpathSync(file) === own;
  if (parentsOf(process.cwd()).some((folder) => isOwn(join(folder, "node_modules/slipway/dist/cli/main.js"))))
    return "npx slipway";
  const onPath = (process.env.PATH ?? "").split(delimiter).some((folder) => isOwn(join(folder, "slipway")));
  return onPath && !__dirname.includes("_npx") ? "slipway" : `node "${main}"`;
}

/** A folder and its parent folders. */
function parentsOf(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...parentsOf(parent)];
}

/** The command that unsets variables which select another backend, stack or passphrase; empty if none is set. */
function unsetOthers(): string {
  const others = ["PULUMI_BACKEND_URL", "PULUMI_STACK", "PULUMI_CONFIG_PASSPHRASE"];
  const given = others.filter((name) => process.env[name] !== undefined);
  return given.length === 0 ? "" : `  unset ${given.join(" ")}\n`;
}

function nextSteps(url: string): string {
  return `
In this folder, let the CLI read the secrets of the stack:

  export PULUMI_CONFIG_PASSPHRASE_FILE=${passphraseFile}
${unsetOthers()}
Change Pulumi.yaml, for example to "framework: astro", and run it:

  pulumi up

Change the project behind Pulumi's back, and see what pulumi up --refresh would correct:

  curl --silent --show-error --output /dev/null --request PATCH '${url}/v9/projects/web?slug=acme' --header 'Authorization: Bearer slipway-dev-token' --header 'Content-Type: application/json' --data '{"framework":"vite"}'
  pulumi preview --refresh --diff

Delete what the program created, and stop the server:

  pulumi destroy
  ${slipway()} stop
`;
}
