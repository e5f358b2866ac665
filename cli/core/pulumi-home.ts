import { homedir, userInfo } from "node:os";
import { join } from "node:path";

/**
 * The folder where the Pulumi CLI keeps its plugins. Without PULUMI_HOME, the CLI uses the home directory in the
 * system's user database. `HOME` may be another folder, as in containers of CI.
 */
export const pulumiHome = (environment: NodeJS.ProcessEnv = process.env): string =>
  environment.PULUMI_HOME || join(homeOfUser(), ".pulumi");

function homeOfUser(): string {
  try {
    return userInfo().homedir;
  } catch {
    // The database does not have the user, for example in a container that runs with an arbitrary user id.
    return homedir();
  }
}
