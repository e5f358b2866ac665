import { homedir, userInfo } from "node:os";
import { join } from "node:path";

/**
 * The folder where the Pulumi CLI keeps its plugins. Without PULUMI_HOME, it takes the home directory of the user
 * database: HOME may differ, as in the containers of CI.
 */
export const pulumiHome = (environment: NodeJS.ProcessEnv = process.env): string =>
  environment.PULUMI_HOME || join(homeOfUser(), ".pulumi");

function homeOfUser(): string {
  try {
    return userInfo().homedir;
  } catch {
    // The database has no such user, as in containers that run with any id.
    return homedir();
  }
}
