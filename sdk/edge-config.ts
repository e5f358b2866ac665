import type * as pulumi from "@pulumi/pulumi";
import { edgeConfig } from "../provider/resources/edge-config";
import { classOf } from "./core/resource";
import type { EdgeConfigArgs, EdgeConfigOutputs } from "./types";

/** An Edge Config of the account: a small store of items that functions read quickly. */
export class EdgeConfig extends classOf<EdgeConfigOutputs>(edgeConfig) {
  constructor(name: string, args: EdgeConfigArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing Edge Config by its id or slug, without managing it. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): EdgeConfig {
    return new EdgeConfig(name, {} as EdgeConfigArgs, { ...opts, id });
  }
}
