import type * as pulumi from "@pulumi/pulumi";
import { customEnvironment } from "../provider/resources/custom-environment";
import { classOf } from "./core/resource";
import type { CustomEnvironmentArgs, CustomEnvironmentOutputs } from "./types";

/** A custom environment of a project, such as staging. Its `environmentId` is what variables and domains refer to. */
export class CustomEnvironment extends classOf<CustomEnvironmentOutputs>(customEnvironment) {
  constructor(name: string, args: CustomEnvironmentArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** An environment that exists, by `project/environment`; it is read and never changed. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): CustomEnvironment {
    return new CustomEnvironment(name, {} as CustomEnvironmentArgs, { ...opts, id });
  }
}
