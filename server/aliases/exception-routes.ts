import * as z from "zod";
import { findAccount } from "../access/account-store";
import { beingTransferred } from "../access/rules";
import { canonicalDomain } from "../domains/names";
import { type Call, type Route, route } from "../http/route";
import { newSecret } from "../platform/ids";
import { notFound } from "../platform/refusal";
import type { ProjectRow } from "../projects/object";
import { deleteRows, findRow } from "../store/rows";
import { exceptionRefusals } from "./exception-rules";
import * as wire from "./exception-schema";
import { exceptionsOf, putException } from "./exception-store";
import type { ExceptionRow } from "./object";
import { loadAlias, unknownAlias } from "./routes";
import type { FoundAlias } from "./store";
import { viewExceptions } from "./view";

type Change = Call<{ id: string }, unknown, wire.ChangeException>;
type Loaded = Change & { found: FoundAlias };

/**
 * @choice Creating an exception that exists, and revoking one that does not, changes nothing. An unknown email address
 *   is invited; no mail is sent. Only an override and a link have an effect on the deployments that this server serves.
 * @source the newest official client; the Terraform provider: vercel_deployment_protection_exception
 */
const changeException = route({
  method: "PATCH",
  path: "/v3/aliases/:id/protection-bypass",
  operationId: "patchUrlProtectionBypass",
  summary:
    "Creates or revokes an exception from deployment protection for an alias or the URL of a deployment.",
  scope: ["read-write:project"],
  params: z.object({ id: z.string().describe("Alias or its id, or the URL or the id of a deployment.") }),
  body: wire.changeException,
  example: { override: { scope: "alias-protection-override", action: "create" } },
  success: [200, wire.changedExceptions],
  throws: [unknownAlias, [404, "not_found", "no such link to revoke, or no such user"]],
  load: loadChange,
  refuse: [...exceptionRefusals, beingTransferred],
  async handle(call) {
    const { body, tx, found } = call;
    if ("override" in body) await override(call, body.override.action);
    else if ("scope" in body) await changeUser(call, body.scope);
    else {
      if (body.revoke) await revokeLink(call, body.revoke.secret);
      if (body.revoke?.regenerate ?? true) {
        const expires_at = body.ttl === undefined ? null : call.now + body.ttl * 1000;
        await putException(tx, { ...rowOf(call, newSecret(32), "shareable-link"), expires_at });
      }
    }
    return { protectionBypass: viewExceptions(call, await exceptionsOf(call, [found])) };
  },
});

async function loadChange(call: Change): Promise<{ found: FoundAlias; project: ProjectRow | undefined }> {
  const { tx, account, params } = call;
  const deployment = await findRow(tx, "deployments", { account_id: account.id, id: params.id });
  const found = await loadAlias(call, deployment?.url ?? canonicalDomain(params.id));
  return { found, project: await findRow(tx, "projects", { id: found.project_id ?? "" }) };
}

const rowOf = ({ now, caller, found }: Loaded, key: string, scope: ExceptionRow["scope"]): ExceptionRow => ({
  ...{ project_id: found.project_id ?? "", alias: found.alias, key, scope, actor_id: caller.userId },
  ...{ created_at: now, updated_at: now, expires_at: null },
});

const keyOf = ({ tx, found: { alias } }: Loaded, key: string) =>
  findRow(tx, "protection_exceptions", { alias, key });

async function override(call: Loaded, action: "create" | "revoke"): Promise<void> {
  const { tx, found } = call;
  if (action === "revoke") await deleteRows(tx, "protection_exceptions", { alias: found.alias, key: "*" });
  else if (!(await keyOf(call, "*"))) await putException(tx, rowOf(call, "*", "alias-protection-override"));
}

/** @throws Refusal 404 */
async function changeUser(
  call: Loaded,
  { userId, email, access }: { userId?: string; email?: string | undefined; access: "granted" | "denied" },
): Promise<void> {
  const { tx, found } = call;
  const byEmail = await findRow(tx, "accounts", { email: email?.toLowerCase() ?? "", kind: "user" });
  const user = userId === undefined ? byEmail : await findAccount(tx, "user", userId);
  if (userId !== undefined && user?.id !== userId) throw notFound(`User ${JSON.stringify(userId)}`);
  const key = user?.id ?? email?.toLowerCase() ?? "";
  const known = await keyOf(call, key);
  if (access === "denied") await deleteRows(tx, "protection_exceptions", { alias: found.alias, key });
  else {
    const row = rowOf(call, key, user ? "user" : "email_invite");
    await putException(tx, { ...row, created_at: known?.created_at ?? call.now });
  }
}

/** @throws Refusal 404 */
async function revokeLink(call: Loaded, secret: string): Promise<void> {
  const link = await keyOf(call, secret);
  if (link?.scope !== "shareable-link") throw notFound("The shareable link");
  await deleteRows(call.tx, "protection_exceptions", { alias: link.alias, key: link.key });
}

export const exceptionRoutes: readonly Route[] = [changeException];
