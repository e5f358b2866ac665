import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type JobRun, runWorkflow } from "../support/github-runner";
import { runPipeline } from "../support/gitlab-runner";
import { canary, Workspace } from "../support/pulumi";
import { openRecordingProxy, type RecordingProxy } from "../support/recording-proxy";
import { openRepositoryHost, type RepositoryHost } from "../support/repository-host";
import { root } from "../support/server";
import { isLong } from "../support/slices";
import { step } from "../support/step";

const { pinnedVersion }: { pinnedVersion: string } = require("../../scripts/setup/pulumi.mjs");

/** The pipelines of examples/ci from a pull request to drift, in a repository as docs/guides/ci.md has it: some minutes. */

type When = "pull request" | "push" | "night";
interface Job {
  outcome: JobRun["outcome"];
  log: string;
}
interface Pipeline {
  /** Runs the pipeline of a commit. @param only a job, if the others do not matter */
  run(when: When, sha: string, only?: string): Promise<Record<string, Job>>;
  /** The job that deploys, rehearses or looks for drift. */
  jobFor(when: When): string;
}

const hostToken = `${canary}-host-token`;
const passphrase = `${canary}-passphrase`;
const configured = `${canary}-session-secret`;

let world: Workspace;
let proxy: RecordingProxy;
let host: RepositoryHost;
beforeAll(async () => {
  world = await Workspace.start();
  proxy = await openRecordingProxy(world.server.url);
  host = await openRepositoryHost(hostToken);
});
beforeEach(async () => {
  await world.server.control("POST", "/reset");
  Object.assign(host, { comments: [], issues: [], writes: [] });
});
afterAll(async () => {
  host.close();
  await proxy.close();
  await world.stop();
});

/** A repository with the example, the action and both pipelines, and a stack in a backend of its own. */
class Repository {
  readonly folder = mkdtempSync(join(world.folder, "pipelines-"));
  readonly path = join(this.folder, "repository");
  readonly settings: Record<string, string>;

  constructor() {
    cpSync(join(root, "examples/ci"), this.path, { recursive: true });
    const moved = {
      gitignore: ".gitignore",
      npmrc: ".npmrc",
      "workflow.yml": ".github/workflows/infrastructure.yml",
      "gitlab-ci.yml": ".gitlab-ci.yml",
    };
    mkdirSync(join(this.path, ".github/workflows"), { recursive: true });
    for (const [from, to] of Object.entries(moved)) renameSync(join(this.path, from), join(this.path, to));
    cpSync(join(root, ".github/actions"), join(this.path, ".github/actions"), { recursive: true });
    writeFileSync(join(this.path, "package-lock.json"), "{}");
    for (const made of ["bin", "state", "home/.pulumi"])
      mkdirSync(join(this.folder, made), { recursive: true });
    // A link stands in for the installation. npx is the real one.
    const install = `#!/bin/sh\n[ "$*" = ci ] && ln -s ${join(root, "node_modules")} node_modules\n`;
    writeFileSync(join(this.folder, "bin/npm"), install, { mode: 0o755 });
    const pulumiHome = process.env.PULUMI_HOME ?? join(homedir(), ".pulumi");
    symlinkSync(join(pulumiHome, "versions"), join(this.folder, "home/.pulumi/versions"));
    this.settings = {
      PULUMI_BACKEND_URL: `file://${join(this.folder, "state")}`,
      PULUMI_CONFIG_PASSPHRASE: passphrase,
      SLIPWAY_API_URL: proxy.url,
      SLIPWAY_TEAM: "acme",
      SLIPWAY_TOKEN: world.token,
    };
    this.git("init", "--quiet", "--initial-branch=main");
    this.configure();
  }

  /** Of the machine, which has no settings of its own. */
  get env(): NodeJS.ProcessEnv {
    const { PATH, NODE_EXTRA_CA_CERTS } = process.env;
    const PULUMI_HOME = join(this.folder, "home/.pulumi");
    const machine = { HOME: join(this.folder, "home"), PULUMI_HOME, PULUMI_SKIP_UPDATE_CHECK: "true" };
    // Nothing is to be fetched.
    return {
      ...machine,
      PULUMI_VERSION: pinnedVersion,
      PATH: `${join(this.folder, "bin")}:${PATH}`,
      NODE_EXTRA_CA_CERTS,
      npm_config_offline: "true",
    };
  }

  git(...args: string[]): string {
    const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
    return execFileSync("git", [...who, ...args], { cwd: this.path, encoding: "utf8", stdio: "pipe" }).trim();
  }

  /** Creates the stack and sets its secret, as the guide says. */
  private configure(): void {
    const env = { ...this.env, ...this.settings };
    const pulumi = (...args: string[]) =>
      execFileSync("npx", ["pulumi", ...args], { cwd: this.path, env, stdio: "pipe" });
    symlinkSync(join(root, "node_modules"), join(this.path, "node_modules"));
    pulumi("stack", "init", "production");
    pulumi("config", "set", "--secret", "sessionSecret", configured);
    execFileSync("rm", [join(this.path, "node_modules")]);
  }

  /** Commits a program, with a change of that of the example. */
  commit(change: (program: string) => string = (program) => program): string {
    const example = readFileSync(join(root, "examples/ci/index.ts"), "utf8");
    writeFileSync(join(this.path, "index.ts"), change(example));
    this.git("add", "--all");
    this.git("commit", "--quiet", "--allow-empty", "--message", "Change the program");
    return this.git("rev-parse", "HEAD");
  }
}

const pipelines: Record<"GitHub Actions" | "GitLab CI", (repository: Repository) => Pipeline> = {
  "GitHub Actions"({ folder, path, env, settings }) {
    const events = { "pull request": "pull_request", push: "push", night: "schedule" } as const;
    return {
      jobFor: () => "pulumi",
      async run(when, sha, only) {
        const machine = {
          ...{ folder, repository: path, env, apiUrl: host.url, token: hostToken },
          ...{ vars: settings, secrets: settings },
        };
        const pull_request = { number: 7, head: { repo: { fork: false } } };
        const payload = when === "pull request" ? { number: 7, pull_request } : {};
        const jobs = await runWorkflow(
          machine,
          { event: events[when], payload, sha },
          only ? [only] : undefined,
        );
        for (const [name, { env: own, summary }] of Object.entries(jobs)) {
          world.record(summary);
          if (name === "test") expect(own).toEqual({});
        }
        return jobs;
      },
    };
  },
  "GitLab CI"({ folder, path, env, settings }) {
    const sources = { "pull request": "merge_request_event", push: "push", night: "schedule" };
    return {
      jobFor: (when) => ({ "pull request": "rehearse", push: "deploy", night: "drift" })[when],
      run(when, sha, only) {
        const machine = {
          ...{ folder, repository: path, env, variables: { ...settings, NOTE_TOKEN: hostToken } },
          cache: { ".pulumi/versions": join(env.PULUMI_HOME ?? "", "versions") },
        };
        const predefined = {
          CI_PIPELINE_SOURCE: sources[when],
          CI_COMMIT_BRANCH: when === "pull request" ? "" : "main",
          CI_API_V4_URL: host.url,
          CI_PROJECT_ID: "3",
          CI_PROJECT_PATH: "acme/web",
          ...(when === "pull request" && {
            ...{ CI_MERGE_REQUEST_IID: "7", CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: "acme/web" },
          }),
          CI_JOB_URL: "https://gitlab.example.com/job",
        };
        return runPipeline(machine, sha, predefined, only);
      },
    };
  },
};

const withDomain = (program: string): string =>
  `${program.replace("import { EnvVar,", "import { EnvVar, ProjectDomain,").replace("nextjs", "astro")}
new ProjectDomain("www", { project: web.id, name: "www.acme.example" });\n`;
const withoutSecret = (program: string): string => program.replace(/new EnvVar\([\s\S]*?\}\);/, "");

(isLong ? describe : describe.skip).each(Object.keys(pipelines) as (keyof typeof pipelines)[])(
  "%s",
  (name) => {
    jest.setTimeout(600_000);

    it("tests and rehearses a pull request with one comment, deploys a merge, and keeps an issue while there is drift", async () => {
      const repository = new Repository();
      const pipeline = pipelines[name](repository);
      const textOf = ({ body, description }: { body: string; description: string }) => body || description;
      const firstLines = () => host.comments.map((comment) => textOf(comment).split("\n").slice(0, 2));
      const account = async () => {
        const { now: _, ...all } = (await world.server.control("GET", "/snapshot")).body as { now: number };
        return all;
      };
      /** @returns the outcomes of the jobs */
      const run = async (when: When, sha: string, only?: string) => {
        const [before, seen] = [await account(), proxy.requests.length];
        const jobs = await pipeline.run(when, sha, only);
        for (const { log } of Object.values(jobs)) world.record(log);
        world.record(JSON.stringify([host.comments, host.issues]));
        if (when !== "push") {
          expect(proxy.requests.slice(seen).filter(({ method }) => method !== "GET")).toEqual([]);
          expect(await account()).toEqual(before);
        }
        const ran = Object.entries(jobs).filter(([, { outcome }]) => outcome !== "skipped");
        return { outcomes: Object.fromEntries(ran.map(([job, { outcome }]) => [job, outcome])), jobs };
      };
      const project = async () => (await world.server.request("GET", "/v9/projects/web")).body;

      await step("a push to main creates the project", async () => {
        const { outcomes } = await run("push", repository.commit());
        expect(outcomes).toEqual({ [pipeline.jobFor("push")]: "success" });
        expect(await project()).toMatchObject({ framework: "nextjs" });
        expect(host.writes).toEqual([]);
      });

      const marker = "<!-- slipway: production -->";
      const changes = "**Changes the project web, and makes 1 other change.**";
      const deletes =
        "**Deletes the production variable SESSION\\_SECRET (production) of project web, and makes 2 other changes.**";
      repository.git("checkout", "--quiet", "-b", "change");
      await step("a pull request is tested and rehearsed, and gets a comment", async () => {
        const { outcomes } = await run("pull request", repository.commit(withDomain));
        expect(outcomes).toEqual({ test: "success", [pipeline.jobFor("pull request")]: "success" });
        expect(firstLines()).toEqual([[marker, changes]]);
      });

      await step("a second push fails, since it deletes a variable, and updates the comment", async () => {
        const { outcomes } = await run(
          "pull request",
          repository.commit((program) => withoutSecret(withDomain(program))),
          pipeline.jobFor("pull request"),
        );
        expect(outcomes).toMatchObject({ [pipeline.jobFor("pull request")]: "failure" });
        expect(firstLines()).toEqual([[marker, deletes]]);
      });

      await step("a rehearsal that cannot read the account leaves no old report", async () => {
        const { SLIPWAY_TOKEN = "" } = repository.settings;
        repository.settings.SLIPWAY_TOKEN = "expired";
        const { outcomes } = await run(
          "pull request",
          repository.commit(withDomain),
          pipeline.jobFor("pull request"),
        );
        repository.settings.SLIPWAY_TOKEN = SLIPWAY_TOKEN;
        expect(outcomes).toMatchObject({ [pipeline.jobFor("pull request")]: "failure" });
        expect(firstLines()).toEqual([
          [marker, "**The rehearsal failed before it had a report: see the log of the job.**"],
        ]);
      });

      await step("a push that repairs it updates the comment again", async () => {
        await run("pull request", repository.commit(withDomain), pipeline.jobFor("pull request"));
        expect(firstLines()).toEqual([[marker, changes]]);
        expect(host.writes).toHaveLength(4);
      });

      repository.git("checkout", "--quiet", "main");
      repository.git("merge", "--quiet", "--ff-only", "change");
      const merged = repository.git("rev-parse", "HEAD");
      await step("the merge deploys what the comment said", async () => {
        const { outcomes } = await run("push", merged);
        expect(outcomes).toEqual({ [pipeline.jobFor("push")]: "success" });
        expect(await project()).toMatchObject({ framework: "astro" });
        const { domains } = (await world.server.request("GET", "/v9/projects/web/domains")).body;
        expect(domains.map((domain: { name: string }) => domain.name)).toContain("www.acme.example");
      });

      await step("an issue is open while there is drift", async () => {
        const night = async (framework: string, outcome: string, states: string[]) => {
          await world.server.request("PATCH", "/v9/projects/web", { framework });
          expect((await run("night", merged)).outcomes).toEqual({ [pipeline.jobFor("night")]: outcome });
          expect(host.issues.map(({ state }) => state)).toEqual(states);
        };
        await night("astro", "success", []);
        await night("vite", "failure", ["open"]);
        expect(host.issues.map(textOf).join()).toMatch(/framework[\s\S]*vite/);
        await night("vite", "failure", ["open"]);
        await night("astro", "success", ["closed"]);
      });
      expect(host.comments).toHaveLength(1);
    });
  },
);
