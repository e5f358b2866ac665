import * as z from "zod";
import { loadProject, projectPath, unknownProject } from "../access/projects";
import { beingTransferred } from "../access/rules";
import { seesAllVariables } from "../env/access";
import { type Call, type Route, route } from "../http/route";
import { newId, newSecret } from "../platform/ids";
import { notFound } from "../platform/refusal";
import { changeRows, deleteRows, findRow, insertRow } from "../store/rows";
import { ensureVariable, makeVariable } from "./bypass-store";
import type { BypassSecretRow, ProjectRow } from "./object";
import { bypassSecretExists, lastBypassVariable } from "./rules";
import { project as projectShape } from "./schema";
import { viewBypass } from "./view";

const secret = z.string().regex(/^[a-zA-Z0-9]{32}$/, "must be exactly 32 letters and digits");
const note = z.string().max(100);

type Bypass = Call & { project: ProjectRow };

/**
 * @choice `revoke` and `update` of an unknown secret answer 404, and `generate` of an existing one answers 409. Several
 *   members of a body run in the order revoke, update, generate. A body without members generates a random secret.
 *   Deployments get exactly one secret of the project as a variable: the first one, unless a request selects another.
 *   A secret that replaces another one in a rotation takes over its note and its selection as the variable. When the
 *   selected secret is revoked, the oldest one is selected. Callers who may not see variables get only the secrets that
 *   the request has created or named.
 * @source Projects, PATCH /v1/projects/{idOrName}/protection-bypass; wire-shapes 7
 */
const updateBypass = route({
  method: "PATCH",
  path: "/v1/projects/:idOrName/protection-bypass",
  operationId: "updateProjectProtectionBypass",
  summary: "Creates, annotates, revokes or rotates a secret that bypasses deployment protection.",
  scope: ["read-write:project"],
  // @source wire-shapes 11
  limit: { name: "bypass", perMinute: 100, per: "owner" },
  params: projectPath,
  body: z.strictObject({
    generate: z.strictObject({ secret: secret.optional(), note: note.optional() }).optional(),
    revoke: z.strictObject({ secret: z.string(), regenerate: z.boolean() }).optional(),
    update: z
      .strictObject({ secret: z.string(), isEnvVar: z.boolean().optional(), note: note.optional() })
      .optional(),
  }),
  example: { generate: { note: "for the tests" } },
  success: [200, z.strictObject({ protectionBypass: projectShape.shape.protectionBypass.unwrap() })],
  throws: [
    [400, "bad_request", "no secret would be left as the variable of deployments"],
    unknownProject,
    [404, "not_found", "no such secret to revoke or update"],
    [409, "conflict", "the secret exists"],
  ],
  load: loadProject,
  refuse: [beingTransferred],
  async handle(call) {
    const { tx, services, project, body } = call;
    const before = await viewBypass(tx, services, project.id);
    if (body.revoke) await revoke(call, body.revoke);
    if (body.update) await update(call, body.update);
    if (body.generate || !(body.revoke || body.update)) await generate(call, body.generate);
    const after = Object.entries(await viewBypass(tx, services, project.id));
    const isKnown = (value: string): boolean => !(value in before) || value === body.update?.secret;
    const shown = seesAllVariables(call) ? after : after.filter(([value]) => isKnown(value));
    return { protectionBypass: Object.fromEntries(shown) };
  },
});

async function generate(
  call: Bypass,
  given: { secret?: string | undefined; note?: string | null | undefined } = {},
): Promise<BypassSecretRow> {
  const { tx, services, project, now, caller } = call;
  const value = given.secret ?? newSecret(32);
  const digest = services.vault.digest(value);
  if (await findRow(tx, "bypass_secrets", { project_id: project.id, digest })) throw bypassSecretExists();
  const id = newId("row");
  const row: BypassSecretRow = {
    id,
    project_id: project.id,
    digest,
    secret: services.vault.seal(id, value),
    note: given.note ?? null,
    is_env_var: 0,
    created_at: now,
    created_by: caller.userId,
  };
  await insertRow(tx, "bypass_secrets", row);
  await ensureVariable(tx, project.id);
  return row;
}

async function revoke(call: Bypass, { secret, regenerate }: { secret: string; regenerate: boolean }) {
  const { tx, project } = call;
  const found = await getSecret(call, secret);
  await deleteRows(tx, "bypass_secrets", { id: found.id });
  if (!regenerate) return ensureVariable(tx, project.id);
  const made = await generate(call, { note: found.note });
  if (found.is_env_var === 1) await makeVariable(tx, project.id, made.id);
}

async function update(
  call: Bypass,
  { secret, isEnvVar, note }: { secret: string; isEnvVar?: boolean | undefined; note?: string | undefined },
): Promise<void> {
  const { tx, project } = call;
  const found = await getSecret(call, secret);
  if (isEnvVar === false && found.is_env_var === 1) throw lastBypassVariable();
  if (note !== undefined) await changeRows(tx, "bypass_secrets", { id: found.id }, { note });
  if (isEnvVar) await makeVariable(tx, project.id, found.id);
}

/** @throws Refusal 404 */
async function getSecret({ tx, services, project }: Bypass, value: string): Promise<BypassSecretRow> {
  const found = await findRow(tx, "bypass_secrets", {
    project_id: project.id,
    digest: services.vault.digest(value),
  });
  if (!found) throw notFound("The bypass secret");
  return found;
}

export const projectBypassRoutes: readonly Route[] = [updateBypass];
