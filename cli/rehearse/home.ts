import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { rehearsalVariable } from "../../provider/client/rehearsal";
import { version } from "../../provider/client/version";
import { isPlain } from "../../provider/core/values";
import { UserError } from "../core/errors";
import { pulumiHome } from "../core/pulumi-home";
import { projectOf } from "./program-files";

/** Packages whose resources exist only in the state. */
const harmless = ["random", "tls", "std"];
/** The host of dynamic resources in Node.js, which comes with the CLI. The guard limits it to those of Slipway. */
const nodeHost = "pulumi-nodejs";
const pythonHost = "pulumi-python";

/** Parts of PULUMI_HOME that are not linked, such as the credentials of backends and the selected stacks. */
const notLinked = new Set(["plugins", "credentials.json", "workspaces", "logs"]);

export interface HomeOptions {
  /** The folder to fill. */
  target: string;
  /** The folder of the program. */
  program: string;
  /** Packages whose resources may change for real. */
  allowed: readonly string[];
  environment?: NodeJS.ProcessEnv;
}

/**
 * Creates a folder for PULUMI_HOME without plugins of other providers, because their resources would change for real.
 * Plugins of Slipway that do not support rehearsals are left out too.
 * @throws UserError if another plugin would be found elsewhere
 */
export function makeHome({ target, program, allowed, environment = process.env }: HomeOptions): void {
  const home = pulumiHome(environment);
  const names = existsSync(home) ? readdirSync(home) : [];
  for (const name of names) if (!notLinked.has(name)) symlinkSync(join(home, name), join(target, name));
  const plugins = join(target, "plugins");
  mkdirSync(plugins);
  const mayRun = [...harmless, nodeHost, ...allowed];
  for (const name of existsSync(join(home, "plugins")) ? readdirSync(join(home, "plugins")) : []) {
    const [, kind, of] = /^(\w+)-(.+?)-v\d/.exec(name) ?? [];
    const folder = join(home, "plugins", name);
    const isAllowed = of === "slipway" ? supportsRehearsals(folder) : mayRun.includes(of ?? "");
    if (kind !== undefined && (kind !== "resource" || isAllowed)) link(folder, join(plugins, name));
  }
  const own = join(__dirname, "../../plugin");
  const ownTarget = join(plugins, `resource-slipway-v${version}`);
  if (existsSync(own) && !existsSync(ownTarget)) link(own, ownTarget);
  // The CLI prefers the host on PATH, where the rehearsal puts one that refuses.
  refuseOnPath([...mayRun, pythonHost], environment);
  refuseInProject(program, [...harmless, ...allowed]);
}

/**
 * Fills a folder that precedes PATH with a host that refuses dynamic resources in Python.
 * @param allowed packages whose resources may change for real
 */
export function fillBinaries(target: string, allowed: readonly string[]): void {
  if (allowed.includes(pythonHost)) return;
  const message =
    `A rehearsal does not run dynamic resources of the program, because they would change for real. ` +
    `If they may change, add --allow ${pythonHost}.`;
  const name = `pulumi-resource-${pythonHost}`;
  writeFileSync(join(target, name), `#!/bin/sh\necho "${message}" >&2\nexit 1\n`, { mode: 0o755 });
  writeFileSync(join(target, `${name}.cmd`), `@echo ${message} 1>&2\r\n@exit /b 1\r\n`);
}

/** Links the contents of a folder: the CLI does not list plugins whose folders are links. */
function link(from: string, to: string): void {
  if (!isFolder(from)) {
    symlinkSync(from, to);
    return;
  }
  mkdirSync(to);
  for (const name of readdirSync(from)) symlinkSync(join(from, name), join(to, name));
}

/** Refuses other plugins on PATH: the CLI prefers them to those in PULUMI_HOME. */
function refuseOnPath(mayRun: readonly string[], environment: NodeJS.ProcessEnv): void {
  for (const folder of (environment.PATH ?? "").split(delimiter)) {
    if (folder === "" || !isFolder(folder)) continue;
    for (const name of readdirSync(folder)) {
      const [, of] = /^pulumi-resource-([\w-]+?)(\.exe|\.cmd)?$/.exec(name) ?? [];
      if (of === "slipway") refuseOldPlugin(folder);
      else if (of !== undefined && !mayRun.includes(of)) throw otherPlugin(of, join(folder, name));
    }
  }
}

/** Refuses other plugins that the project names by their folders. It can be in a folder above the current one. */
function refuseInProject(folder: string, mayRun: readonly string[]): void {
  const project = projectOf(folder);
  if (project === undefined) return;
  const { plugins, packages } = project.contents as {
    plugins?: { providers?: { name?: string; path?: string }[] };
    packages?: Record<string, unknown>;
  };
  const named = (plugins?.providers ?? []).map(({ name, path }) => [name, path] as const);
  const local = Object.entries(packages ?? {}).flatMap(([name, source]) => {
    const path = isPlain(source) ? source.source : source;
    return typeof path === "string" && isLocal(project.root, path) ? [[name, path] as const] : [];
  });
  for (const [name = "", path] of [...named, ...local]) {
    if (name === "slipway") refuseOldPlugin(resolve(project.root, String(path)));
    else if (!mayRun.includes(name)) throw otherPlugin(name, String(path));
  }
}

const isLocal = (root: string, path: string): boolean =>
  /^[./]/.test(path) || existsSync(resolve(root, path));

function refuseOldPlugin(folder: string): void {
  if (supportsRehearsals(folder)) return;
  throw new UserError(
    `The plugin in ${folder} does not support rehearsals and could change the account. Install the plugin of this version: ` +
      "slipway plugin install",
  );
}

/** True if the program of a plugin reads the variable with the description of a rehearsal. */
function supportsRehearsals(folder: string): boolean {
  const files = ["", ".exe", ".cmd"].map((end) => join(folder, `pulumi-resource-slipway${end}`));
  return files.some((file) => existsSync(file) && readFileSync(file).includes(rehearsalVariable));
}

const otherPlugin = (name: string, path: string): UserError =>
  new UserError(
    `The CLI would use the provider ${name} (${path}), and its resources would really change. ` +
      `If the program does not use it, or its resources may change, add --allow ${name}.`,
  );

/**
 * Refuses a package of the program that does not support rehearsals: it could send requests to the account.
 * @throws UserError
 */
export function refuseOldPackage(program: string): void {
  for (let folder = projectOf(program)?.program ?? program; ; ) {
    const found = join(folder, "node_modules/slipway");
    if (existsSync(join(found, "package.json"))) {
      if (existsSync(join(found, "dist/provider/client/rehearsal.js"))) return;
      throw new UserError(
        `The program uses the package slipway in ${found}, which does not support rehearsals and could change the ` +
          `account. Update it: npm install slipway@${version}`,
      );
    }
    const parent = resolve(folder, "..");
    if (parent === folder) return;
    folder = parent;
  }
}

/**
 * Refuses a stack with resources of other providers.
 * @param types the types of the resources
 * @throws UserError
 */
export function refuseOtherResources(types: readonly string[], allowed: readonly string[]): void {
  const accepted = [...harmless, ...allowed];
  const others = types.filter((type) => {
    const [of = ""] = type.split(":");
    if (of === "slipway" || of === "pulumi" || type.startsWith("pulumi-nodejs:dynamic/slipway:"))
      return false;
    return !accepted.includes(of);
  });
  const [first] = others;
  if (first === undefined) return;
  const names = [...new Set(others.map((type) => type.split(":")[0] ?? ""))];
  throw new UserError(
    `The stack has resources of other providers (${names.join(", ")}; for example ${first}), which a rehearsal would change ` +
      `for real. If they may change, add ${names.map((name) => `--allow ${name}`).join(" ")}.`,
  );
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
