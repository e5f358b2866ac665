import type * as pulumi from "@pulumi/pulumi";
import { envVars } from "../provider/resources/env-vars";
import { classOf } from "./core/resource";
import type { EnvVarsArgs, EnvVarsOutputs } from "./types";

/**
 * Many environment variables of a project in one declaration, created with one request. Other variables of the project
 * stay as they are. The whole map `variables` is a secret.
 */
export class EnvVars extends classOf<EnvVarsOutputs>(envVars) {
  constructor(name: string, args: EnvVarsArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }
}
