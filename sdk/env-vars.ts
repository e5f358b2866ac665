import type * as pulumi from "@pulumi/pulumi";
import { envVars } from "../provider/resources/env-vars";
import { classOf } from "./core/resource";
import type { EnvVarsArgs, EnvVarsOutputs } from "./types";

/**
 * Many environment variables of a project in one declaration, made with one request. Those that are not declared
 * here are left alone. `variables` is a secret as a whole.
 */
export class EnvVars extends classOf<EnvVarsOutputs>(envVars) {
  constructor(name: string, args: EnvVarsArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }
}
