import { customEnvironment } from "./custom-environment";
import { domainVerification } from "./domain-verification";
import { envVar } from "./env-var";
import { envVars } from "./env-vars";
import { project } from "./project";
import { projectDomain } from "./project-domain";
import { promotion } from "./promotion";
import { webhook } from "./webhook";

/**
 * The one list of resources. The hosts, the package schema, the types of the SDK and the tables of the documents are
 * made of it; the module, the class and the page of each are called after its type.
 */
export const resources = {
  project,
  projectDomain,
  domainVerification,
  envVar,
  envVars,
  promotion,
  customEnvironment,
  webhook,
} as const;
