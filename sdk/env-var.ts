import type * as pulumi from "@pulumi/pulumi";
import { envVar } from "../provider/resources/env-var";
import { classOf } from "./core/resource";
import type { EnvVarArgs, EnvVarOutputs } from "./types";

/** An environment variable of a project. Its value is always a secret, whatever its type. */
export class EnvVar extends classOf<EnvVarOutputs>(envVar) {
  constructor(name: string, args: EnvVarArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing variable by `project/id` or `project/KEY/target`, without managing it. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): EnvVar {
    return new EnvVar(name, {} as EnvVarArgs, { ...opts, id });
  }
}
