import * as z from "zod";
import { changeProject, loadProject, touchProject } from "../access/projects";
import { paymentMethodNeeded, softBlocked } from "../access/refusals";
import { rateLimits } from "../http/rate-limits";
import { type Call, type Route, route } from "../http/route";
import { newId, newSecret } from "../platform/ids";
import { badRequest, notFound, Refusal } from "../platform/refusal";
import type { ProjectRow } from "../store/schema";
import type { Tx } from "../store/store";
import { project as projectShape } from "./schema";
import { settingsOf } from "./store";
import { renderProject, viewBypass } from "./view";

const projectId = z.object({ projectId: z.string() });

/** Pause and unpause answer 400, not 404, for a project that is not there. @source States and transitions, Project */
async function loadOrBadRequest(call: Parameters<typeof loadProject>[0]): Promise<{ project: ProjectRow }> {
  try {
    return await loadProject(call);
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) throw badRequest(error.message);
    throw error;
  }
}

const doesNotExist = [400, "bad_request", "the project does not exist"] as const;

/** Pausing turns the assignment of custom production domains off; unpausing turns it on. */
async function setPaused(
  { tx, project, now }: { tx: Tx; project: ProjectRow; now: number },
  paused: boolean,
) {
  const settings = { ...settingsOf(project), autoAssignCustomDomains: !paused };
  await changeProject(tx, project, { paused: paused ? 1 : 0, settings: JSON.stringify(settings) }, now);
}

/** @source Projects, POST /v1/projects/{projectId}/pause */
const pauseProject = route({
  method: "POST",
  path: "/v1/projects/:projectId/pause",
  summary: "Pauses a project: its production deployment is blocked.",
  scope: ["read-write:project"],
  params: projectId,
  reply: { 200: null },
  throws: [doesNotExist],
  load: loadOrBadRequest,
  refuse: [softBlocked, paymentMethodNeeded],
  handle: (call) => setPaused(call, true),
});

/** @source Projects, POST /v1/projects/{projectId}/unpause */
const unpauseProject = route({
  method: "POST",
  path: "/v1/projects/:projectId/unpause",
  summary: "Unpauses a project: its production deployment serves again.",
  scope: ["read-write:project"],
  params: projectId,
  reply: { 200: null },
  throws: [doesNotExist],
  load: loadOrBadRequest,
  handle: (call) => setPaused(call, false),
});

/** @source Projects, PATCH /v1/data-cache/projects/{projectId} */
const updateDataCache = route({
  method: "PATCH",
  path: "/v1/data-cache/projects/:projectId",
  summary: "Turns the data cache of a project off or on.",
  scope: ["read-write:project"],
  params: projectId,
  body: z.strictObject({ disabled: z.boolean().optional() }),
  reply: { 200: projectShape },
  throws: [[404, "not_found", "no such project in the account"]],
  load: loadProject,
  async handle(call) {
    const { tx, project, body, now } = call;
    if (body.disabled === undefined) return renderProject(call, project);
    const updated = await changeProject(tx, project, { data_cache_disabled: body.disabled ? 1 : 0 }, now);
    return renderProject(call, updated);
  },
});

const secret = z.string().regex(/^[a-zA-Z0-9]{32}$/, "must be exactly 32 letters and digits");

type Bypass = Call & { project: ProjectRow };

/**
 * @choice An unknown secret on revoke is 404, one that exists already on generate is 409. Both members in one
 *   body are carried out, revoke first; neither makes a random secret.
 * @source Projects, PATCH /v1/projects/{idOrName}/protection-bypass; wire-shapes 7
 */
const updateBypass = route({
  method: "PATCH",
  path: "/v1/projects/:idOrName/protection-bypass",
  summary: "Makes, revokes or rotates a secret that bypasses deployment protection.",
  scope: ["read-write:project"],
  limit: rateLimits.bypass,
  params: z.object({ idOrName: z.string() }),
  body: z.strictObject({
    generate: z.strictObject({ secret: secret.optional(), note: z.string().optional() }).optional(),
    revoke: z.strictObject({ secret: z.string(), regenerate: z.boolean() }).optional(),
  }),
  reply: { 200: z.strictObject({ protectionBypass: projectShape.shape.protectionBypass }) },
  throws: [
    [404, "not_found", "no such project in the account, or no such secret to revoke"],
    [409, "conflict", "the secret exists"],
  ],
  load: loadProject,
  async handle(call) {
    const { tx, services, project, body } = call;
    if (body.revoke) {
      await revoke(call, body.revoke.secret);
      if (body.revoke.regenerate) await generate(call, newSecret("bypassSecret"));
    }
    if (body.generate || !body.revoke)
      await generate(call, body.generate?.secret ?? newSecret("bypassSecret"));
    await touchProject(tx, project.id);
    return { protectionBypass: await viewBypass(tx, services, project.id) };
  },
});

async function generate({ tx, services, project, now, caller }: Bypass, value: string): Promise<void> {
  const digest = services.vault.digest(value);
  if (await findSecret(tx, project, digest))
    throw new Refusal(409, "conflict", "This bypass secret exists already.");
  const id = newId("row");
  await tx
    .insertInto("bypass_secrets")
    .values({
      id,
      project_id: project.id,
      digest,
      secret: services.vault.seal(id, value),
      created_at: now,
      created_by: caller.userId,
    })
    .execute();
}

async function revoke({ tx, services, project }: Bypass, value: string): Promise<void> {
  const found = await findSecret(tx, project, services.vault.digest(value));
  if (!found) throw notFound("The bypass secret");
  await tx.deleteFrom("bypass_secrets").where("id", "=", found.id).execute();
}

function findSecret(tx: Tx, project: ProjectRow, digest: string): Promise<{ id: string } | undefined> {
  return tx
    .selectFrom("bypass_secrets")
    .select("id")
    .where("project_id", "=", project.id)
    .where("digest", "=", digest)
    .executeTakeFirst();
}

export const projectStateRoutes: readonly Route[] = [
  pauseProject,
  unpauseProject,
  updateDataCache,
  updateBypass,
];
