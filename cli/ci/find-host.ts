import { UserError } from "../core/errors";
import { githubHost } from "./github";
import { gitlabHost } from "./gitlab";
import type { Host } from "./host";

export const hostNote = `In GitHub Actions, GITHUB_TOKEN has to be passed, and may write pull requests and issues. In GitLab CI,
NOTE_TOKEN is a project access token with the scope api.`;

/** The host of the pipeline that runs. @throws UserError outside of one */
export function findHost(environment: NodeJS.ProcessEnv = process.env): Host {
  if (environment.GITHUB_ACTIONS === "true") return githubHost(environment);
  if (environment.GITLAB_CI === "true") return gitlabHost(environment);
  throw new UserError(
    "This is neither GitHub Actions nor GitLab CI: GITHUB_ACTIONS and GITLAB_CI are not true.",
  );
}
