import type * as pulumi from "@pulumi/pulumi";
import { sharedEnvVarLink } from "../provider/resources/shared-env-var-link";
import { classOf } from "./core/resource";
import type { SharedEnvVarLinkArgs, SharedEnvVarLinkOutputs } from "./types";

/** Links one project to a shared variable. Other links of the variable are not changed. */
export class SharedEnvVarLink extends classOf<SharedEnvVarLinkOutputs>(sharedEnvVarLink) {
  constructor(name: string, args: SharedEnvVarLinkArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing link by its id, `project/id of the shared variable`, without managing it. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): SharedEnvVarLink {
    return new SharedEnvVarLink(name, {} as SharedEnvVarLinkArgs, { ...opts, id });
  }
}
