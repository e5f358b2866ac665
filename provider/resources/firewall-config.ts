import { z } from "zod";
import type { Client } from "../client/client";
import { absentFrom, ifFound } from "../client/errors";
import { inputsIn } from "../core/check";
import type { Created, Operation } from "../core/definition";
import { reorderingOf } from "../core/diff";
import { listing } from "../core/listing";
import { resource } from "../core/resource";
import { changesOf } from "../core/settings";
import { takeOver } from "../core/take-over";
import { unmanagedExists } from "../core/unique-key-messages";
import type { UniqueKeys } from "../core/unique-keys";
import { own, sameJson } from "../core/values";
import {
  inputsOf,
  ipRuleIn,
  isEmpty,
  type RemoteConfig,
  remoteConfig,
  rulesSeen,
  setsSeen,
} from "./firewall-config/form";
import { type Inputs, inputs } from "./firewall-config/inputs";
import { addressOf, type Known, merged, settings } from "./firewall-config/merge";
import { filters } from "./names";

/** The configuration of a project's firewall. The project is in the query. */
const configPath = "/v1/security/firewall/config";
const putResult = z.looseObject({ active: remoteConfig }).transform(({ active }) => active);

const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
  /** Ids of the `rules` at the service, in the same order. */
  ruleIds: z.array(z.string()),
});
type Outputs = z.output<typeof outputs>;

const defaults = {
  ...{ enabled: true, rules: [], ipRules: [], managedRulesets: {} },
  ...{ onDelete: "keep", adopt: false },
} as const;

/** The unique key: a project has one configuration. One without rules belongs to nobody. */
const keys: UniqueKeys = {
  noun: "the configuration of the",
  choices: "another project",
  scope: "project",
  mayBeShared: true,
  of: (_inputs, projectId) => [idOf(projectId)],
  async owners({ client }, wanted) {
    const found = await Promise.all(wanted.map((key) => ifFound(find(client, projectIn(key)))));
    return wanted.filter((_, at) => found[at] && !isEmpty(found[at]));
  },
  freeKeys: async () => async () => {},
};

/**
 * The configuration of a project's firewall: custom rules, rules for IP addresses, and sets of rules of the service.
 * Declare one resource for each project. Rules that somebody else adds stay until a refresh has shown them.
 * @throws ApiError 402 if the plan does not have a part of the configuration
 * @source the newest official client: /v1/security/firewall/config; the Terraform provider: vercel_firewall_config
 */
export const firewallConfig = resource({
  type: "FirewallConfig",
  handler: "firewall",
  scopes: ["read-write:project"],
  importId: "`<project>`",
  inputs,
  outputs,
  traits: { defaults, stable: ["projectId"], replaceOn: ["project"] },
  checks: {
    rules: [
      [
        ({ rules = [] }) => hasTwice(rules.map(({ name }) => name)),
        "rules has two rules with the same name. Rename one of them.",
      ],
      [
        ({ ipRules = [] }) => hasTwice(ipRules.map(addressOf)),
        "ipRules has two rules with the same ip and hostname. Remove one of them.",
      ],
    ],
  },
  diff: { drift: (state, news) => reorderingOf("rules", state.rules, news.rules) },
  ownership: { uniqueKeys: keys },
  list: listing(filters, async (client, { project }) => {
    const { id, name } = await client.project(project);
    const config = await find(client, id);
    return { items: config && !isEmpty(config) ? [{ id: idOf(id), name: `${name} firewall` }] : [] };
  }),

  async create(operation, declared) {
    const { client } = operation;
    const { id: projectId, accountId } = await client.identify(declared.project);
    const existing = client.hasCreated(projectId) ? undefined : await find(client, projectId);
    const ruleIds =
      existing && !isEmpty(existing)
        ? await take(operation, projectId, existing, declared)
        : await write(client, projectId, existing, { declared, known: {}, changed: settings, isNew: true });
    return resultOf(projectId, accountId, ruleIds);
  },

  async read(client, id, state) {
    const { id: projectId, accountId } = await client.identify(projectIn(id));
    const config = await find(client, projectId);
    if (!config)
      throw absentFrom(configPath, `The project ${projectId} has no configuration of its firewall.`);
    const now = state ? seenAs(config, inputsIn(inputs, state)) : { project: projectId, ...inputsOf(config) };
    const ruleIds = now.rules === undefined ? [] : config.rules.map((rule) => rule.id);
    return { ...resultOf(projectId, accountId, ruleIds), inputs: now };
  },

  async update({ client, unsure }, _id, state, declared) {
    const { projectId } = state;
    const { accountId } = await client.identify(projectId);
    const body = changesOf(
      settings,
      declared,
      state,
      (key) => own(defaults, key),
      unsure,
      (_key, a, b) => sameJson(a, b),
    );
    const changed = Object.keys(body);
    if (changed.length === 0) return resultOf(projectId, accountId, state.ruleIds);
    const current = await find(client, projectId);
    const ruleIds = await write(client, projectId, current, {
      ...{ declared, changed },
      known: { ...state, isUnsure: unsure },
    });
    return resultOf(projectId, accountId, changed.includes("rules") ? ruleIds : state.ruleIds);
  },

  async remove({ client, inform }, _id, state) {
    const { projectId, onDelete = "keep" } = state;
    const current = await find(client, (await client.identify(projectId)).id);
    if (!current || isEmpty(current)) return;
    if (onDelete === "keep")
      return inform(`The firewall of ${projectId} keeps its configuration, because onDelete is keep.`);
    const changed = settings.filter((key) => key !== "enabled" && state[key] !== undefined);
    await write(client, projectId, current, { declared: {}, known: state, changed });
  },
});

const hasTwice = (texts: readonly string[]): boolean => new Set(texts).size < texts.length;

/** The declared inputs, with the values of the service. */
function seenAs(config: RemoteConfig, declared: Partial<Inputs>): Partial<Inputs> {
  const { enabled, rules, ipRules, managedRulesets } = declared;
  return {
    ...declared,
    ...(enabled !== undefined && { enabled: config.firewallEnabled }),
    ...(rules && { rules: rulesSeen(config, rules) }),
    ...(ipRules && { ipRules: config.ips.map(ipRuleIn) }),
    ...(managedRulesets && { managedRulesets: setsSeen(config, managedRulesets) }),
  };
}

interface Writing {
  declared: Partial<Inputs>;
  known: Known;
  /** The parts to change. */
  changed: readonly string[];
  /** The project has no configuration yet: after lost answers, one as declared is the new one. */
  isNew?: true;
}

/** Writes the configuration as a whole. Returns the ids of the declared rules. */
async function write(
  client: Client,
  projectId: string,
  current: RemoteConfig | undefined,
  { declared, known, changed, isNew }: Writing,
): Promise<string[]> {
  const { rules = [] } = declared;
  const body = merged(current, declared, known, new Set(changed));
  const request = { method: "PUT", path: configPath, query: { projectId }, body, shape: putResult } as const;
  const look = async (): Promise<RemoteConfig | undefined> => {
    const found = await find(client, projectId);
    return found && sameJson(seenAs(found, declared), declared) ? found : undefined;
  };
  const config = isNew ? await client.create({ request, look, existed: false }) : await client.send(request);
  return rules.flatMap(({ name }) => {
    const at = body.rules.findIndex((rule) => rule.name === name);
    return config.rules[at]?.id ?? [];
  });
}

/**
 * Adopts a configuration, or takes it over from another resource of the stack. The deletion of that resource then leaves
 * the configuration alone, so the rules and sets that it would remove are removed now.
 */
async function take(
  operation: Operation<Inputs, Outputs>,
  projectId: string,
  existing: RemoteConfig,
  declared: Inputs,
): Promise<string[]> {
  const id = idOf(projectId);
  const { outputs: state } = (await operation.run.ownership.ownerOf([id]).catch(() => undefined)) ?? {};
  const known: Known = state?.onDelete === "remove" ? { ...state, isUnsure: true } : {};
  return takeOver(operation, declared, {
    unique: keys,
    keys: [id],
    id,
    what: `The configuration of the firewall of ${projectId}`,
    changed: settings.filter((key) => declared[key] !== undefined || (key !== "enabled" && known[key])),
    refusal: unmanagedExists(keys, id, [id], true),
    change: (changed) => write(operation.client, projectId, existing, { declared, known, changed }),
  });
}

/** Reads the active configuration, uncached; undefined if the project never had one. */
export const find = (client: Client, projectId: string): Promise<RemoteConfig | undefined> =>
  ifFound(
    client.send({
      method: "GET",
      path: `${configPath}/active`,
      query: { projectId },
      shape: remoteConfig,
      mayBeAbsent: true,
    }),
  );

const idOf = (projectId: string): string => `${projectId}/firewall`;
/** The project in an id, which may be a project by its id or name. */
const projectIn = (id: string): string => id.replace(/\/firewall$/, "");

const resultOf = (projectId: string, accountId: string, ruleIds: string[]): Created<Outputs> => ({
  id: idOf(projectId),
  accountId,
  outputs: { projectId, ruleIds },
});
