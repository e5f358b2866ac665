import * as pulumi from "@pulumi/pulumi";
import { explicitKey, type Setting } from "../provider/client/config";

/** Where the API is, and as whom it is asked. What is not given comes from the environment, then from the stack's configuration. */
export interface ProviderArgs {
  /** Address of the API. */
  apiUrl?: pulumi.Input<string | undefined>;
  /** Access token, always kept as a secret. */
  token?: pulumi.Input<string | undefined>;
  /** Id or slug of the team; an empty text is the personal account. */
  team?: pulumi.Input<string | undefined>;
}

/**
 * An account that resources belong to, given as the option `provider`: for several accounts or teams in one program,
 * and for a token that comes from elsewhere than the configuration. Another token updates this provider alone.
 */
export class Provider extends pulumi.ProviderResource {
  /** What it was given, for look-ups, which run in the program itself. @internal */
  readonly given: Record<Setting, pulumi.Output<string | undefined>>;

  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    const given = {
      apiUrl: pulumi.output(args.apiUrl),
      token: pulumi.secret(args.token),
      team: pulumi.output(args.team),
    };
    const stack = stackConfig();
    super(
      "pulumi-nodejs",
      name,
      {
        [explicitKey("apiUrl")]: args.apiUrl,
        [explicitKey("token")]: args.token === undefined ? undefined : given.token,
        [explicitKey("team")]: args.team,
        "slipway:apiUrl": stack.apiUrl,
        "slipway:token": stack.token,
        "slipway:team": stack.team,
      },
      // Another account is another provider: what moves away is removed as the one that made it.
      pulumi.mergeOptions(
        { replacementTrigger: [args.team ?? null], aliases: [{ type: "pulumi:providers:slipway" }] },
        opts,
      ),
    );
    this.given = given;
  }
}

/** The stack's own settings, `slipway:…`. */
export function stackConfig(): Record<Setting, pulumi.Output<string> | string | undefined> {
  const config = new pulumi.Config("slipway");
  return { apiUrl: config.get("apiUrl"), token: config.getSecret("token"), team: config.get("team") };
}
