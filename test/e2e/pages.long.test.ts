import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { built } from "../support/dist";
import { hasHcl } from "../support/languages";
import { NpmRegistry } from "../support/npm-registry";
import { asShown, type Block, block, blocksOf, pages } from "../support/pages";
import { freePort } from "../support/port";
import { startServer } from "../support/profile";
import { type Stack, Workspace } from "../support/pulumi";
import { root } from "../support/server";
import { Shell } from "../support/shell";
import { until } from "../support/until";

/** Each block runs the CLI, some of them several times: minutes. */
const inFull = process.env.SLIPWAY_TEST_LONG !== undefined ? describe : describe.skip;
// The first build of a program in Go takes minutes where two run at once.
jest.setTimeout(900_000);

/** Blocks of the pages as they stand, typed into a shell: only addresses, tokens and paths are the test's. */
inFull("the blocks of the pages, in a shell", () => {
  let world: Workspace;
  const shells: Shell[] = [];
  let token: string;

  beforeEach(async () => {
    world = await Workspace.start({
      deployments: parse(readFileSync(join(root, "examples/seed.yaml"), "utf8")).deployments,
    });
    token = world.token;
  });
  afterEach(async () => {
    for (const shell of shells.splice(0)) shell.close();
    await world.stop();
  });

  /** A shell in a copy of an example, or in an empty project, beside what npm has installed. */
  function open(
    example: string | undefined,
    swap: Record<string, string> = {},
    env: NodeJS.ProcessEnv = {},
  ): Shell {
    const folder = join(world.folder, example ?? "project");
    if (example) cpSync(join(root, "examples", example), folder, { recursive: true });
    else {
      mkdirSync(folder);
      writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", main: "index.ts" }));
      writeFileSync(
        join(folder, "Pulumi.yaml"),
        "name: web\nruntime: { name: nodejs, options: { typescript: false } }\n",
      );
    }
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const settled = { ...world.environment(), PULUMI_SKIP_CONFIRMATIONS: "true", ...env };
    const shell = new Shell(folder, settled, {
      "SLIPWAY_API_URL=…": `SLIPWAY_API_URL=${world.server.url}`,
      "SLIPWAY_TOKEN=…": `SLIPWAY_TOKEN=${token}`,
      "SLIPWAY_TEAM=…": "SLIPWAY_TEAM=acme",
      "/path/to/slipway": root,
      ...swap,
    });
    shells.push(shell);
    return shell;
  }
  const projects = async (): Promise<string[]> =>
    (await world.server.request("GET", "/v9/projects")).body.projects
      .map(({ name }: { name: string }) => name)
      .sort();

  it("CI: an environment for each pull request", async () => {
    await world.server.request("POST", "/v10/projects", { name: "storefront" });
    const domains = async () =>
      (await world.server.request("GET", "/v9/projects/storefront/domains")).body.domains;
    const before = await domains();
    const shell = open("previews", {}, { NUMBER: "7", BRANCH: "feat/checkout" });
    expect(await shell.run(block("docs/guides/ci.md sh 2"))).toContain("feat-checkout.preview.example.com");
    expect(await domains()).toEqual(before);
  });

  it("CI: without an account; drift", async () => {
    const port = await freePort();
    const env = { SLIPWAY_PORT: String(port), SLIPWAY_API_URL: undefined };
    const shell = open("ci", { "127.0.0.1:4000": `127.0.0.1:${port}` }, env);
    expect(await shell.run(block("docs/guides/ci.md sh 3"))).toMatch(/projectId: "prj_/);
    const lookForDrift = block("docs/guides/drift.md sh 1");
    await shell.run(lookForDrift);
    const headers = { authorization: "Bearer slipway-dev-token", "content-type": "application/json" };
    const changed = await fetch(`http://127.0.0.1:${port}/v9/projects/web?slug=acme`, {
      method: "PATCH",
      headers,
      body: JSON.stringify({ framework: "astro" }),
    });
    expect(changed.status).toBe(200);
    const { code, output } = await shell.attempt(lookForDrift);
    await shell.run("npx slipway stop");
    expect(output).toMatch(/framework.*astro/);
    expect(code).not.toBe(0);
  });

  it("stages: the application's stack reads the platform's, and each stage has settings of its own", async () => {
    const shell = open("stages", { "--secret slipway:token": "--secret slipway:token another" });
    expect(await shell.run(block("docs/guides/stages.md sh 1"))).toMatch(/\+ 3 created/);
    expect(await projects()).toEqual(["web-dev"]);
    await shell.run("pulumi stack init production --no-select");
    await shell.run(block("docs/guides/stages.md sh 2"));
    const config = await shell.run("pulumi config --stack production");
    expect(config).toMatch(/slipway:team +team_1a2b3c/);
    expect(config).toMatch(/slipway:token +\[secret\]/);
  });

  it("Pulumi Cloud: a stack moves to another backend without a change", async () => {
    const other = join(world.folder, "other-state");
    mkdirSync(other);
    const shell = open("ci", {
      "pulumi login https://api.pulumi.com": `export PULUMI_BACKEND_URL=file://${other}`,
      "acme/dev": "dev",
    });
    await shell.run("pulumi stack init dev && pulumi up --yes --skip-preview");
    expect(await shell.run(block("docs/guides/pulumi-cloud.md sh 3"))).toMatch(/\d unchanged/);
    expect(existsSync(join(shell.folder, "state.json"))).toBe(false);
  });

  it("a private registry: publish and install, also under a scope", async () => {
    const registry = await NpmRegistry.start();
    const userconfig = join(world.folder, "npmrc");
    cpSync(join(process.env.HOME ?? "", ".npmrc"), userconfig);
    const swap = {
      "npm publish": "npm publish --ignore-scripts",
      "https://npm.example.com/": registry.url,
      "https://npm.pkg.github.com/": registry.url,
      "//npm.example.com/": registry.url.replace("http:", ""),
    };
    const env = { npm_config_userconfig: userconfig, NPM_TOKEN: "token", npm_config_registry: undefined };
    const shell = open(undefined, swap, env);

    try {
      await shell.run(block("docs/guides/private-registry.md sh 3"));
      // A copy, since a scope is written into its package.json.
      await shell.run(
        `npm pack --ignore-scripts --silent --pack-destination . ${root} && tar -xzf slipway-*.tgz`,
      );
      await shell.run(`cd package\n${block("docs/guides/private-registry.md sh 1")}`);
      await shell.run(block("docs/guides/private-registry.md sh 4"));
      expect(registry.published).toEqual(["slipway", "@acme/slipway"]);
      await shell.run("mkdir ../plain ../scoped && cd ../plain && echo '{}' > package.json");
      await shell.run(block("docs/guides/private-registry.md sh 2"));
      expect(await shell.run("npx slipway --version")).toMatch(/^\d/m);
      await shell.run("cd ../scoped && echo '{}' > package.json && cp ../plain/.npmrc .");
      await shell.run(block("docs/guides/private-registry.md sh 5"));
      expect(await shell.run("npx slipway --version")).toMatch(/^\d/m);
    } finally {
      registry.close();
    }
  });

  it("troubleshooting: the debug log shows requests", async () => {
    const shell = open("ci");
    await shell.run("pulumi stack init dev");
    expect(await shell.run(block("docs/guides/troubleshooting.md sh 1"))).toMatch(/GET \/v\d+\//);
  });

  it("the hosted API: the same program, when three settings change", async () => {
    const [{ id = "" }] = (await world.server.request("GET", "/v2/teams")).body.teams;
    const shell = open(
      "ci",
      { "https://api.vercel.com": world.server.url, "team_…": id },
      { SLIPWAY_TOKEN: undefined, SLIPWAY_TEAM: undefined },
    );
    await shell.run("pulumi stack init production");
    await shell.run(block("docs/guides/hosted-api.md sh 1"));
    expect(await projects()).toEqual(["web"]);
  });

  it("adoption and import: an account is imported, and a variable goes to another resource", async () => {
    await world.server.request("POST", "/v10/projects", { name: "web", framework: "nextjs" });
    await world.server.request("POST", "/v10/projects/web/domains", { name: "www.example.org" });
    const greeting = { key: "GREETING", value: "hello", type: "plain", target: ["production"] };
    await world.server.request("POST", "/v10/projects/web/env", greeting);
    const variables = async () => (await world.server.request("GET", "/v9/projects/web/env")).body.envs;
    const before = await variables();
    const shell = open(undefined, {}, { SLIPWAY_API_URL: undefined, SLIPWAY_TOKEN: undefined });
    await shell.run("pulumi stack init dev");
    await shell.run(block("docs/guides/adoption-and-import.md sh 1"));
    expect(await variables()).toEqual(before);

    const [show = "", forget = "", again = ""] = block("docs/guides/adoption-and-import.md sh 5").split("\n");
    const urn = /urn:pulumi:\S+:EnvVar::\S+/.exec(await shell.run(show))?.[0] ?? "";
    await shell.run(forget.replace("urn:pulumi:…", urn));
    const program = readFileSync(join(shell.folder, "index.ts"), "utf8");
    const without = program.replace(
      /(?:export )?(?:const \w+ = )?new EnvVar\([\s\S]*?\n\}(?:, \{[\s\S]*?\})?\);\n/,
      "",
    );
    expect(without).not.toBe(program);
    writeFileSync(
      join(shell.folder, "index.ts"),
      `import { EnvVars } from "slipway";\n${without.replace(/^import \{[^}]*\} from "slipway";/m, (line) => line.replace("EnvVar,", ""))}
new EnvVars("all", { project: "web", target: ["production"], variables: { GREETING: { value: "hello", type: "plain" } }, adopt: true });\n`,
    );
    await shell.run(again);
    expect((await variables()).map(({ id }: { id: string }) => id)).toEqual(
      before.map(({ id }: { id: string }) => id),
    );
  });

  it("adoption and import: single resources are imported with the plugin, and stay as they are", async () => {
    const { body: made } = await world.server.request("POST", "/v8/projects", {
      name: "web",
      framework: "nextjs",
      buildCommand: "npm run build",
      installCommand: null,
      publicSource: null,
      rootDirectory: "apps/web",
    });
    await world.server.request("PATCH", `/v9/projects/${made.id}`, {
      ssoProtection: { deploymentType: "all_except_custom_domains" },
      gitForkProtection: true,
      previewDeploymentsDisabled: null,
    });
    await world.server.request("POST", "/v10/projects/web/domains", { name: "www.example.com" });
    const variable = { target: ["production"], customEnvironmentIds: [], comment: "" };
    for (const [key, type] of [
      ["GREETING", "plain"],
      ["API_KEY", "encrypted"],
      ["SESSION_SECRET", "sensitive"],
    ])
      await world.server.request("POST", "/v10/projects/web/env", {
        ...variable,
        key,
        type,
        value: `${key}-value`,
      });
    const living = async () =>
      Promise.all(
        ["", "/domains", "/env?decrypt=true"].map(
          async (part) => (await world.server.request("GET", `/v9/projects/web${part}`)).body,
        ),
      );
    const before = await living();

    const stack = await world.yaml("terraform", "resources: {}\n");
    const plugin = new Shell(stack.folder, world.environment());
    shells.push(plugin);
    symlinkSync(join(root, "node_modules"), join(stack.folder, "node_modules"));
    const output = await plugin.run(block("docs/guides/adoption-and-import.md sh 3"));
    expect(output).toContain("slipway:EnvVar");
    expect((await stack.resources()).map(({ type }) => type).sort()).toEqual(
      ["EnvVar", "Project", "ProjectDomain"].map((type) => `slipway:index:${type}`),
    );
    expect(await living()).toEqual(before);

    await plugin.run("pulumi stack init all");
    await plugin.run(block("docs/guides/adoption-and-import.md sh 2"));
    const generated = readFileSync(join(stack.folder, "imported/generated"), "utf8");
    expect(generated).not.toContain("API_KEY-value");
    await plugin.run(block("docs/guides/adoption-and-import.md sh 4"));
    stack.yaml(readFileSync(join(stack.folder, "imported/resources.yaml"), "utf8"));
    expect(await plugin.run("pulumi preview --expect-no-changes")).toMatch(/\d+ unchanged/);
    expect(await living()).toEqual(before);
  });

  it("a lost run: what it left is named, as the page has it", async () => {
    await world.server.request("POST", "/v10/projects", { name: "web" });
    const stack = await world.stack("lost", `new Project("web");`);
    const { output } = await stack.up();
    expect(output).toMatch(asShown(block("docs/guides/lost-run.md text 1")));
    await world.server.request("DELETE", "/v9/projects/web");
    const shell = open("ci");
    await shell.run("pulumi stack init dev");
    expect(await shell.run(block("docs/guides/lost-run.md sh 1"))).toMatch(/\+ 3 created/);
  });

  it("other languages: the plugin is installed, and taken as a package", async () => {
    const stack = await world.yaml("other", "resources: {}\n");
    const home = join(world.folder, "pulumi-home");
    const shell = open(undefined, {}, { PULUMI_HOME: home });
    expect(await shell.run(block("docs/guides/other-languages.md bash 1"))).toContain(home);
    await new Shell(root, world.environment()).run(block("docs/guides/other-languages.md bash 3"));
    const there = new Shell(stack.folder, world.environment(), { "/path/to/slipway": root });
    shells.push(there);
    await there.run(block("docs/guides/other-languages.md bash 2"));
    expect(readFileSync(join(stack.folder, "Pulumi.yaml"), "utf8")).toContain("packages:");
  });

  it.each([
    ["python", "venv/bin/python -c 'import pulumi_slipway'"],
    ["go", "go build -o program ."],
  ])(
    "other languages: pulumi install adds the SDK to the example in %s with the hosts of set-up",
    async (language, compile) => {
      const setup = [join(root, "scripts/install.mjs"), `--print-${language}`];
      const hosts = execFileSync(process.execPath, setup, { encoding: "utf8" }).trim();
      const folder = join(world.folder, language);
      const isMade = (path: string) => /(^|\/)(sdks|venv|Pulumi\.\w+\.yaml)$/.test(path);
      cpSync(join(root, "examples", language), folder, {
        recursive: true,
        filter: (path) => !isMade(path.slice(root.length)),
      });
      const env = world.environment();
      const shell = new Shell(folder, { ...env, PATH: `${env.PATH}:${hosts}` });
      shells.push(shell);
      const manifest = join(folder, "Pulumi.yaml");
      const text = readFileSync(manifest, "utf8");
      expect(text).toContain("../../dist/plugin");
      writeFileSync(manifest, text.replace("../../dist/plugin", built("plugin")));
      await shell.run("pulumi install");
      await shell.run(compile);
    },
  );

  it("other languages: a program in YAML, and a stack that moves to the plugin", async () => {
    const yaml = await world.yaml("written", "resources: {}\n");
    const whole = block("docs/guides/other-languages.md yaml 1").replace("/path/to/slipway", root);
    yaml.file("Pulumi.yaml", whole.replace(/^name: .*/m, "name: written"));
    expect((await yaml.up()).errors).toEqual([]);
    expect(await projects()).toEqual(["web"]);
    expect((await yaml.destroy()).errors).toEqual([]);

    const program = `const agency = new Provider("agency", { team: "acme" });
      new Project("web", { framework: "nextjs" }, { provider: agency });`;
    const stack = await world.stack("moved", program);
    expect((await stack.up()).errors).toEqual([]);
    const provider = block("docs/guides/other-languages.md yaml 3").replace("team: agency", "team: acme");
    stack.yaml(`${provider}  web:
    type: slipway:Project
    properties: { framework: nextjs }
    options: { provider: "\${agency}" }
`);
    const { steps, code } = await stack.preview({ args: ["--expect-no-changes"] });
    expect([code, steps]).toEqual([0, []]);
  });

  it("the reference server: as it is started", async () => {
    const [folder = "", memory = "", detached = "", database = ""] = block("docs/server.md sh 1").split("\n");
    expect(database).toMatch(/^SLIPWAY_KEY=… npx slipway serve --data postgres:/);
    const hosted = block("docs/differences.md sh 1").trim();
    for (const line of [folder, memory, hosted]) {
      const shell = open(undefined, {}, { SLIPWAY_PORT: "0", SLIPWAY_API_URL: undefined });
      cpSync(join(root, "examples/seed.yaml"), join(shell.folder, "seed.yaml"));
      await shell.run(`: > log\n${line.replace(/#.*/, "")} > log 2>&1 &`);
      const log = () => readFileSync(join(shell.folder, "log"), "utf8");
      await until("it listens", () => log().includes("slipway is listening on") || undefined);
      expect(log()).not.toMatch(/error/i);
      shell.close();
      shells.length = 0;
      execFileSync("rm", ["-rf", join(world.folder, "project")]);
    }
    const port = String(await freePort());
    const shell = open(undefined, {}, { SLIPWAY_PORT: port, SLIPWAY_API_URL: undefined });
    expect(await shell.run(detached.replace(/#.*/, ""))).toContain(`http://127.0.0.1:${port}`);
  });

  it("the reference server: a seed file", async () => {
    const server = await startServer({ seed: parse(block("docs/server.md yaml 1")) });
    const response = await fetch(`${server.url}/v9/projects/web/env?slug=acme`, {
      headers: { authorization: "Bearer a-long-random-text" },
    });
    expect(((await response.json()) as { envs: { key: string }[] }).envs[0]?.key).toBe("GREETING");
    await server.close();
  });

  it("the examples: served, and one made by hand", async () => {
    const clone = join(world.folder, "clone");
    const part = (path: string) => !/^(node_modules|\.git|\.slipway|coverage|site|test)(\/|$)/.test(path);
    cpSync(root, clone, {
      recursive: true,
      preserveTimestamps: true,
      filter: (path) => path === root || part(path.slice(root.length + 1)),
    });
    symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
    const port = await freePort();
    const env = {
      ...world.environment(),
      HOME: join(world.folder, "home"),
      PULUMI_HOME: process.env.PULUMI_HOME ?? join(process.env.HOME ?? "", ".pulumi"),
      PULUMI_SKIP_CONFIRMATIONS: "true",
      SLIPWAY_API_URL: undefined,
      SLIPWAY_PORT: String(port),
    };
    mkdirSync(env.HOME);
    const shell = new Shell(clone, env);
    shells.push(shell);
    await shell.run(`: > log\n${block("examples/README.md sh 1").trim()} > log 2>&1 &`);
    await until(
      "it listens",
      () => readFileSync(join(clone, "log"), "utf8").includes("slipway is listening on") || undefined,
    );
    expect(await shell.run(block("examples/README.md sh 2"))).toMatch(/\+ 7 created/);
  });
});

/** The example of each resource, as a program of its own, in the languages that need no SDK. */
inFull("the examples of the resources", () => {
  let world: Workspace;
  const examples = pages
    .filter((page) => page.startsWith("docs/resources/"))
    .flatMap(blocksOf)
    .filter(({ language }) => language === "yaml" || (language === "hcl" && hasHcl))
    .map((block, i) => ({ ...block, name: `example-${i + 1}` }));
  beforeAll(async () => {
    const { projects, deployments } = parse(readFileSync(join(root, "examples/seed.yaml"), "utf8"));
    world = await Workspace.start({ projects, deployments });
  });
  beforeEach(async () => {
    await world.server.control("POST", "/reset");
  });
  afterAll(() => world.stop());

  /** Publishes what each domain asks for, as its owner would. */
  async function prove(): Promise<void> {
    const { domains = [] } = (await world.server.request("GET", "/v9/projects/web/domains")).body;
    for (const { verification = [] } of domains as { verification?: { domain: string; value: string }[] }[]) {
      for (const { domain, value } of verification)
        await world.server.control("PUT", `/dns/${domain}`, { type: "TXT", values: [value] });
    }
  }

  /** @returns the secret settings of a program */
  function secretsIn({ language, text }: Block): string[] {
    if (language === "hcl")
      return [...text.matchAll(/^variable "(\w+)" \{[^}]*sensitive = true/gm)].map(([, key = ""]) => key);
    const { config = {} } = parse(text) as { config?: Record<string, { secret?: boolean }> };
    return Object.keys(config).filter((key) => config[key]?.secret);
  }

  it.each(examples)("$id is made, and stays", async ({ name, ...block }) => {
    const stack: Stack = await world.yaml(name, block.language === "yaml" ? block.text : "");
    if (block.language === "hcl") {
      const manifest = readFileSync(join(stack.folder, "Pulumi.yaml"), "utf8");
      stack.file("Pulumi.yaml", manifest.replace("runtime: yaml", "runtime: hcl"));
      stack.file("main.tf", block.text);
    }
    for (const key of secretsIn(block)) await stack.cli(["config", "set", "--secret", key, "secret"]);
    let isMade = false;
    const proving = (async () => {
      while (!isMade) {
        await prove();
        await new Promise((done) => setTimeout(done, 500));
      }
    })();
    const made = await stack.up().finally(() => {
      isMade = true;
    });
    await proving;
    expect([made.code, made.errors, made.code === 0 ? "" : made.output]).toEqual([0, [], ""]);
    expect((await stack.preview({ args: ["--expect-no-changes"] })).code).toBe(0);
  });
});
