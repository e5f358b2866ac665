import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { command, foreground } from "./command.mjs";
import { localFolder, root } from "./setup/paths.mjs";
import { step } from "./setup/progress.mjs";
import { CommandError, run } from "./setup/run.mjs";

const usage = `npm run fuzz [-- --examples N] [-- <flags of schemathesis>]

Runs schemathesis, a fuzzer for HTTP APIs, against its own server and the server's OpenAPI document. Fails on a 5xx
answer, an undocumented status, and an answer that does not match its schema. Needs Python 3.10 or later with venv and
pip; the first run installs the fuzzer below .slipway/.

  --examples N   number of requests for each operation in the main phase (300)
  others         are passed to schemathesis run, for instance --seed 1, or --include-path-regex domains`;

const version = "4.32.5";
const environment = join(localFolder, "schemathesis");
const python = join(environment, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
const stamp = join(environment, "installed");
const checks = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
];

await command({
  usage,
  needs: ["dist"],
  async run(args) {
    await provideFuzzer();
    const { startServer } = createRequire(import.meta.url)(join(root, "dist/server/index.js"));
    const seed = JSON.parse(readFileSync(join(root, "scripts/fuzz/seed.json"), "utf8"));
    const server = await startServer({ seed });
    try {
      const { examples, others } = parse(args);
      return await foreground(
        python,
        [
          ...["-m", "schemathesis.cli", "--config-file", join(root, "scripts/fuzz/schemathesis.toml")],
          ...["run", `${server.url}/openapi.json`],
          ...["--url", server.url, "--checks", checks.join(","), "--phases", "coverage,fuzzing"],
          ...["--max-examples", examples, "--continue-on-failure", "--no-shrink"],
          ...["--request-timeout", "30", "--generation-database", "none", "--suppress-health-check", "all"],
          ...["--warnings", "off", ...others],
        ],
        {
          ...process.env,
          SCHEMATHESIS_HOOKS: "hooks",
          PYTHONPATH: join(root, "scripts/fuzz"),
          PYTHONDONTWRITEBYTECODE: "1",
          NO_PROXY: "127.0.0.1",
        },
        // Schemathesis writes its notes into the current folder.
        { cwd: localFolder },
      );
    } finally {
      await server.close();
    }
  },
});

function parse(args) {
  const at = args.indexOf("--examples");
  if (at < 0) return { examples: "300", others: args };
  const examples = args[at + 1] ?? "";
  if (!/^[1-9]\d*$/.test(examples)) throw new CommandError("--examples takes a number.");
  return { examples, others: args.toSpliced(at, 2) };
}

async function provideFuzzer() {
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === version) return;
  const { code, output } = await run("python3", [
    "-c",
    "import sys, venv, ensurepip; print(sys.version_info >= (3, 10))",
  ]);
  if (code !== 0 || !output.includes("True")) {
    throw new CommandError(
      "npm run fuzz needs python3, 3.10 or newer, with venv and pip (on Debian and Ubuntu: apt-get install python3-venv).",
    );
  }
  mkdirSync(localFolder, { recursive: true });
  await step(`installing schemathesis ${version}`, async () => {
    await must("python3", ["-m", "venv", environment]);
    await must(python, [
      "-m",
      "pip",
      "install",
      "--quiet",
      "--disable-pip-version-check",
      `schemathesis==${version}`,
    ]);
  });
  writeFileSync(stamp, version);
}

async function must(file, args) {
  const { code, output } = await run(file, args, { timeoutMs: 600_000 });
  if (code !== 0) throw new CommandError(`${file} ${args.join(" ")} failed:\n${output.trimEnd()}`);
}
