import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { root } from "./server";

/** The pipelines of examples/ci: what a job runs for an event. */

export interface Step {
  name?: string;
  uses?: string;
  with?: Record<string, string>;
  run?: string;
  if?: string;
  env?: Record<string, string>;
  "working-directory"?: string;
}

interface Job {
  steps: Step[];
  if: string;
  env?: Record<string, string>;
  environment?: string;
  permissions?: Record<string, string>;
  concurrency?: { group: string; "cancel-in-progress": string };
}

interface Workflow {
  jobs: Record<"test" | "pulumi", Job>;
}

export type Event = "pull_request" | "push" | "schedule";

const file = (name: string): string => readFileSync(join(root, "examples/ci", name), "utf8");

export const workflowText = file("workflow.yml");

export const workflow: Workflow = parse(workflowText);

/** The action that the workflow uses. */
export const action: {
  inputs: Record<string, { default?: string }>;
  runs: { using: string; steps: Step[] };
} = parse(readFileSync(join(root, ".github/actions/slipway/action.yml"), "utf8"));

interface Script {
  name: string;
  script: string;
  env: NodeJS.ProcessEnv;
}

/**
 * The scripts of the job for an event on GitHub, in order, with those of the action.
 * @param settings the repository's secrets and variables, and `RUNNER_TEMP`
 */
export function githubJob(event: Event, settings: NodeJS.ProcessEnv): Script[] {
  return workflow.jobs.pulumi.steps
    .filter(({ if: condition }) => condition === undefined || condition === `github.event_name == '${event}'`)
    .flatMap((step) =>
      step.uses === "./.github/actions/slipway" ? actionScripts(step.with ?? {}, settings) : [],
    );
}

/** The scripts that the action runs for its inputs. */
export function actionScripts(given: Record<string, string>, settings: NodeJS.ProcessEnv): Script[] {
  const inputs: Record<string, string> = {
    ...Object.fromEntries(
      Object.entries(action.inputs).map(([name, { default: usual = "" }]) => [name, usual]),
    ),
    ...given,
  };
  const expand = (values: Record<string, string>): NodeJS.ProcessEnv =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        value
          .replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => inputs[input] ?? "")
          .replace(/\$\{\{ (?:vars|secrets)\.(\w+) \}\}/g, (_, setting: string) => settings[setting] ?? "")
          .replace(/\$\{\{ runner\.temp \}\}/g, settings.RUNNER_TEMP ?? "")
          .replace(/\$\{\{ github\.token \}\}/g, "github-token"),
      ]),
    );
  const jobEnv = workflow.jobs[inputs.command === "test" ? "test" : "pulumi"].env ?? {};
  return action.runs.steps.flatMap(({ name = "", run: script, if: condition = "", env = {} }) => {
    const wanted = /inputs\.command == '(\w+)'/.exec(condition)?.[1];
    const isSkipped = script === undefined || (wanted !== undefined && wanted !== inputs.command);
    return isSkipped ? [] : [{ name, script, env: { ...expand(jobEnv), ...expand(env) } }];
  });
}

interface GitlabJob {
  rules: { if: string }[];
  script: string[];
  after_script?: string[];
}

type GitlabName = "test" | "rehearse" | "deploy" | "drift";
export const gitlab: Record<GitlabName, GitlabJob> & {
  default: { before_script: string[] };
} = parse(file("gitlab-ci.yml"));

/** The script of a job of GitLab, with what runs before it. */
export const gitlabJob = (name: GitlabName): string =>
  [...gitlab.default.before_script, ...gitlab[name].script, ...(gitlab[name].after_script ?? [])].join("\n");
