import * as z from "zod";
import { loadProject, unknownProject } from "../access/projects";
import { beingTransferred, changeRefusals } from "../access/rules";
import { type Call, type Route, route } from "../http/route";
import { badRequest, notFound } from "../platform/refusal";
import type { ProjectRow } from "../projects/object";
import { changedSettings, settingsOf } from "./config-change";
import { enterpriseOnly, invalidIp, sameIds } from "./config-rules";
import * as wire from "./config-schema";
import {
  activateSettings,
  deleteDraft,
  findConfig,
  listConfigs,
  readSettings,
  writeDraft,
} from "./config-store";
import { viewConfig } from "./config-view";
import type { FirewallConfigRow } from "./object";

/**
 * The configuration of a project's firewall. Each change of the active configuration adds a version.
 * @choice The server only stores the configuration. It filters no requests. The attack challenge mode is no part of it.
 * @source the newest official client: /v1/security/firewall/config; the official command line; the Terraform provider
 */

const path = "/v1/security/firewall/config";
const onePath = `${path}/:configVersion` as const;

const ofProject = z.object({ projectId: z.string() });
const ofVersion = z.object({
  configVersion: z.string().max(32).describe("`active`, `draft`, or the number of a version."),
});
const example = { firewallEnabled: true, ips: [{ hostname: "*", ip: "192.0.2.1", action: "deny" }] };
const unknownRule = [404, "not_found", "the configuration has no rule with this id"] as const;
const unknownConfig = [404, "not_found", "the project has no such configuration"] as const;
const invalid = [invalidIp, sameIds, enterpriseOnly] as const;

type OfProject<P = unknown, B = unknown> = Call<P, z.infer<typeof ofProject>, B>;
type OfVersion<B = unknown> = OfProject<z.infer<typeof ofVersion>, B>;

const loadQueried = (call: OfProject) =>
  loadProject({ ...call, params: { projectId: call.query.projectId } });

/** Finds the configuration that the path names. */
async function loadConfig(call: OfVersion): Promise<{ project: ProjectRow; config: FirewallConfigRow }> {
  const { project } = await loadQueried(call);
  const config = await findConfig(call.tx, project.id, call.params.configVersion);
  if (!config) throw notFound(`The firewall configuration ${JSON.stringify(call.params.configVersion)}`);
  return { project, config };
}

/** Applies a change to the configuration. A project without one has an enabled firewall without rules. */
async function loadChanged(
  call: OfProject<unknown, wire.ConfigChange>,
  version: "active" | "draft" = "active",
) {
  const { project } = await loadQueried(call);
  const draft = version === "draft" ? await findConfig(call.tx, project.id, version) : undefined;
  const config = draft ?? (await findConfig(call.tx, project.id, "active"));
  const before = config ? readSettings(config) : settingsOf({ firewallEnabled: true });
  return { project, draft, settings: changedSettings(before, call.body) };
}

const put = route({
  method: "PUT",
  path,
  operationId: "putFirewallConfig",
  summary: "Replaces the firewall configuration of a project.",
  scope: ["read-write:project"],
  query: ofProject,
  body: wire.putConfig,
  example,
  success: [200, wire.putResult],
  throws: [unknownProject],
  load: async (call: OfProject<unknown, wire.PutConfig>) => ({
    ...(await loadQueried(call)),
    settings: settingsOf(call.body),
  }),
  refuse: [...changeRefusals, ...invalid],
  handle: async (call) => ({
    active: viewConfig(call.account, await activateSettings(call, call.project.id, call.settings)),
  }),
});

const update = route({
  method: "PATCH",
  path,
  operationId: "updateFirewallConfig",
  summary: "Changes one part of the firewall configuration of a project.",
  scope: ["read-write:project"],
  query: ofProject,
  body: wire.patchConfig,
  example: { action: "ip.insert", value: example.ips[0] },
  success: [200, wire.config],
  throws: [unknownProject, unknownRule],
  load: loadChanged,
  refuse: [...changeRefusals, ...invalid],
  handle: async (call) =>
    viewConfig(call.account, await activateSettings(call, call.project.id, call.settings)),
});

/** @choice Only the draft can be changed. A draft begins as a copy of the active configuration. */
const updateDraft = route({
  method: "PATCH",
  path: onePath,
  operationId: "updateFirewallConfigDraft",
  summary: "Changes one part of the draft of a firewall configuration.",
  scope: ["read-write:project"],
  params: ofVersion,
  query: ofProject,
  body: wire.patchConfig,
  example: { action: "ip.insert", value: example.ips[0] },
  success: [200, wire.config],
  throws: [unknownProject, unknownRule, [400, "bad_request", "the version is not the draft"]],
  load(call: OfVersion<wire.ConfigChange>) {
    if (call.params.configVersion !== "draft") throw badRequest("Only the draft can be changed.");
    return loadChanged(call, "draft");
  },
  refuse: [...changeRefusals, ...invalid],
  async handle(call) {
    const changes = [...JSON.parse(call.draft?.changes ?? "[]"), call.body];
    return viewConfig(call.account, await writeDraft(call, call.project.id, call.settings, changes));
  },
});

const get = route({
  method: "GET",
  path: onePath,
  operationId: "getFirewallConfig",
  summary: "Returns a firewall configuration: the active one, the draft, or a version by its number.",
  scope: ["read:project"],
  params: ofVersion,
  query: ofProject,
  success: [200, wire.config],
  throws: [unknownProject, unknownConfig],
  load: loadConfig,
  handle: async ({ account, config }) => viewConfig(account, config),
});

const list = route({
  method: "GET",
  path,
  operationId: "getSecurityFirewallConfig",
  summary: "Returns the firewall configurations of a project.",
  scope: ["read:project"],
  query: ofProject,
  success: [200, wire.configList],
  throws: [unknownProject],
  load: loadQueried,
  async handle({ tx, account, project }) {
    const rows = await listConfigs(tx, project.id);
    const versions = rows.filter(({ version }) => version > 0);
    const view = (row: FirewallConfigRow | undefined) => (row ? viewConfig(account, row) : null);
    return {
      active: view(rows.find(({ is_active }) => is_active === 1)),
      draft: view(rows.find(({ version }) => version === 0)),
      versions: versions.map((row) => viewConfig(account, row)),
    };
  },
});

/** @choice The configuration becomes a new version, also an older one that is activated again. */
const activate = route({
  method: "POST",
  path: `${onePath}/activate`,
  operationId: "createSecurityFirewallConfigByConfigVersionActivate",
  summary: "Makes the draft, or an older version, the active firewall configuration.",
  scope: ["read-write:project"],
  params: ofVersion,
  query: ofProject,
  success: [200, wire.config],
  throws: [unknownProject, unknownConfig],
  load: async (call: OfVersion) => {
    const loaded = await loadConfig(call);
    return { ...loaded, settings: readSettings(loaded.config) };
  },
  refuse: [...changeRefusals, ...invalid],
  async handle(call) {
    const { project, settings, params } = call;
    if (params.configVersion === "draft") await deleteDraft(call.tx, project.id);
    return viewConfig(call.account, await activateSettings(call, project.id, settings));
  },
});

/** @choice Only the draft can be deleted. */
const remove = route({
  method: "DELETE",
  path: onePath,
  operationId: "deleteSecurityFirewallConfigByConfigVersion",
  summary: "Deletes the draft of a firewall configuration.",
  scope: ["read-write:project"],
  params: ofVersion,
  query: ofProject,
  success: [204, null],
  throws: [unknownProject, unknownConfig, [400, "bad_request", "the version is not the draft"]],
  load: loadConfig,
  refuse: [beingTransferred],
  async handle({ tx, project, params }) {
    if (params.configVersion !== "draft") throw badRequest("Only the draft can be deleted.");
    await deleteDraft(tx, project.id);
  },
});

export const configRoutes: readonly Route[] = [list, put, update, get, updateDraft, remove, activate];
