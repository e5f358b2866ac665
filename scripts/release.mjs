import { createHash } from "node:crypto";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { command } from "./command.mjs";
import { billOf, componentOf } from "./release/bill.mjs";
import { licenseProblems } from "./release/checks.mjs";
import { packContext } from "./release/context.mjs";
import { installedWith } from "./release/lock.mjs";
import { platforms, runtimeVersion } from "./release/platforms.mjs";
import { packPlugins } from "./release/plugin.mjs";
import { packSdks, sdkLanguages } from "./release/sdks.mjs";
import { copySources, countCommits, hasChanges, refuseShallow } from "./release/source.mjs";
import { releaseVersion, setOrigin, setVersion } from "./release/version.mjs";
import { bundledIn, licensesFile } from "./setup/licenses.mjs";
import { CommandError, run } from "./setup/run.mjs";

const usage = `npm run release [-- --out <folder>] [--platforms <names>] [--sdks <languages>]

Builds the files of a release, and checks its version, licenses and size. It publishes nothing. Without --out, the files
are removed again. The same sources give the same bytes. With changes under Unreleased in CHANGELOG.md, it builds a
pre-release of the next version.

  --out <folder>       keeps the files there, if every check passes; it must be empty or not exist
  --platforms <names>  the platforms of the plugin's archives, separated by commas
                       (default: ${Object.keys(platforms).join(",")})
  --sdks <languages>   the languages of the SDKs, likewise (default: ${sdkLanguages.join(",")})

The files:
  slipway-V.tgz                                  the npm package
  pulumi-resource-slipway-vV-OS-ARCH.tar.gz      the plugin with Node.js ${runtimeVersion}, for each platform
  slipway-sdk-nodejs-V.tgz, pulumi_slipway-V.whl the SDKs for Node.js and Python, built
  slipway-sdk-LANGUAGE-V.tar.gz                  the sources of the SDKs for Go, .NET and Java
  slipway-server-V.tar.gz                        the context of the server's image
  _index.md, installation-configuration.md       the pages for Pulumi's registry
  *.cdx.json                                     a software bill of materials for each (CycloneDX)
  NOTES.md                                       lists the files that are not signed or not tested
  SHA256SUMS                                     the checksums`;

/** The largest size of the packed package, in bytes. */
const largest = 4_000_000;

const say = (text) => process.stderr.write(`release: ${text}\n`);

await command({
  usage,
  needs: ["pulumi", "dist"],
  async run(args, { pulumi }) {
    const { out, ...parts } = optionsOf(args);
    if (out !== undefined) refuseUsed(out);
    // Other users can read the files of a release, whatever the umask of this user is.
    process.umask(0o022);
    const scratch = mkdtempSync(join(tmpdir(), "slipway-release-"));
    // Also removes the folder after an interrupt, which exits the process.
    process.once("exit", () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));
    const folder = join(scratch, "files");
    mkdirSync(folder);
    const problems = await make(folder, scratch, { ...parts, pulumi });
    for (const { name, size, sum } of filesIn(folder)) console.log(`${sum}  ${name} (${size} bytes)`);
    for (const problem of problems) say(problem);
    if (problems.length > 0) return 1;
    if (out === undefined) console.log("release: no problems found. To keep the files, use --out <folder>.");
    else keep(folder, resolve(out));
    return 0;
  },
});

/** @throws CommandError for a folder that has files, or cannot be written */
function refuseUsed(out) {
  if (out.trim() === "") throw new CommandError("--out is empty. Give a folder.");
  const folder = resolve(out);
  const isNew = !existsSync(folder);
  let names;
  try {
    mkdirSync(folder, { recursive: true });
    names = readdirSync(folder);
    if (isNew) rmdirSync(folder);
  } catch (error) {
    throw new CommandError(`--out ${out} is not a folder that can be written: ${error.message}`);
  }
  if (names.length > 0)
    throw new CommandError(
      `--out ${out} has files already. Give an empty folder, so that a release has its own files only.`,
    );
}

/** Copies all files to `out`, or none. */
function keep(folder, out) {
  const staging = `${out}.${process.pid}`;
  try {
    cpSync(folder, staging, { recursive: true });
    if (existsSync(out)) rmdirSync(out);
    renameSync(staging, out);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function optionsOf(args) {
  const options = { out: { type: "string" }, platforms: { type: "string" }, sdks: { type: "string" } };
  const chosen = (what, text, known) => {
    const names = text?.split(",") ?? known;
    const unknown = names.find((name) => !known.includes(name));
    if (unknown !== undefined)
      throw new Error(`Unknown ${what} '${unknown}'. Choose one of ${known.join(", ")}.`);
    return names;
  };
  try {
    const { values } = parseArgs({ args, options });
    return {
      out: values.out,
      names: chosen("platform", values.platforms, Object.keys(platforms)),
      languages: chosen("language", values.sdks, sdkLanguages),
    };
  } catch (error) {
    throw new CommandError(`${error.message}\n\n${usage}`);
  }
}

/** @returns {Promise<string[]>} the problems that prevent a release */
async function make(folder, scratch, { names, languages, pulumi }) {
  const source = join(scratch, "source");
  const text = (file) => readFileSync(join(source, file), "utf8");
  const bundled = (bundle) => bundledIn(text(`dist/${bundle}/${licensesFile}`));
  await copySources(source);
  const { name, version: packageVersion } = JSON.parse(text("package.json"));
  const { version, problems } = releaseVersion(text("CHANGELOG.md"), packageVersion, await countCommits());
  if (problems.length > 0) return problems;
  if (version !== packageVersion) {
    await refuseShallow();
    say(`CHANGELOG.md has changes under Unreleased: building the pre-release ${version}`);
  }
  if (await hasChanges())
    say("tracked files differ from the last commit, so these files are not a release of that commit");
  setVersion(source, version);
  setOrigin(source, JSON.parse(text("publishing.json")));

  say("the npm package …");
  await must("npm", ["pack", "--pack-destination", folder], source);
  const plugin = join(source, "dist/plugin");
  const shared = { version, scratch, out: folder, say };
  const notes = [
    ...(await packPlugins(plugin, { ...shared, names })),
    ...(await packSdks(plugin, { ...shared, languages, pulumi })),
  ];
  const image = `${name}-server-${version}`;
  await packContext(source, join(scratch, "context"), join(folder, `${image}.tar.gz`));

  for (const page of ["_index.md", "installation-configuration.md"]) {
    copyFileSync(join(source, "docs", page), join(folder, page));
  }

  const installed = installedWith(JSON.parse(text("package-lock.json")));
  const runtime = { name: "node", version: runtimeVersion, license: "MIT" };
  const bills = [
    [`${name}-${version}`, [...installed, ...bundled("server"), ...bundled("plugin")]],
    [`pulumi-resource-${name}-v${version}`, [...bundled("plugin"), runtime]],
    [image, bundled("server")],
  ];
  for (const [subject, packages] of bills) {
    const bill = billOf(componentOf({ name: subject, version }), packages);
    writeFileSync(join(folder, `${subject}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
  }
  writeFileSync(join(folder, "NOTES.md"), notesOf(version, names, notes));
  const sums = filesIn(folder).map((file) => `${file.sum}  ${file.name}\n`);
  writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
  const size = filesIn(folder).find((file) => file.name === `${name}-${version}.tgz`)?.size ?? Number.NaN;
  return [
    ...licenseProblems([...bundled("server"), ...bundled("plugin")]),
    ...(size <= largest ? [] : [`the package has ${size} bytes, more than ${largest}`]),
  ];
}

/** The files of a folder with their sizes and checksums. */
function filesIn(folder) {
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const bytes = readFileSync(join(folder, name));
      return { name, size: bytes.length, sum: createHash("sha256").update(bytes).digest("hex") };
    });
}

/** The part of the release notes that depends on how the files were built. */
function notesOf(version, names, notes) {
  const untested = names.filter((name) => !name.startsWith("linux-amd64"));
  const lines = [
    `The plugin contains Node.js ${runtimeVersion}, and needs glibc on Linux.`,
    ...(untested.length > 0
      ? [`The plugin for ${untested.join(", ")} was checked by its structure. It has not been run.`]
      : []),
    ...(names.some((name) => name.startsWith("windows")) ? ["The plugin for Windows is not signed."] : []),
    ...notes,
  ];
  return `# Slipway ${version}\n\n${lines.map((line) => `- ${line}\n`).join("")}`;
}

async function must(file, args, cwd) {
  const { code, output } = await run(file, args, { cwd });
  if (code !== 0) throw new CommandError(`${file} ${args.join(" ")} failed:\n${output.trim()}`);
}
