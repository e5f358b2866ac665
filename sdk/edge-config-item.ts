import type * as pulumi from "@pulumi/pulumi";
import { edgeConfigItem } from "../provider/resources/edge-config-item";
import { classOf } from "./core/resource";
import type { EdgeConfigItemArgs, EdgeConfigItemOutputs } from "./types";

/** An item of an Edge Config: a key and a value. The value may be any JSON. */
export class EdgeConfigItem extends classOf<EdgeConfigItemOutputs>(edgeConfigItem) {
  constructor(name: string, args: EdgeConfigItemArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing item by id, `edgeConfigId/key`, without managing it. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): EdgeConfigItem {
    return new EdgeConfigItem(name, {} as EdgeConfigItemArgs, { ...opts, id });
  }
}
