import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { command } from "./core/command";
import { UserError } from "./core/errors";
import { installPlugin } from "./plugin";

export const demo = command({
  summary: "starts the server and a first program in an empty folder",
  description:
    "Starts the reference API in the background, writes a program in YAML into this folder, which has to be empty, " +
    "and runs pulumi up. Needs the Pulumi CLI. Repeat it as often as you like.",
  flags: {
    port: { value: "number", help: "port of the server; a free one if it is in use", default: "4000" },
  },
  examples: [["mkdir demo && cd demo && slipway demo", "runs a first program on a server of its own"]],
  run: ({ flags }) => runDemo(flags),
});

const pulumiMissing = `The Pulumi CLI is not on PATH. Install it, then try again:
  macOS    brew install pulumi/tap/pulumi
  Linux    curl -fsSL https://get.pulumi.com | sh
  Windows  winget install pulumi
https://www.pulumi.com/docs/install/ has other ways.`;

/** In YAML, so that the demo needs no packages. */
const program = `name: slipway-demo
description: A project with a variable and a domain, on the bundled server
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
 * Starts the server in the background, writes a program into this folder and runs it. A second run starts what is
 * missing, and runs the program again.
 * @throws UserError if the folder has other files, a variable names another API, or the Pulumi CLI is missing
 */
async function runDemo({ port }: { port: string }): Promise<void> {
  refuseOtherFolder();
  refuseOtherApi();
  if ((await run("pulumi", ["version"])).code !== 0) throw new UserError(pulumiMissing);
  const say = (text: string): void => void process.stderr.write(`slipway: ${text}\n`);

  const { url, dashboard } = await startServer(port);
  say(`the server is at ${url}`);
  if (!existsSync("Pulumi.yaml")) {
    writeFileSync("Pulumi.yaml", program);
    say("wrote Pulumi.yaml");
  }
  mkdirSync(".slipway/state", { recursive: true });
  if (!existsSync(passphraseFile)) {
    writeFileSync(passphraseFile, randomBytes(24).toString("base64url"), { mode: 0o600 });
  }
  say(`the plugin is in ${installPlugin()}`);
  await onStack(["stack", "select", "--create", "dev", "--secrets-provider", "passphrase"]);
  await onStack([
    ...["config", "set-all", "--stack", "dev"],
    ...["--plaintext", `slipway:apiUrl=${url}`, "--plaintext", "slipway:team=acme"],
    ...["--secret", "slipway:token=slipway-dev-token"],
  ]);
  const up = await run("pulumi", ["up", "--yes", "--skip-preview", "--stack", "dev"], {
    env: environment(),
    shown: true,
  });
  if (up.code !== 0) throw new UserError("pulumi up failed: see above.");
  process.stdout.write(
    `${dashboard === undefined ? "" : `The dashboard is at ${dashboard}\n`}${nextSteps()}`,
  );
}

/** What npm leaves beside this package, and hidden files. */
const allowed = /^(\..*|node_modules|package(-lock)?\.json|slipway-.*\.tgz)$/;

/** A folder with other files may have a stack of its own. */
function refuseOtherFolder(): void {
  const others = readdirSync(".").filter((name) => !allowed.test(name));
  if (others.length === 0 || (existsSync("Pulumi.yaml") && existsSync(".slipway"))) return;
  throw new UserError("This folder is not empty. Run slipway demo in an empty one: mkdir demo && cd demo");
}

/** The environment wins over the stack's configuration: the demo could change an account. */
function refuseOtherApi(): void {
  const given = ["SLIPWAY_API_URL", "SLIPWAY_TOKEN", "SLIPWAY_TEAM"].filter((name) => process.env[name]);
  if (given.length === 0) return;
  throw new UserError(`The demo runs on its own server. Unset ${given.join(", ")}, then try again.`);
}

const main = join(__dirname, "main.js");

/** @returns the address of the server, and a link that opens its dashboard unless it runs already */
async function startServer(port: string): Promise<{ url: string; dashboard: string | undefined }> {
  const start = (at: string) => run(process.execPath, [main, "serve", "--detach", "--port", at]);
  let { code, output } = await start(port);
  if (code !== 0 && /in use|EADDRINUSE/.test(output)) ({ code, output } = await start("0"));
  const url = /(?:listening on|already running at) (http\S+?)\.?\s/.exec(output)?.[1];
  if (url === undefined) throw new UserError(output.trim().replace(/^slipway: /, ""));
  return { url, dashboard: /^The dashboard is at (\S+)$/m.exec(output)?.[1] };
}

const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  // The plugin runs on the Node.js of this command.
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  PULUMI_CONFIG_PASSPHRASE: undefined,
  PULUMI_CONFIG_PASSPHRASE_FILE: passphraseFile,
  PULUMI_BACKEND_URL: undefined,
});

/** @throws UserError with the output of a command that fails */
async function onStack(args: string[]): Promise<void> {
  const { code, output } = await run("pulumi", [...args, "--non-interactive"], { env: environment() });
  if (code !== 0) throw new UserError(`pulumi ${args[0]} ${args[1]} failed:\n${output.trim()}`);
}

function nextSteps(): string {
  // A package that npx fetched for this run is not in the folder.
  const slipway = __dirname.includes("_npx") ? `node "${main}"` : "npx slipway";
  return `
In this folder, let the CLI read the secrets of the stack:

  export PULUMI_CONFIG_PASSPHRASE_FILE=${passphraseFile}

Change Pulumi.yaml, for example to "framework: astro", and run it:

  pulumi up

Change something in the dashboard, and see what differs:

  pulumi preview --refresh

Delete what the program created, and stop the server:

  pulumi destroy
  ${slipway} stop
`;
}

/** Runs a program to its end. @returns 127 if there is none */
function run(
  file: string,
  args: string[],
  { env = process.env, shown = false }: { env?: NodeJS.ProcessEnv; shown?: boolean } = {},
): Promise<{ code: number; output: string }> {
  return new Promise((done) => {
    const child = spawn(file, args, {
      env,
      stdio: ["ignore", shown ? "inherit" : "pipe", shown ? "inherit" : "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => (output += text));
    child.on("error", (error) => done({ code: 127, output: error.message }));
    child.on("close", (code) => done({ code: code ?? 1, output }));
  });
}
