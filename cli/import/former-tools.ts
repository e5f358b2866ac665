import type { Client } from "../../provider/client/client";
import type { Discovery } from "./discover";
import { importPulumiverse } from "./pulumiverse/import";
import { shellArgument } from "./shell";
import type { Release } from "./steps";
import { importTerraform } from "./terraform/import";

/** A tool that manages the objects until the import. */
export interface FormerTool extends Release {
  /** Declares the objects of a state. `source` names its file in messages. @throws UserError, ApiError */
  read(
    client: Client,
    text: string,
    options: { source: string; progress: (message: string) => void },
  ): Promise<Discovery & { release: string }>;
}

/** The former tools, by the flag that names the file with the state. */
export const formerTools = {
  fromTerraform: {
    file: "removed.tf",
    read: importTerraform,
    step: (
      path,
    ) => `In the Terraform configuration, replace the blocks of the resources with ${path}, and references to
   them with values. The plan must not destroy anything. After the apply, the plan is empty.
  terraform plan
  terraform apply`,
  },
  fromPulumiverse: {
    file: "release.sh",
    read: importPulumiverse,
    isBeforeCheck: true,
    step: (
      path,
    ) => `Remove the resources of @pulumiverse/vercel from the state, which keeps their objects. Then remove them from
   the program. Do not run \`pulumi up\` in between: it would create them again.
  sh ${shellArgument(path)}`,
  },
} as const satisfies Record<string, FormerTool>;
