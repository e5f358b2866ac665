import * as z from "zod";
import { loadProject, unknownProject } from "../access/projects";
import { beingTransferred, changeRefusals } from "../access/rules";
import { domainsOf } from "../domains/store";
import { flag, pageLimit } from "../http/query";
import { type Call, type Route, route } from "../http/route";
import { notFound } from "../platform/refusal";
import type { ProjectRow } from "../projects/object";
import { deleteRows } from "../store/rows";
import { bypassExists, hostsOf, invalidTarget, notAHost } from "./bypass-rules";
import * as wire from "./bypass-schema";
import { bypassIdOf, findBypass, insertBypass, listBypasses } from "./bypass-store";
import { type BypassTarget, type InvalidTarget, isTarget, readTarget } from "./bypass-target";
import { viewBypass } from "./bypass-view";
import type { FirewallBypassRow } from "./object";

/**
 * The rules of a project that let an IP address pass the firewall of the service.
 * @choice The server only stores the rules. It filters no requests. A rule is kept when its domain is removed from the
 *   project. An expired rule counts as deleted.
 * @source the newest official client: /v1/security/firewall/bypass; the Terraform provider
 */

const ofProject = z.object({ projectId: z.string() });
const unknownBypass = [404, "not_found", "the project has no such rule"] as const;

type OfProject = Call<unknown, z.infer<typeof ofProject>>;

const loadQueried = (call: OfProject) =>
  loadProject({ ...call, params: { projectId: call.query.projectId } });

/** @choice A page has at most 100 rules, which is also the default. The rules are ordered by id. */
const list = route({
  method: "GET",
  path: "/v1/security/firewall/bypass",
  operationId: "getBypassIp",
  summary: "Lists the rules of a project that let addresses past the firewall.",
  scope: ["read:project"],
  query: ofProject.extend({
    limit: pageLimit.optional(),
    sourceIp: z.string().optional(),
    domain: z.string().optional(),
    projectScope: flag.optional(),
    offset: z.string().optional(),
  }),
  success: [200, wire.bypassList],
  throws: [unknownProject],
  load: loadQueried,
  async handle({ tx, now, account, project, query }) {
    const { rows, hasMore } = await listBypasses({ tx, now }, project.id, query);
    const last = rows.at(-1);
    return {
      result: rows.map((row) => viewBypass(account, row)),
      ...(hasMore && last && { pagination: { OwnerId: account.id, Id: last.id } }),
    };
  },
});

interface Loaded {
  project: ProjectRow;
  target: BypassTarget | InvalidTarget;
  /** The existing rule with this target. */
  bypass: FirewallBypassRow | undefined;
  /** The hosts of the project that rules can be for. */
  hosts: readonly string[];
}

async function loadTarget(call: OfProject & { readonly body: wire.BypassBody }): Promise<Loaded> {
  const { project } = await loadQueried(call);
  const target = readTarget(call.body);
  return {
    project,
    target,
    bypass: isTarget(target) ? await findBypass(call, project.id, target) : undefined,
    hosts: hostsOf(project, await domainsOf(call.tx, project.id)),
  };
}

const create = route({
  method: "POST",
  path: "/v1/security/firewall/bypass",
  operationId: "addBypassIp",
  summary: "Creates a rule that lets an IP address pass the firewall of a project.",
  scope: ["read-write:project"],
  query: ofProject,
  body: wire.addBypass,
  example: { projectScope: true, sourceIp: "192.0.2.1", note: "monitoring" },
  success: [200, wire.addedBypass],
  throws: [unknownProject],
  load: loadTarget,
  refuse: [...changeRefusals, invalidTarget, notAHost, bypassExists],
  async handle({ tx, now, account, caller, project, body, target }) {
    const { domain, ip } = targetOf(target);
    const row = await insertBypass(tx, {
      id: bypassIdOf(project.id, { domain, ip }),
      project_id: project.id,
      domain,
      ip,
      note: body.note || null,
      actor_id: caller.userId,
      created_at: now,
      updated_at: now,
      expires_at: body.ttl === undefined ? null : now + body.ttl,
    });
    return { ok: true as const, result: [viewBypass(account, row)] };
  },
});

/** @choice A note in the body is ignored. */
const remove = route({
  method: "DELETE",
  path: "/v1/security/firewall/bypass",
  operationId: "removeBypassIp",
  summary: "Deletes a rule that lets an IP address pass the firewall of a project.",
  scope: ["read-write:project"],
  query: ofProject,
  body: wire.removeBypass,
  example: { projectScope: true, sourceIp: "192.0.2.1" },
  success: [200, wire.removedBypass],
  throws: [unknownProject, unknownBypass],
  load: loadTarget,
  refuse: [beingTransferred, invalidTarget],
  async handle({ tx, bypass, target }) {
    if (!bypass) {
      const { domain, ip } = targetOf(target);
      throw notFound(`A bypass of ${ip} for ${domain}`);
    }
    await deleteRows(tx, "firewall_bypasses", { id: bypass.id });
    return { ok: true as const };
  },
});

/** The target of a request that was not refused. */
function targetOf(target: Loaded["target"]): BypassTarget {
  if (!isTarget(target)) throw new TypeError("an invalid target is refused");
  return target;
}

export const bypassRoutes: readonly Route[] = [list, create, remove];
