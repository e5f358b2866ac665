import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { command } from "./command.mjs";
import { billOf, componentOf } from "./release/bill.mjs";
import { changelogProblems, licenseProblems } from "./release/checks.mjs";
import { installedWith } from "./release/lock.mjs";
import { bundledIn, licensesFile } from "./setup/licenses.mjs";
import { root } from "./setup/paths.mjs";
import { CommandError, run } from "./setup/run.mjs";

const usage = `npm run release [-- --out <folder>]

Checks a release (version, CHANGELOG.md, licenses, size) and builds its files: the package, the context of the server's
image, a bill of materials for each (CycloneDX), and SHA256SUMS. It publishes nothing. Without --out, the files are
removed again, so that you can try it at any time.

  --out <folder>  keeps the files there, if every check passes`;

/** The largest size of the packed package, in bytes. */
const largest = 4_000_000;

const text = (file) => readFileSync(join(root, file), "utf8");

await command({
  usage,
  needs: ["dist"],
  async run(args) {
    if (args.length > 0 && (args.length !== 2 || args[0] !== "--out")) throw new CommandError(usage);
    const folder = mkdtempSync(join(tmpdir(), "slipway-release-"));
    try {
      const { problems, files } = await make(folder);
      for (const { name, size, sum } of files) console.log(`${sum}  ${name} (${size} bytes)`);
      for (const problem of problems) console.error(`release: ${problem}`);
      if (problems.length > 0) return 1;
      if (args[1] !== undefined) cpSync(folder, resolve(args[1]), { recursive: true });
      else console.log("release: everything is in order; with --out <folder> the files are kept.");
      return 0;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

async function make(folder) {
  const { name, version } = JSON.parse(text("package.json"));
  const bundled = (bundle) => bundledIn(text(`dist/${bundle}/${licensesFile}`));
  await must("npm", ["pack", "--pack-destination", folder]);
  const installed = installedWith(JSON.parse(text("package-lock.json")));
  const inPackage = [...bundled("server"), ...bundled("plugin")];
  const image = `${name}-server-${version}`;
  await packContext(join(folder, `${image}.tar.gz`));
  write(
    folder,
    `${name}-${version}.cdx.json`,
    billOf(componentOf({ name, version }), [...installed, ...inPackage]),
  );
  write(folder, `${image}.cdx.json`, billOf(componentOf({ name: image, version }), bundled("server")));

  const files = readdirSync(folder)
    .sort()
    .map((file) => {
      const bytes = readFileSync(join(folder, file));
      return { name: file, size: bytes.length, sum: createHash("sha256").update(bytes).digest("hex") };
    });
  writeFileSync(join(folder, "SHA256SUMS"), files.map(({ name, sum }) => `${sum}  ${name}\n`).join(""));
  const size = files.find((file) => file.name === `${name}-${version}.tgz`)?.size ?? Number.NaN;
  const problems = [
    ...changelogProblems(text("CHANGELOG.md"), version),
    ...licenseProblems(inPackage),
    ...(size <= largest ? [] : [`the package has ${size} bytes, more than ${largest}`]),
  ];
  return { problems, files };
}

/** Packs the context of `docker build`: the Dockerfile and the files that it copies. */
async function packContext(target) {
  const context = mkdtempSync(join(tmpdir(), "slipway-context-"));
  try {
    const dockerfile = text("examples/docker/Dockerfile");
    writeFileSync(join(context, "Dockerfile"), dockerfile);
    for (const [, sources = ""] of dockerfile.matchAll(/^COPY (.*) \S+$/gm)) {
      for (const source of sources.split(" ")) {
        mkdirSync(dirname(join(context, source)), { recursive: true });
        cpSync(join(root, "dist/server", source), join(context, source), { recursive: true });
      }
    }
    await must("tar", ["-czf", target, "-C", context, "."]);
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
}

function write(folder, file, bill) {
  writeFileSync(join(folder, file), `${JSON.stringify(bill, null, 2)}\n`);
}

async function must(file, args) {
  const { code, output, stdout } = await run(file, args, { cwd: root });
  if (code !== 0) throw new CommandError(`${file} ${args.join(" ")} failed:\n${output.trim()}`);
  return stdout;
}
