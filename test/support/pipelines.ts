import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { root } from "./server";

/** The pipelines of examples/ci: what a job runs for an event. */

export interface Step {
  name?: string;
  uses?: string;
  run?: string;
  if?: string;
  env?: Record<string, string>;
}

interface Workflow {
  env: Record<string, string>;
  jobs: { pulumi: { steps: Step[] } };
}

export type Event = "pull_request" | "push" | "schedule";

const file = (name: string): string => readFileSync(join(root, "examples/ci", name), "utf8");

export const workflow: Workflow = parse(file("workflow.yml"));

/** The scripts of a job of GitHub Actions, in order. @param settings the repository's secrets and variables */
export function githubJob(
  event: Event,
  settings: NodeJS.ProcessEnv,
): { script: string; env: NodeJS.ProcessEnv }[] {
  const expand = (values: Record<string, string>): NodeJS.ProcessEnv =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        value
          .replace(/\$\{\{ (?:vars|secrets)\.(\w+) \}\}/g, (_, setting: string) => settings[setting] ?? "")
          .replace(/\$\{\{ github\.event\.pull_request\.number \}\}/, "7")
          .replace(/\$\{\{ github\.token \}\}/, "github-token"),
      ]),
    );
  return workflow.jobs.pulumi.steps.flatMap(({ run: script, if: condition, env = {} }) => {
    const isSkipped = condition !== undefined && condition !== `github.event_name == '${event}'`;
    return script === undefined || isSkipped
      ? []
      : [{ script, env: { ...expand(workflow.env), ...expand(env) } }];
  });
}

interface GitlabJob {
  rules: { if: string }[];
  script: string[];
}

export const gitlab: Record<"preview" | "deploy" | "drift", GitlabJob> & {
  default: { before_script: string[] };
} = parse(file("gitlab-ci.yml"));

/** The script of a job of GitLab, with what runs before it. */
export const gitlabJob = (name: "preview" | "deploy" | "drift"): string =>
  [...gitlab.default.before_script, ...gitlab[name].script].join("\n");
