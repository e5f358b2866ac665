import type * as pulumi from "@pulumi/pulumi";
import { webhook } from "../provider/resources/webhook";
import { classOf } from "./core/resource";
import type { WebhookArgs, WebhookOutputs } from "./types";

/**
 * A webhook of the account: an endpoint that receives the account's events. Each delivery is signed with `secret`. The
 * API cannot update a webhook, so every change creates a new webhook with another secret, then deletes the old webhook.
 */
export class Webhook extends classOf<WebhookOutputs>(webhook) {
  constructor(name: string, args: WebhookArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing webhook by its id, without managing it. The webhook's secret is not known. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Webhook {
    return new Webhook(name, {} as WebhookArgs, { ...opts, id });
  }
}
