import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const root = path.join(import.meta.dirname, "../..");

export const steps = ["up", "preview", "refresh", "destroy"] as const;
export type Step = (typeof steps)[number];

/** A step that a stack can run. */
export type Command = Step | "refreshed";

const commands: Record<Command, string[]> = {
  up: ["up", "--yes", "--skip-preview"],
  refreshed: ["up", "--yes", "--skip-preview", "--refresh"],
  preview: ["preview"],
  refresh: ["refresh", "--yes", "--skip-preview"],
  destroy: ["destroy", "--yes", "--skip-preview"],
};

/** Seconds that a step took, and that processors worked for it. */
export interface Took {
  wall: number;
  work: number;
}

/** A stack with a file backend of its own. */
export interface Stack {
  /** @param text the program; in YAML, the resources as JSON */
  program(text: string): void;
  /** @param args more for the CLI @throws Error with what was printed when it fails */
  run(step: Command, args?: string[]): Promise<Took>;
}

export interface Stacks {
  /** @param env of every command, beside what all have */
  make(name: string, env?: Record<string, string>, language?: "nodejs" | "yaml"): Promise<Stack>;
  remove(): void;
}

/**
 * A place for stacks, whose programs find the package `slipway` and another one, `noopway`.
 * @param noop what `noopway/dynamic` is
 */
export function openStacks(noop: string): Stacks {
  const folder = mkdtempSync(path.join(tmpdir(), "slipway-bench-"));
  const modules = path.join(folder, "node_modules");
  mkdirSync(path.join(modules, "noopway"), { recursive: true });
  writeFileSync(path.join(modules, "noopway/dynamic.js"), noop);
  for (const name of ["@pulumi", "slipway"]) {
    symlinkSync(path.join(root, "node_modules", name), path.join(modules, name));
  }
  return {
    async make(name, env = {}, language = "nodejs") {
      const own = path.join(folder, name);
      mkdirSync(path.join(own, "state"), { recursive: true });
      writeFileSync(path.join(own, "package.json"), JSON.stringify({ type: "module", main: "index.js" }));
      const isYaml = language === "yaml";
      const project = {
        name,
        runtime: isYaml ? "yaml" : { name: "nodejs", options: { typescript: false } },
        plugins: { providers: [{ name: "slipway", path: path.join(root, "dist/plugin") }] },
      };
      const write = (more: object = {}): void =>
        writeFileSync(path.join(own, "Pulumi.yaml"), JSON.stringify({ ...project, ...more }));
      write();
      const all = { ...env, PULUMI_BACKEND_URL: pathToFileURL(path.join(own, "state")).href };
      writeFileSync(path.join(own, "index.js"), "");
      await pulumi(own, ["stack", "init", "bench", "--secrets-provider", "passphrase"], all);
      return {
        program: (text) =>
          isYaml ? write({ resources: JSON.parse(text) }) : writeFileSync(path.join(own, "index.js"), text),
        run: (step, args = []) => pulumi(own, [...commands[step], ...args], all),
      };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function pulumi(cwd: string, args: string[], env: Record<string, string>): Promise<Took> {
  const file = process.env.SLIPWAY_PULUMI;
  if (file === undefined) throw new Error("Run it with `npm run bench`, which finds the Pulumi CLI.");
  return timed(cwd, [file, ...args, "--non-interactive", "--color", "never"], {
    ...process.env,
    PULUMI_CONFIG_PASSPHRASE: "passphrase",
    ...env,
  });
}

/** Runs a command. @throws Error with what was printed when it fails */
export async function timed(cwd: string, command: string[], env: NodeJS.ProcessEnv): Promise<Took> {
  const begun = performance.now();
  // The shell tells how long the processors worked for what it has run.
  const script = '"$@" 2>&1; code=$?; times; exit $code';
  const child = spawn("sh", ["-c", script, "sh", ...command], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (text) => {
    output += text;
  });
  const code = await new Promise((done) => child.once("close", done));
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${output}`);
  return { wall: (performance.now() - begun) / 1000, work: workOf(output) };
}

/** The last line of `times`: minutes and seconds of the children, in user and system mode. */
function workOf(output: string): number {
  const last = output.trimEnd().split("\n").at(-1) ?? "";
  const seconds = [...last.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
  );
  return seconds.reduce((sum, one) => sum + one, 0);
}
