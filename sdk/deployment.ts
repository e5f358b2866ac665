import type * as pulumi from "@pulumi/pulumi";
import { deployment } from "../provider/resources/deployment";
import { classOf } from "./core/resource";
import type { DeploymentArgs, DeploymentOutputs } from "./types";

/**
 * A deployment of a project. Its source is a folder of files, the output of a build, a commit, or the source of another
 * deployment. Changing the source, target or triggers creates a new deployment and keeps the old one.
 */
export class Deployment extends classOf<DeploymentOutputs>(deployment) {
  constructor(name: string, args: DeploymentArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing deployment by its id, without managing it. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Deployment {
    return new Deployment(name, {} as DeploymentArgs, { ...opts, id });
  }
}
