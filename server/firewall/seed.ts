import * as z from "zod";
import { SeedError } from "../seed/error";
import { name, ownedRow, owner, projectOf, section, time, times } from "../seed/section";
import { bypassIdOf, findBypass, insertBypass } from "./bypass-store";
import { isTarget, readTarget } from "./bypass-target";

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
