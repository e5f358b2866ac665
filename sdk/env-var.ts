import type * as pulumi from "@pulumi/pulumi";
import { envVar } from "../provider/resources/env-var";
import { type ArgsOf, classOf } from "./resource";

/** What a variable is declared with. */
export interface EnvVarArgs extends ArgsOf<typeof envVar> {}

/** An environment variable of a project. Its value is always a secret, whatever its type. */
export class EnvVar extends classOf(envVar) {
  constructor(name: string, args: EnvVarArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** A variable that exists, by `project/id` or `project/KEY/target`; it is read and never changed. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): EnvVar {
    return new EnvVar(name, {} as EnvVarArgs, { ...opts, id });
  }
}
