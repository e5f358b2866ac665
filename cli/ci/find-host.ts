import { UserError } from "../core/errors";
import { githubHost } from "./github";
import { gitlabHost } from "./gitlab";
import type { Host } from "./host";

export const hostNote = `In GitHub Actions, pass GITHUB_TOKEN, with the permissions to write pull requests and issues. In GitLab CI, set
NOTE_TOKEN to a project access token with the scope api.`;

/** The Git host of the current pipeline. @throws UserError outside of a pipeline */
export function findHost(environment: NodeJS.ProcessEnv = process.env): Host {
  if (environment.GITHUB_ACTIONS === "true") return githubHost(environment);
  if (environment.GITLAB_CI === "true") return gitlabHost(environment);
  throw new UserError(
    "This is neither GitHub Actions nor GitLab CI: neither GITHUB_ACTIONS nor GITLAB_CI is true. Run the command in a pipeline.",
  );
}
