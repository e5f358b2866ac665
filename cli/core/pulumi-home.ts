import { homedir, userInfo } from "node:os";
import { join } from "node:path";

/**
 * The folder where the Pulumi CLI keeps its plugins. Without PULUMI_HOME, the CLI uses the home directory in the user
 * database. HOME may be another directory, as in the containers of CI.
 */
export const pulumiHome = (environment: NodeJS.ProcessEnv = process.env): string =>
  environment.PULUMI_HOME || join(homeOfUser(), ".pulumi");

function homeOfUser(): string {
  try {
    return userInfo().homedir;
  } catch {
    // The user database does not have this user, as in containers that run with an arbitrary id.
    return homedir();
  }
}
