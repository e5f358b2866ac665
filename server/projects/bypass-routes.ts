import * as z from "zod";
import { loadProject, projectPath, unknownProject } from "../access/projects";
import { seesAllVariables } from "../env/access";
import { type Call, type Route, route } from "../http/route";
import { newId, newSecret } from "../platform/ids";
import { badRequest, notFound, Refusal } from "../platform/refusal";
import type { BypassSecretRow, ProjectRow } from "../store/schema";
import { project as projectShape } from "./schema";
import { viewBypass } from "./view";

const secret = z.string().regex(/^[a-zA-Z0-9]{32}$/, "must be exactly 32 letters and digits");
const note = z.string().max(100);

type Bypass = Call & { project: ProjectRow };

/**
 * @choice An unknown secret on revoke and update is 404; an existing one on generate is 409. Several members of a
 *   body run in the order revoke, update, generate; a body without any makes a random secret.
 *   Exactly one secret of a project is the variable of its deployments: the first one, until another takes over.
 *   A rotated secret passes this and its note on to the new one; after a revocation the oldest one takes over.
 *   Callers who may not see variables are shown only the secrets that the request made or named.
 * @source Projects, PATCH /v1/projects/{idOrName}/protection-bypass; wire-shapes 7
 */
const updateBypass = route({
  method: "PATCH",
  path: "/v1/projects/:idOrName/protection-bypass",
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
  success: [200, z.strictObject({ protectionBypass: projectShape.shape.protectionBypass.unwrap() })],
  throws: [
    [400, "bad_request", "no secret would be left as the variable of deployments"],
    unknownProject,
    [404, "not_found", "no such secret to revoke or update"],
    [409, "conflict", "the secret exists"],
  ],
  load: loadProject,
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
): Promise<void> {
  const { tx, services, project, now, caller } = call;
  const value = given.secret ?? newSecret("bypassSecret");
  const digest = services.vault.digest(value);
  if (await findSecret(tx, project, digest))
    throw new Refusal(
      409,
      "conflict",
      "The project has this bypass secret already. Choose another one, or let the server make one.",
    );
  const id = newId("row");
  await tx
    .insertInto("bypass_secrets")
    .values({
      id,
      project_id: project.id,
      digest,
      secret: services.vault.seal(id, value),
      note: given.note ?? null,
      is_env_var: 0,
      created_at: now,
      created_by: caller.userId,
    })
    .execute();
  await keepVariable(call);
}

async function revoke(call: Bypass, { secret, regenerate }: { secret: string; regenerate: boolean }) {
  const { tx, services, project } = call;
  const found = await getSecret(call, secret);
  await tx.deleteFrom("bypass_secrets").where("id", "=", found.id).execute();
  if (!regenerate) return keepVariable(call);
  const value = newSecret("bypassSecret");
  await generate(call, { secret: value, note: found.note });
  const made = await findSecret(tx, project, services.vault.digest(value));
  if (made && found.is_env_var === 1) await setVariable(call, made.id);
}

async function update(
  call: Bypass,
  { secret, isEnvVar, note }: { secret: string; isEnvVar?: boolean | undefined; note?: string | undefined },
): Promise<void> {
  const found = await getSecret(call, secret);
  if (isEnvVar === false && found.is_env_var === 1) {
    throw badRequest(
      "One secret must be the variable of deployments. Set isEnvVar on another secret instead.",
    );
  }
  if (note !== undefined)
    await call.tx.updateTable("bypass_secrets").set({ note }).where("id", "=", found.id).execute();
  if (isEnvVar) await setVariable(call, found.id);
}

/** Makes the oldest secret the variable of deployments, if none is. */
async function keepVariable({ tx, project }: Bypass): Promise<void> {
  const rows = await tx
    .selectFrom("bypass_secrets")
    .select(["id", "is_env_var"])
    .where("project_id", "=", project.id)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  const [oldest] = rows;
  if (oldest && rows.every(({ is_env_var }) => is_env_var === 0))
    await tx.updateTable("bypass_secrets").set({ is_env_var: 1 }).where("id", "=", oldest.id).execute();
}

async function setVariable({ tx, project }: Bypass, id: string): Promise<void> {
  await tx
    .updateTable("bypass_secrets")
    .set((eb) => ({ is_env_var: eb.case().when("id", "=", id).then(1).else(0).end() }))
    .where("project_id", "=", project.id)
    .execute();
}

/** @throws Refusal 404 */
async function getSecret({ tx, services, project }: Bypass, value: string): Promise<BypassSecretRow> {
  const found = await findSecret(tx, project, services.vault.digest(value));
  if (!found) throw notFound("The bypass secret");
  return found;
}

function findSecret(
  tx: Bypass["tx"],
  project: ProjectRow,
  digest: string,
): Promise<BypassSecretRow | undefined> {
  return tx
    .selectFrom("bypass_secrets")
    .selectAll()
    .where("project_id", "=", project.id)
    .where("digest", "=", digest)
    .executeTakeFirst();
}

export const projectBypassRoutes: readonly Route[] = [updateBypass];
