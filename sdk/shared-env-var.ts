import type * as pulumi from "@pulumi/pulumi";
import { sharedEnvVar } from "../provider/resources/shared-env-var";
import { classOf } from "./core/resource";
import type { SharedEnvVarArgs, SharedEnvVarOutputs } from "./types";

/** An environment variable of a team that applies to all linked projects. */
export class SharedEnvVar extends classOf<SharedEnvVarOutputs>(sharedEnvVar) {
  constructor(name: string, args: SharedEnvVarArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing variable by its id or by `KEY/target`, without managing it. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): SharedEnvVar {
    return new SharedEnvVar(name, {} as SharedEnvVarArgs, { ...opts, id });
  }
}
