import type * as pulumi from "@pulumi/pulumi";
import { webhook } from "../provider/resources/webhook";
import { classOf } from "./core/resource";
import type { WebhookArgs, WebhookOutputs } from "./types";

/**
 * A webhook of the account: an endpoint that receives its events, each signed with `secret`. The API cannot edit a
 * webhook, so every change creates a new one with another secret, and then deletes the old one.
 */
export class Webhook extends classOf<WebhookOutputs>(webhook) {
  constructor(name: string, args: WebhookArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing webhook by its id, without managing it. Its secret is not known. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Webhook {
    return new Webhook(name, {} as WebhookArgs, { ...opts, id });
  }
}
