// Longer than other files: each of the many settings has its description.
import { z } from "zod";
import type { Client } from "../client/client";
import { absentFrom } from "../client/errors";
import { teamPath } from "../client/paths";
import { alwaysThere } from "../core/always-there";
import type { Created, Operation } from "../core/definition";
import { type PropertyPath, withoutIgnored } from "../core/ignored";
import { openList } from "../core/known-values";
import { listing } from "../core/listing";
import { resource } from "../core/resource";
import { changesOf, inputsRead } from "../core/settings";
import { isPlain, own, type Plain, same } from "../core/values";
import { teamRoles } from "../vocabulary";
import { domainName } from "./names";

const samlRole = z.looseObject({ accessGroupId: z.string() });

/** A team as the service returns it. @source the newest official client: GET /v2/teams/{teamId} */
const remoteTeam = z.looseObject({
  id: z.string(),
  slug: z.string(),
  saml: z
    .looseObject({
      enforced: z.boolean().nullish(),
      roles: z.record(z.string(), z.union([z.string(), samlRole])).nullish(),
    })
    .nullish(),
});
type RemoteTeam = z.infer<typeof remoteTeam>;

const policy = z.enum(["on", "off", "default"]);
const switchable = z.strictObject({
  /** Whether it is so. */
  enabled: z.boolean(),
});

const inputs = z.strictObject({
  /** Name of the team. */
  name: z.string().min(1).max(256).optional(),
  /**
   * Slug of the team, which is part of addresses: lower case letters, digits, and dashes between them. Before you change
   * it, select the team by its id (`slipway:team`).
   */
  slug: z
    .string()
    .max(48)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must have lower case letters, digits, and dashes between them")
    .optional(),
  /** Text that describes the team. */
  description: z.string().max(140).optional(),
  /** Domain name whose email addresses join the team when they sign up. Null for none. */
  emailDomain: domainName.nullable().optional(),
  /** Domain name below which preview deployments get their addresses. Null for the service's own. */
  previewDeploymentSuffix: domainName.nullable().optional(),
  /** `on`: new variables for production and preview must have the type `sensitive`. */
  sensitiveEnvironmentVariablePolicy: policy.optional(),
  /** Whether preview deployments show the toolbar. */
  enablePreviewFeedback: policy.optional(),
  /** Whether production deployments show the toolbar. */
  enableProductionFeedback: policy.optional(),
  /** Whether builds share their results (Remote Caching). */
  remoteCaching: switchable.optional(),
  /** Whether observability hides the IP addresses of visitors. */
  hideIpAddresses: z.boolean().optional(),
  /** Whether log drains get no IP addresses of visitors. */
  hideIpAddressesInLogDrains: z.boolean().optional(),
  /** Whether only commits with a verified signature are deployed. */
  requireVerifiedCommits: z.boolean().optional(),
  /** Whether deployments send no `repository_dispatch` events to GitHub. */
  disableRepositoryDispatchEvents: z.boolean().optional(),
  /** Whether only owners change the protection of deployments. */
  strictDeploymentProtectionSettings: switchable.optional(),
  /** Whether only owners create shareable links. */
  strictShareableLinks: switchable.optional(),
  /** Whether only owners change the password protection of projects. */
  strictPasswordProtectionSettings: switchable.optional(),
  /** Single sign-on (SAML), after it was set up in the service's dashboard. */
  saml: z
    .strictObject({
      /** Whether members must use single sign-on. */
      enforced: z.boolean(),
      /** Role or access group of the members of each directory group, by the id of the group. */
      roles: z
        .record(
          z.string().min(1),
          z
            .strictObject({
              /** Role in the team. */
              role: openList(teamRoles).optional(),
              /** Id of an access group. */
              accessGroupId: z.string().min(1).max(256).optional(),
            })
            .refine(
              ({ role, accessGroupId }) => (role === undefined) !== (accessGroupId === undefined),
              "must have either role or accessGroupId",
            ),
        )
        .optional(),
    })
    .optional(),
});

const outputs = z.object({
  /** Id of the team. */
  teamId: z.string(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

/**
 * The values of settings that nobody has set. The others stay as they are when they leave the program, because the
 * service documents no default.
 */
const defaults = {
  description: "",
  emailDomain: null,
  previewDeploymentSuffix: null,
  sensitiveEnvironmentVariablePolicy: "default",
  enablePreviewFeedback: "default",
  enableProductionFeedback: "default",
  hideIpAddresses: false,
  hideIpAddressesInLogDrains: false,
  requireVerifiedCommits: false,
  disableRepositoryDispatchEvents: false,
  strictDeploymentProtectionSettings: { enabled: false },
  strictShareableLinks: { enabled: false },
  strictPasswordProtectionSettings: { enabled: false },
} as const;

/** The name of a team's configuration, of which there is one. @param team the id of the team, or what selects it */
const configurationOf = (team: string): string[] => [`${team}/configuration`];

/**
 * The settings of the team that the provider acts on. Declare one resource for each team. The team stays when the
 * resource is deleted, with its settings.
 * @throws ApiError 403 if the token does not belong to an owner; 409 if another team has the slug
 * @source the newest official client: PATCH /v2/teams/{teamId}; the Terraform provider: vercel_team_config
 */
export const teamConfig = resource({
  type: "TeamConfig",
  handler: "teamconfig",
  scopes: [],
  importId: "`<id of the team>`",
  inputs,
  outputs,
  traits: { defaults, stable: ["teamId"] },
  checks: {
    async refusals(client, previous, { slug, sensitiveEnvironmentVariablePolicy: declared }) {
      const { team } = client.settings;
      if (team === undefined && !isTeam(await client.account()))
        return [{ property: undefined, reason: needsTeam }];
      client.planVariablePolicy(declared ?? (own(previous, policyKey) === undefined ? undefined : "default"));
      const isLost = team !== undefined && !isTeam(team) && typeof slug === "string" && slug !== team;
      return isLost ? [{ property: "slug", reason: losesTeam(team) }] : [];
    },
  },
  ownership: {
    objects: ({ teamId }) => configurationOf(teamId),
    recordedObjects: ({ teamId }) => configurationOf(teamId),
    uniqueKeys: {
      noun: "the team's",
      choices: "a provider of another team",
      scope: "account",
      of: (_inputs, team) => configurationOf(team),
      ...alwaysThere,
      owners: async ({ client }) => configurationOf(await teamOf(client)),
    },
  },
  list: listing(z.strictObject({}), async (client) => {
    const { id, slug } = await readOwnTeam(client);
    return { items: [{ id, name: slug }] };
  }),

  async create(operation, declared) {
    const team = await teamOf(operation.client);
    return resultOf(await change(operation, team, declared, { ...declared }));
  },

  async read(client, id, state) {
    const team = await read(client, id);
    const current = state ? {} : importable(team);
    const now = inputsRead(settings, state, current, (key, declared) => seenAs(team, key, declared));
    return { ...resultOf(team), inputs: now as Partial<Inputs> };
  },

  async update(operation, id, state, declared) {
    const body = changesOf(settings, declared, state, (key) => own(defaults, key), operation.unsure);
    await refuseOther(operation.client, id);
    return resultOf(await change(operation, id, declared, body));
  },

  // The settings belong to the team, which stays.
  remove: ({ client }, id) => refuseOther(client, id),
});

type Setting = keyof Inputs;
const settings = Object.keys(inputs.shape) as Setting[];
const policyKey = "sensitiveEnvironmentVariablePolicy";

const isTeam = (account: string | undefined): account is string => account?.startsWith("team_") === true;

const needsTeam =
  "A personal account has no such settings. Select the team: SLIPWAY_TEAM, or the configuration slipway:team.";

const losesTeam = (team: string): string =>
  `The provider selects the team by its slug, ${team}, which would change during the run. Select the team by its id: ` +
  "SLIPWAY_TEAM, or the configuration slipway:team.";

/** Returns the id of the team that the provider acts on. @throws Error without a team */
async function teamOf(client: Client): Promise<string> {
  const account = (await client.account()) ?? client.settings.team;
  if (isTeam(account)) return account;
  throw new Error(needsTeam);
}

/** @throws ApiError 404 if the provider acts on another account */
async function refuseOther(client: Client, id: string): Promise<void> {
  const account = await client.account();
  if (id !== account) throw absentFrom(teamPath(id), `The provider acts on the account ${account}.`);
}

/** @throws ApiError 403 if the token cannot read the team; 404 if the provider acts on another account */
async function read(client: Client, idOrSlug: string): Promise<RemoteTeam> {
  if (isTeam(idOrSlug)) await refuseOther(client, idOrSlug);
  const team = await client.get(teamPath(idOrSlug), remoteTeam);
  await refuseOther(client, team.id);
  return team;
}

/** Reads the team that the provider acts on. @throws Error without a team */
export const readOwnTeam = async (client: Client): Promise<RemoteTeam> => read(client, await teamOf(client));

/** Sends some settings. @param body their values, of which `saml` has the form of the input */
async function change(
  { client, ignored }: Pick<Operation<Inputs, Outputs>, "client" | "ignored">,
  id: string,
  declared: Inputs,
  body: Plain,
): Promise<RemoteTeam> {
  if (declared.saml && body.saml !== undefined) {
    const { saml } = await read(client, id);
    body.saml = sentSaml(keptSaml(declared.saml, saml ? storedSaml(saml) : {}, await ignored()));
  }
  if (Object.keys(body).length === 0) return read(client, id);
  return client.send({ method: "PATCH", path: teamPath(id), body, shape: remoteTeam });
}

/** A managed setting with the value of the service. */
function seenAs(team: RemoteTeam, key: Setting, declared: unknown): unknown {
  const found = valueIn(team, key);
  // Without declared roles, those of the service are not managed.
  if (key !== "saml" || !isPlain(found) || (isPlain(declared) && declared.roles !== undefined)) return found;
  return { enforced: found.enforced };
}

/** The settings of a team that are not the defaults. */
const importable = (team: RemoteTeam): Plain =>
  Object.fromEntries(
    settings
      .map((key) => [key, valueIn(team, key)] as const)
      .filter(([key, value]) => value !== null && !same(value, own(defaults, key))),
  );

/** A setting in the form of its input; null if the team does not have it. */
function valueIn(team: RemoteTeam, key: Setting): unknown {
  if (key === "saml") return team.saml ? storedSaml(team.saml) : null;
  return team[key] ?? own(defaults, key) ?? null;
}

type Saml = NonNullable<Inputs["saml"]>;

/**
 * Single sign-on as it is sent. A request replaces it whole, so roles that are not declared, and what the program ignores,
 * are sent as the service has them.
 */
const keptSaml = (declared: Saml, stored: Partial<Saml>, ignored: readonly PropertyPath[]): Saml =>
  withoutIgnored(
    { saml: { ...(stored.roles && { roles: stored.roles }), ...declared } },
    { saml: stored },
    ignored,
  ).saml ?? declared;

const sentSaml = ({ enforced, roles }: Saml): Plain => ({
  enforced,
  ...(roles && {
    roles: Object.fromEntries(
      Object.entries(roles).map(([group, { role, accessGroupId }]) => [group, role ?? { accessGroupId }]),
    ),
  }),
});

const storedSaml = ({ enforced, roles }: NonNullable<RemoteTeam["saml"]>): Saml => ({
  enforced: enforced ?? false,
  ...(roles && {
    roles: Object.fromEntries(
      Object.entries(roles).map(([group, to]) => [
        group,
        typeof to === "string" ? { role: to } : { accessGroupId: to.accessGroupId },
      ]),
    ),
  }),
});

const resultOf = ({ id }: RemoteTeam): Created<Outputs> => ({
  id,
  accountId: id,
  outputs: { teamId: id },
});
