import { execFile, execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { parse } from "yaml";
import type { Event, Step } from "./pipelines";

/** Runs workflows as GitHub Actions does: conditions, expressions, composite actions, and the files of a step. */

export interface GithubRun {
  event: Event;
  /** The members of the event, such as `pull_request`. */
  payload: object;
  actor?: string;
  /** The commit that is checked out. */
  sha: string;
}

export interface GithubMachine {
  /** For the files of the jobs. */
  folder: string;
  /** The repository that is cloned. */
  repository: string;
  /** The environment of every process. */
  env: NodeJS.ProcessEnv;
  apiUrl: string;
  /** Of jobs that may write comments and issues. */
  token: string;
  secrets: Readonly<Record<string, string>>;
  vars: Readonly<Record<string, string>>;
}

export interface JobRun {
  outcome: "success" | "failure" | "skipped";
  /** By their names; those that a condition left out are missing. */
  steps: Record<string, "success" | "failure">;
  log: string;
  summary: string;
  /** The variables of the job, beside the environment of the machine. */
  env: NodeJS.ProcessEnv;
}

interface WorkflowJob {
  if?: string;
  env?: Record<string, string>;
  permissions?: Record<string, string>;
  steps: Step[];
}

/** Runs the jobs of a workflow in the checked-out commit, one after the other. */
export async function runWorkflow(
  machine: GithubMachine,
  run: GithubRun,
  jobs?: readonly string[],
): Promise<Record<string, JobRun>> {
  const text = execFileSync("git", ["show", `${run.sha}:.github/workflows/infrastructure.yml`], {
    cwd: machine.repository,
    encoding: "utf8",
  });
  const workflow = parse(text) as { jobs: Record<string, WorkflowJob> };
  const done: Record<string, JobRun> = {};
  for (const [name, job] of Object.entries(workflow.jobs))
    if (jobs === undefined || jobs.includes(name)) done[name] = await new Job(machine, run, job).run();
  return done;
}

type Context = Readonly<Record<string, unknown>>;

class Job {
  private readonly temp: string;
  private readonly workspace: string;
  private readonly result: JobRun = { outcome: "success", steps: {}, log: "", summary: "", env: {} };
  private hasFailed = false;

  constructor(
    private readonly machine: GithubMachine,
    private readonly given: GithubRun,
    private readonly job: WorkflowJob,
  ) {
    const folder = mkdtempSync(join(machine.folder, "job-"));
    this.temp = join(folder, "temp");
    this.workspace = join(folder, "workspace");
    mkdirSync(this.temp);
    mkdirSync(this.workspace);
    writeFileSync(join(this.temp, "event.json"), JSON.stringify(given.payload));
  }

  async run(): Promise<JobRun> {
    const { machine, given, job } = this;
    const mayWrite = job.permissions?.["pull-requests"] === "write" && job.permissions.issues === "write";
    const token = mayWrite ? machine.token : "token-that-only-reads";
    const context = {
      github: {
        event_name: given.event,
        actor: given.actor ?? "ada",
        event: given.payload,
        sha: given.sha,
        token,
      },
      runner: { temp: this.temp, os: "Linux" },
      secrets: machine.secrets,
      vars: machine.vars,
      hashFiles: () => "hash",
    };
    if (job.if !== undefined && !resultOf(job.if, context)) this.result.outcome = "skipped";
    else {
      this.result.env = expanded(job.env ?? {}, context);
      await this.runSteps(job.steps, context, this.result.env);
      if (this.hasFailed) this.result.outcome = "failure";
    }
    rmSync(join(this.workspace, ".."), { recursive: true, force: true });
    return this.result;
  }

  private async runSteps(steps: readonly Step[], context: Context, env: NodeJS.ProcessEnv): Promise<void> {
    for (const step of steps) {
      const always = (): boolean => true;
      const condition = step.if ?? "true";
      const isFor = resultOf(condition, { ...context, always }) as boolean;
      if (!isFor || (this.hasFailed && !condition.includes("always()"))) continue;
      const own = { ...env, ...expanded(step.env ?? {}, context) };
      if (step.uses !== undefined)
        await this.use(step.uses, expanded(step.with ?? {}, context), context, own);
      else await this.runScript(step, context, own);
    }
  }

  private async use(
    uses: string,
    given: Record<string, string>,
    context: Context,
    env: NodeJS.ProcessEnv,
  ): Promise<void> {
    if (uses.startsWith("actions/checkout@")) {
      const git = (...args: string[]) => execFileSync("git", args, { cwd: this.workspace, stdio: "pipe" });
      git("clone", "--quiet", this.machine.repository, ".");
      git("checkout", "--quiet", this.given.sha);
    } else if (uses.startsWith("./")) {
      const action = parse(readFileSync(join(this.workspace, uses, "action.yml"), "utf8")) as {
        inputs: Record<string, { default?: string; required?: boolean }>;
        runs: { steps: Step[] };
      };
      const inputs = Object.entries(action.inputs).map(([name, { default: usual = "", required }]) => {
        if (required && given[name] === undefined) throw new Error(`${uses} needs the input ${name}`);
        return [name, given[name] ?? textOf(usual, context)];
      });
      await this.runSteps(action.runs.steps, { ...context, inputs: Object.fromEntries(inputs) }, env);
    } else if (!/^actions\/(setup-node|cache)@(v\d+|[0-9a-f]{40})$/.test(uses))
      throw new Error(`${uses} is not known`);
  }

  private async runScript(step: Step, context: Context, env: NodeJS.ProcessEnv): Promise<void> {
    const { name = "", run: script = "" } = step;
    const file = join(this.temp, "script.sh");
    writeFileSync(file, textOf(script, context));
    const summary = join(this.temp, "summary.md");
    const files = Object.fromEntries(
      ["GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STATE"].map((variable) => {
        writeFileSync(join(this.temp, variable), "");
        return [variable, join(this.temp, variable)];
      }),
    );
    appendFileSync(summary, "");
    const outcome = await new Promise<"success" | "failure">((done) => {
      execFile(
        "bash",
        ["--noprofile", "--norc", "-eo", "pipefail", file],
        {
          cwd: join(this.workspace, textOf(step["working-directory"] ?? ".", context)),
          env: {
            ...this.machine.env,
            ...env,
            ...files,
            CI: "true",
            GITHUB_ACTIONS: "true",
            GITHUB_API_URL: this.machine.apiUrl,
            GITHUB_REPOSITORY: "acme/infrastructure",
            GITHUB_RUN_ID: "42",
            GITHUB_EVENT_PATH: join(this.temp, "event.json"),
            GITHUB_STEP_SUMMARY: summary,
            GITHUB_SHA: this.given.sha,
            GITHUB_WORKSPACE: this.workspace,
            RUNNER_TEMP: this.temp,
          },
        },
        (error, stdout, stderr) => {
          this.result.log += `${stdout}${stderr}`;
          done(error ? "failure" : "success");
        },
      );
    });
    this.result.steps[name] = outcome;
    if (existsSync(summary)) this.result.summary = readFileSync(summary, "utf8");
    if (outcome === "failure") this.hasFailed = true;
  }
}

/** The expressions of the workflows are also JavaScript, but for members such as `inputs.fail-on`. */
const resultOf = (expression: string, context: Context): unknown =>
  runInNewContext(
    expression.replace(/^\s*\$\{\{(.*)\}\}\s*$/s, "$1").replace(/\b(inputs)\.([\w-]+)/g, '$1["$2"]'),
    { ...context },
  );

const textOf = (text: string, context: Context): string =>
  text.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) => String(resultOf(expression, context) ?? ""));

const expanded = (values: Readonly<Record<string, string>>, context: Context): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, textOf(String(value), context)]));
