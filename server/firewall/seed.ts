import * as z from "zod";
import { derivedId } from "../platform/ids";
import { SeedError } from "../seed/error";
import { idWith, name, ownedRow, owner, projectOf, section, time, times } from "../seed/section";
import { hasRow, insertRow } from "../store/rows";
import { bypassIdOf, findBypass, insertBypass } from "./bypass-store";
import { isTarget, readTarget } from "./bypass-target";
import { settingsOf } from "./config-change";
import { putConfig } from "./config-schema";
import { firewallConfigs as configs } from "./object";

const row = ownedRow({
  ...owner,
  project: name,
  domain: z.string().min(1).max(253),
  sourceIp: z.string().min(1).max(64),
  note: z.string().max(500).optional(),
  /** The id of a user. */
  actor: z.string().optional(),
  expiresAt: time.optional(),
  ...times,
}).superRefine(({ domain, sourceIp }, { addIssue }) => {
  const target = readTarget({ domain, sourceIp });
  if (!isTarget(target)) addIssue({ code: "custom", message: target.problem });
});

/** Adds a rule that lets an IP address bypass the firewall, unless the project has this rule. */
export const firewallBypasses = section(
  "firewall_bypasses",
  row,
  async ({ tx, now }, given, place) => {
    const project = await projectOf(tx, given, place);
    const { domain, sourceIp, createdAt = now } = given;
    const target = readTarget({ domain, sourceIp });
    if (!isTarget(target)) throw new SeedError(place, target.problem);
    if (await findBypass({ tx, now }, project.id, target)) return;
    await insertBypass(tx, {
      ...target,
      id: bypassIdOf(project.id, target),
      project_id: project.id,
      note: given.note || null,
      actor_id: given.actor ?? project.account_id,
      created_at: createdAt,
      updated_at: given.updatedAt ?? createdAt,
      expires_at: given.expiresAt ?? null,
    });
  },
  ({ team, user, project, domain, sourceIp }) => [[team, user, project, domain, sourceIp]],
);

const configRow = ownedRow({
  ...owner,
  project: name,
  id: idWith("waf_").optional(),
  version: z.int().min(1).optional(),
  ...putConfig.shape,
  updatedAt: time.optional(),
});

/** Adds the active firewall configuration of a project, unless the project has one. */
export const firewallConfigs = section(
  "firewall_configs",
  configRow,
  async ({ tx, now }, given, place) => {
    const project = await projectOf(tx, given, place);
    if (await hasRow(tx, "firewall_configs", { project_id: project.id })) return;
    const { team: _, user: __, project: ___, id, version = 1, updatedAt = now, ...settings } = given;
    const suffix = (...names: string[]): string => derivedId("row", project.id, ...names).slice(-6);
    await insertRow(tx, "firewall_configs", {
      id: id ?? derivedId(configs, project.id),
      project_id: project.id,
      version,
      is_active: 1,
      settings: JSON.stringify(settingsOf(settings, suffix)),
      changes: "[]",
      updated_at: updatedAt,
    });
  },
  ({ team, user, project }) => [[team, user, project]],
);
