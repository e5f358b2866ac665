import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { asShown, block } from "../support/pages";
import { githubJob } from "../support/pipelines";
import { freePort } from "../support/port";
import { root } from "../support/server";
import { Shell } from "../support/shell";
import { isLong } from "../support/slices";
import { step } from "../support/step";
import { terminalPicture, withoutColours } from "../support/terminal-picture";

const { pinnedVersion }: { pinnedVersion: string } = require("../../scripts/setup/pulumi.mjs");

/** It installs the package with npm, and makes two stacks: some minutes. */

/** Files that a fresh clone does not have, except the dependencies and the build, which are as they would be. */
const madeHere = new Set(["node_modules", ".git", ".slipway", "coverage", "site"]);

/** The README from top to bottom, in a clone and then with the package that it makes, by a user who has nothing yet: some minutes. */
(isLong ? describe : describe.skip)("the README, step by step", () => {
  jest.setTimeout(600_000);
  let folder: string;
  let shell: Shell;
  let port: number;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "slipway-readme-"));
    const clone = join(folder, "clone");
    cpSync(root, clone, {
      recursive: true,
      preserveTimestamps: true,
      filter: (path) => !madeHere.has(relative(root, path)),
    });
    symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
    const home = join(folder, "home");
    mkdirSync(join(home, ".pulumi"), { recursive: true });
    const pulumiHome = process.env.PULUMI_HOME ?? join(homedir(), ".pulumi");
    symlinkSync(join(pulumiHome, "versions"), join(home, ".pulumi/versions"));
    writeFileSync(join(folder, "gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.com\n");
    port = await freePort();
    shell = new Shell(
      clone,
      {
        PATH: process.env.PATH,
        HOME: home,
        LANG: "C.UTF-8",
        // A registry behind a certificate of the machine's own.
        NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS,
        SLIPWAY_PORT: String(port),
        // The launcher of npm is older than the CLI.
        PULUMI_VERSION: pinnedVersion,
        // Nobody is there to answer.
        PULUMI_SKIP_CONFIRMATIONS: "true",
        // Empty, so that everything comes from the repository and the registry.
        npm_config_cache: join(folder, "npm-cache"),
        npm_config_userconfig: join(homedir(), ".npmrc"),
        GIT_CONFIG_GLOBAL: join(folder, "gitconfig"),
      },
      {
        "127.0.0.1:4000": `127.0.0.1:${port}`,
        // To Pulumi, home is what the machine says, whatever HOME is: the state would be this machine's user's.
        "login --local": `login file://${home}`,
      },
    );
  });
  afterAll(async () => {
    await shell.attempt(`cd ${join(folder, "infrastructure")} && npx slipway stop`);
    await shell.attempt(`cd ${join(folder, "clone")} && npm run down`);
    shell.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("works from the clone to an upgrade of the package", async () => {
    await step("npm run up creates the quickstart, and ends as the page shows", async () => {
      const output = await shell.run(block("README.md sh 1"));
      expect(output).toMatch(asShown(shell.swapped(block("README.md text 1"))));
    });

    await step("curl reads the project from the server", async () => {
      expect(await shell.run(block("README.md sh 2"))).toContain('"framework":"nextjs"');
    });

    // SLIPWAY_PICTURES=1 renews the picture of the README.
    if (process.env.SLIPWAY_PICTURES === "1")
      await step("the picture is drawn as a terminal shows it", async () => {
        await shell.run("npm run down");
        const output = await shell.run(
          block("README.md sh 1").replace(/npm run up.*/, "npm run up -- --color always"),
        );
        const shown = output
          .replaceAll(`127.0.0.1:${port}`, "127.0.0.1:4000")
          .replace(/#code=\w+/, "#code=…")
          .replace(/^.*(?=Updating \(dev\))/s, "")
          .split("\n")
          // While it waits it prints dots, and each step a second time as it begins.
          .filter((line) => !/^@|creating \(|^\s*$/.test(withoutColours(line)));
        const picture = terminalPicture("npm run up", ["$ npm run up", "…", ...shown].join("\n"));
        writeFileSync(join(root, "docs/pictures/up.svg"), picture);
      });

    await step("up --refresh reverts a change made outside Pulumi", async () => {
      expect(await shell.run(block("README.md sh 3"))).toMatch(/framework.*astro/);
      expect(await shell.run(block("README.md sh 2"))).toContain('"framework":"nextjs"');
      await shell.run("npm run down");
    });

    await step("npm pack makes the package", async () => {
      await shell.run(block("README.md sh 4"));
      const [packed = "", ...more] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
      const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
      expect([packed, more]).toEqual([`slipway-${version}.tgz`, []]);
    });

    await step("a program with nothing but the package creates a project", async () => {
      // A file that the package lacks is nowhere else.
      rmSync(join(folder, "clone"), { recursive: true });
      mkdirSync(join(folder, "clone"));
      await shell.run(block("README.md sh 5"));
      // Pulumi takes the home folder of the user's account for ~, whatever HOME says.
      const output = await shell.run(
        block("README.md sh 6").replace("file://~", `file://${join(folder, "home")}`),
      );
      expect(output).toMatch(/projectId: "prj_\w+"/);
      // But for npm's about itself.
      expect(output.replace(/^npm warn .*$/gm, "")).not.toMatch(/warning|incompatible|error/i);
      const response = await fetch(`http://127.0.0.1:${port}/v9/projects/web?slug=acme`, {
        headers: { authorization: "Bearer slipway-dev-token" },
      });
      expect(response.status).toBe(200);
    });

    await step("a project from a template runs", async () => {
      const commands = block("README.md sh 7");
      // Without answers, in a stack of its own.
      await shell.run(commands.replace("pulumi new", "npx --prefix ../infrastructure pulumi new --yes"));
      expect(readdirSync(shell.folder)).toContain(".gitignore");
      const output = await shell.run("npx --prefix ../infrastructure pulumi preview --non-interactive");
      expect(output).toMatch(/EnvVar[\s\S]*\+ \d+ to create/);
      await shell.run("cd ../infrastructure");
    });

    await step("CI runs from a clone of the repository, with an empty npm cache", async () => {
      await shell.run(block("docs/guides/ci.md sh 1"));
      expect(await shell.run("git status --porcelain --ignored")).toBe("!! .slipway/\n!! node_modules/\n");
      const runner = join(folder, "runner");
      mkdirSync(join(runner, "state"), { recursive: true });
      const repository = shell.folder;
      const settings = {
        RUNNER_TEMP: runner,
        PULUMI_BACKEND_URL: `file://${join(runner, "state")}`,
        PULUMI_CONFIG_PASSPHRASE: "passphrase",
        SLIPWAY_API_URL: `http://127.0.0.1:${port}`,
        SLIPWAY_TOKEN: "slipway-dev-token",
        // The personal account, which does not have the project yet.
        SLIPWAY_TEAM: "",
      };
      execFileSync("git", ["clone", "--quiet", repository, "checkout"], { cwd: runner });
      // The guide says to create the stack once.
      const backend = `PULUMI_BACKEND_URL='${settings.PULUMI_BACKEND_URL}' PULUMI_CONFIG_PASSPHRASE=passphrase`;
      await shell.run(`${backend} npx pulumi stack init production`);
      const said = githubJob("pull_request", settings)
        // The account has to be reached, not GitHub.
        .filter(({ name }) => name !== "Comment")
        .map(({ script, env }) =>
          execFileSync("bash", ["-eo", "pipefail", "-c", script], {
            cwd: join(runner, "checkout"),
            encoding: "utf8",
            env: {
              PATH: process.env.PATH,
              HOME: join(folder, "home"),
              PULUMI_VERSION: pinnedVersion,
              NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS,
              npm_config_cache: join(runner, "npm-cache"),
              npm_config_userconfig: join(homedir(), ".npmrc"),
              GITHUB_STEP_SUMMARY: join(runner, "summary.md"),
              ...env,
            },
          }),
        );
      expect(said.join("")).not.toContain("error:");
      expect(readFileSync(join(runner, "rehearsal.md"), "utf8")).toContain("project `web");
    });

    await step("an upgrade changes nothing", async () => {
      await shell.run(block("docs/guides/upgrading.md sh 1"));
    });
  });
});
