import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";

/** Runs the jobs of a pipeline as GitLab does: rules, variables, and the scripts of a job. */

export interface GitlabMachine {
  /** For the files of the jobs. */
  folder: string;
  /** The repository that is cloned. */
  repository: string;
  /** The environment of every process. */
  env: NodeJS.ProcessEnv;
  /** The CI/CD variables of the project. */
  variables: Readonly<Record<string, string>>;
  /** Folders of the cache, by their paths in the project. */
  cache: Readonly<Record<string, string>>;
}

export interface GitlabJobRun {
  outcome: "success" | "failure";
  log: string;
}

interface GitlabJob {
  rules: { if: string }[];
  script: string[];
  after_script?: string[];
}

/**
 * Runs the jobs whose rules match, one after the other.
 * @param given the predefined variables of the pipeline
 * @param only a job, if the others do not matter
 */
export async function runPipeline(
  machine: GitlabMachine,
  sha: string,
  given: Readonly<Record<string, string>>,
  only?: string,
): Promise<Record<string, GitlabJobRun>> {
  const text = execFileSync("git", ["show", `${sha}:.gitlab-ci.yml`], {
    cwd: machine.repository,
    encoding: "utf8",
  });
  const {
    image: _,
    variables = {},
    default: usual,
    ...jobs
  } = parse(text) as Record<string, GitlabJob> & {
    image: string;
    variables: Record<string, string>;
    default: { before_script: string[] };
  };
  const done: Record<string, GitlabJobRun> = {};
  for (const [name, job] of Object.entries(jobs)) {
    const known: Record<string, string> = { CI_DEFAULT_BRANCH: "main", ...given };
    if (only !== undefined && name !== only) continue;
    if (!job.rules.some(({ if: condition }) => isMet(condition, known))) continue;
    const folder = mkdtempSync(join(machine.folder, "job-"));
    execFileSync("git", ["clone", "--quiet", machine.repository, folder]);
    execFileSync("git", ["checkout", "--quiet", sha], { cwd: folder });
    for (const [at, cached] of Object.entries(machine.cache)) {
      mkdirSync(dirname(join(folder, at)), { recursive: true });
      symlinkSync(cached, join(folder, at));
    }
    const predefined = { ...known, CI: "true", GITLAB_CI: "true", CI_PROJECT_DIR: folder };
    const declared = Object.entries(variables).map(([key, value]) => [
      key,
      value.replace(
        /\$(\w+)/g,
        (_match, variable: string) => (predefined as Record<string, string>)[variable] ?? "",
      ),
    ]);
    const env = { ...machine.env, ...predefined, ...Object.fromEntries(declared), ...machine.variables };
    const first = await runScript([...usual.before_script, ...job.script], folder, env);
    // In a shell of its own, also after a failure. Its outcome is not that of the job.
    const last = await runScript(job.after_script ?? [], folder, env);
    done[name] = { outcome: first.outcome, log: first.log + last.log };
    rmSync(folder, { recursive: true, force: true });
  }
  return done;
}

function runScript(lines: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<GitlabJobRun> {
  return new Promise((done) => {
    execFile("bash", ["-eo", "pipefail", "-c", lines.join("\n")], { cwd, env }, (error, stdout, stderr) =>
      done({ outcome: error ? "failure" : "success", log: `${stdout}${stderr}` }),
    );
  });
}

/** The conditions of the template: comparisons of variables, all of which have to hold. */
function isMet(condition: string, variables: Readonly<Record<string, string>>): boolean {
  return condition.split(" && ").every((comparison) => {
    const [left = "", right = ""] = comparison
      .split(" == ")
      .map((side) =>
        side.startsWith("$") ? (variables[side.slice(1)] ?? "") : side.replace(/^"(.*)"$/, "$1"),
      );
    return left === right;
  });
}
