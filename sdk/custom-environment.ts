import type * as pulumi from "@pulumi/pulumi";
import { customEnvironment } from "../provider/resources/custom-environment";
import { classOf } from "./core/resource";
import type { CustomEnvironmentArgs, CustomEnvironmentOutputs } from "./types";

/** A custom environment of a project, such as staging. Variables and domains refer to its `environmentId`. */
export class CustomEnvironment extends classOf<CustomEnvironmentOutputs>(customEnvironment) {
  constructor(name: string, args: CustomEnvironmentArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing environment by `project/environment`, without managing it. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): CustomEnvironment {
    return new CustomEnvironment(name, {} as CustomEnvironmentArgs, { ...opts, id });
  }
}
