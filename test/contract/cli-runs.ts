import { account } from "./cli/stories/account";
import { deploy } from "./cli/stories/deploy";
import { deployments } from "./cli/stories/deployments";
import { domains } from "./cli/stories/domains";
import { environment } from "./cli/stories/environment";
import { features } from "./cli/stories/features";
import { help } from "./cli/stories/help";
import { project } from "./cli/stories/project";
import { settings } from "./cli/stories/settings";
import type { Story } from "./cli/stories/story";
import { team } from "./cli/stories/team";

/** The daily work of somebody with the official command line. */
export const stories: readonly Story[] = [
  account,
  project,
  environment,
  deploy,
  settings,
  deployments,
  domains,
  team,
  features,
  help,
];
