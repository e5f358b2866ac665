import * as pulumi from "@pulumi/pulumi";
import { explicitKey, type Setting } from "../provider/client/config";

/** The API and the account. An omitted setting comes from the environment, then from the stack's configuration. */
export interface ProviderArgs {
  /** Address of the API. */
  apiUrl?: pulumi.Input<string | undefined>;
  /** Access token. Always a secret. */
  token?: pulumi.Input<string | undefined>;
  /** Id or slug of the team. An empty string selects the personal account. */
  team?: pulumi.Input<string | undefined>;
  /** Type of new environment variables that do not set `type`: sensitive (the default) or encrypted. */
  defaultVariableType?: pulumi.Input<string | undefined>;
}

/**
 * The account and the API of the resources that have this provider as their option `provider`. Use a `Provider` for
 * several accounts or teams in one program, or for a token that is not in the configuration. Changing the token updates
 * only the provider.
 */
export class Provider extends pulumi.ProviderResource {
  /** The given settings, for look-ups, which run in the program. @internal */
  readonly given: Record<Setting, pulumi.Output<string | undefined>>;
  /** The environment of the provider's process, for look-ups. @internal */
  readonly environment: NodeJS.ProcessEnv;

  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    const given = {
      apiUrl: pulumi.output(args.apiUrl),
      token: pulumi.secret(args.token),
      team: pulumi.output(args.team),
      defaultVariableType: pulumi.output(args.defaultVariableType),
    };
    const stack = stackConfig();
    super(
      "pulumi-nodejs",
      name,
      {
        [explicitKey("apiUrl")]: args.apiUrl,
        [explicitKey("token")]: args.token === undefined ? undefined : given.token,
        [explicitKey("team")]: args.team,
        [explicitKey("defaultVariableType")]: args.defaultVariableType,
        "slipway:apiUrl": stack.apiUrl,
        "slipway:token": stack.token,
        "slipway:team": stack.team,
        "slipway:defaultVariableType": stack.defaultVariableType,
      },
      // A change of the account replaces the provider, so that the old provider deletes the objects of the old account.
      pulumi.mergeOptions(
        { replacementTrigger: [args.team ?? null], aliases: [{ type: "pulumi:providers:slipway" }] },
        opts,
      ),
    );
    this.given = given;
    this.environment = { ...process.env, ...mapped(opts?.envVarMappings ?? {}) };
  }
}

/** The variables that the option `envVarMappings` sets from existing variables of the environment. */
function mapped(mappings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const given = Object.entries(mappings).filter(([source]) => process.env[source] !== undefined);
  return Object.fromEntries(given.map(([source, target]) => [target, process.env[source]]));
}

/** The stack's own settings, `slipway:…`. */
export function stackConfig(): Record<Setting, pulumi.Output<string> | string | undefined> {
  const config = new pulumi.Config("slipway");
  return {
    apiUrl: config.get("apiUrl"),
    token: config.getSecret("token"),
    team: config.get("team"),
    defaultVariableType: config.get("defaultVariableType"),
  };
}
