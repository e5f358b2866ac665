import type * as pulumi from "@pulumi/pulumi";
import { edgeConfigToken } from "../provider/resources/edge-config-token";
import { classOf } from "./core/resource";
import type { EdgeConfigTokenArgs, EdgeConfigTokenOutputs } from "./types";

/** A token that reads an Edge Config. `token` and `connectionString` are secrets. */
export class EdgeConfigToken extends classOf<EdgeConfigTokenOutputs>(edgeConfigToken) {
  constructor(name: string, args: EdgeConfigTokenArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing token by id, `edgeConfigId/tokenId`, without managing it. Its value is not known. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): EdgeConfigToken {
    return new EdgeConfigToken(name, {} as EdgeConfigTokenArgs, { ...opts, id });
  }
}
