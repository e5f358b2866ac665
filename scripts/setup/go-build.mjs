import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join, posix } from "node:path";
import { pathWithoutPackages, root } from "./paths.mjs";
import { say, step } from "./progress.mjs";
import { CommandError, run } from "./run.mjs";

export const oldestGo = "1.26";

const commandLine = {
  module: "pulumi-cli",
  package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
  binary: "pulumi",
};
const languageHost = {
  module: "pulumi-language-nodejs",
  package: "github.com/pulumi/pulumi/sdk/nodejs/cmd/pulumi-language-nodejs/v3",
  binary: "pulumi-language-nodejs",
  patches: [
    // Since Go 1.26, `filepath.Rel` returns a clean path, and the parent of this path would be the wrong folder.
    {
      dependency: "github.com/pulumi/pulumi/pkg/v3",
      folder: "codegen/nodejs",
      file: "gen.go",
      from: "return path.Dir(filepath.ToSlash(rel))",
      to: "return filepath.ToSlash(filepath.Clean(rel))",
    },
    linking("github.com/pulumi/pulumi/sdk/nodejs/cmd/pulumi-language-nodejs/v3", "nodejs"),
  ],
};
/** The hosts of programs in other languages. Each host has its own version. */
const languages = {
  yaml: {
    module: "pulumi-language-yaml",
    package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
    binary: "pulumi-language-yaml",
    flags: "-s -w -X github.com/pulumi/pulumi-yaml/pkg/version.Version=1.30.0",
  },
  python: {
    module: "pulumi-language-python",
    package: "github.com/pulumi/pulumi/sdk/python/cmd/pulumi-language-python/v3",
    binary: "pulumi-language-python",
    flags: "-s -w",
    patches: [linking("github.com/pulumi/pulumi/sdk/python/cmd/pulumi-language-python/v3", "python")],
    // The host runs a program with this script of the SDK.
    script: "python/cmd/pulumi-language-python-exec",
  },
  java: {
    module: "pulumi-language-java",
    package: "github.com/pulumi/pulumi-java/pkg/cmd/pulumi-language-java",
    binary: "pulumi-language-java",
    flags: "-s -w",
  },
  go: {
    module: "pulumi-language-go",
    package: "github.com/pulumi/pulumi/sdk/go/pulumi-language-go/v3",
    binary: "pulumi-language-go",
    flags: "-s -w",
    patches: [linking("github.com/pulumi/pulumi/sdk/go/pulumi-language-go/v3", "go")],
  },
};

/**
 * A patch with which a host answers the CLI's request to link a generated SDK. CLIs since 3.203 send this request, and
 * the Go module proxy has no version of the hosts that answers the request.
 */
function linking(dependency, language) {
  return {
    dependency,
    folder: "",
    file: "main.go",
    from: "pulumirpc.RegisterLanguageRuntimeServer(srv, host)",
    to: "registerHost(srv, host)",
    additions: ["link.go", `link_${language}.go`],
  };
}

const sdk = "github.com/pulumi/pulumi/sdk/v3";
const launcher = "nodejs/dist/pulumi-resource-pulumi-nodejs";

/** The Go on PATH, if any. */
export async function goVersion() {
  const { code, stdout } = await go(["env", "GOVERSION"], root);
  const match = /^go(\d+)\.(\d+)\S*/.exec(stdout.trim());
  if (code !== 0 || !match) return undefined;
  const [major, minor] = oldestGo.split(".").map(Number);
  const supported = Number(match[1]) > major || (Number(match[1]) === major && Number(match[2]) >= minor);
  return { text: match[0].slice(2), supported };
}

/**
 * Builds the Pulumi CLI, the host of its Node.js programs and the launcher of dynamic providers into a folder.
 * The modules next to this file pin every source by checksum.
 */
export async function buildPulumi(version, folder) {
  say("building Pulumi from Go modules instead; this takes about 5 minutes, once");
  mkdirSync(folder, { recursive: true });
  for (const part of [commandLine, languageHost]) {
    await buildPart({ ...part, flags: flags(version) }, folder);
  }
  await copyScript(launcher, commandLine.module, folder);
}

/** The files of a language host. The CLI runs the last one. */
export function partsOf(language) {
  const { script, binary } = languages[language];
  return script === undefined ? [binary] : [basename(script), binary];
}

/** Builds the host of programs in a language into a folder. */
export async function buildLanguage(language, folder) {
  const { script, ...host } = languages[language];
  await buildPart(host, folder);
  if (script !== undefined) await copyScript(script, host.module, folder);
}

/** Copies a script of Pulumi's SDK into a folder, in the version that a module requires. */
async function copyScript(script, module, folder) {
  const copy = join(folder, basename(script));
  const source = (await must(["list", "-m", "-f", "{{.Dir}}", sdk], module)).trim();
  copyFileSync(join(source, script), copy);
  chmodSync(copy, 0o755);
}

/** Builds without `go mod download`, which requests more files of each module than a build. Some proxies lack these. */
async function buildPart({ module, package: name, binary, flags, patches }, folder) {
  const scratch = mkdtempSync(join(tmpdir(), "slipway-build-"));
  try {
    await step(`building ${binary}`, async () => {
      const modules = patches ? [`-modfile=${await patchedModules(patches, module, scratch)}`] : [];
      const options = [...modules, "-trimpath", "-buildvcs=false", "-ldflags", flags];
      await must(["build", ...options, "-o", join(folder, binary), name], module);
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * Patches copies of dependencies. Go refuses an overlay on its module cache, so the whole dependency is replaced.
 * @returns the go.mod that uses the copies
 */
async function patchedModules(patches, module, scratch) {
  const [manifest, sums] = ["go.mod", "go.sum"].map((name) => join(scratch, name));
  const here = join(root, "scripts/setup", module);
  copyFileSync(join(here, "go.sum"), sums);
  let pinned = readFileSync(join(here, "go.mod"), "utf8");
  for (const [i, patch] of patches.entries()) {
    const copy = join(scratch, `dependency-${i}`);
    await patchDependency(patch, module, copy);
    pinned += `\nreplace ${patch.dependency} => ${copy}\n`;
  }
  writeFileSync(manifest, pinned);
  return manifest;
}

async function patchDependency({ dependency, folder, file, from, to, additions = [] }, module, copy) {
  // Listing the package downloads its module.
  const listed = posix.join(dependency, folder);
  cpSync((await must(["list", "-f", "{{.Module.Dir}}", listed], module)).trim(), copy, { recursive: true });
  const patched = join(copy, folder, file);
  const text = readFileSync(patched, "utf8");
  if (!text.includes(from)) throw new CommandError(`${patched} has no line to patch: ${from}`);
  chmodSync(patched, 0o644);
  writeFileSync(patched, text.replace(from, to));
  for (const name of additions) {
    chmodSync(join(copy, folder), 0o755);
    copyFileSync(join(root, "scripts/setup/linking", name), join(copy, folder, name));
  }
}

const flags = (version) => `-s -w -X ${sdk}/go/common/version.Version=${version}`;

async function must(args, module) {
  const { code, output, stdout } = await go(args, join(root, "scripts/setup", module));
  if (code !== 0) {
    const end = output.trim().split("\n").slice(-5).join("\n");
    throw new CommandError(`go ${args[0]} in scripts/setup/${module}:\n${end}`);
  }
  return stdout;
}

function go(args, cwd) {
  const path = pathWithoutPackages().join(delimiter);
  return run("go", args, {
    cwd,
    gentle: true,
    env: { ...process.env, PATH: path, GOFLAGS: "-mod=readonly", GOWORK: "off" },
  });
}
