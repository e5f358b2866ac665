import * as z from "zod";
import { changeAccount, findAccount } from "../../access/account-store";
import { removeMember } from "../../access/member-store";
import { accountFields, sensitivePolicy } from "../../accounts/seed";
import { disableOrphaned } from "../../integrations/lifecycle";
import { notFound } from "../../platform/refusal";
import type { Tx } from "../../store/store";
import { accountsIn, writeOn } from "../locks";
import { controlRoute } from "../route";

const { id: _id, createdAt: _createdAt, ...changeable } = accountFields;

/** Changes the plan, add-ons and blocks of a team, by slug or id. */
const patchTeam = controlRoute({
  method: "PATCH",
  path: "/teams/:team",
  operationId: "changeTeam",
  summary: "Changes the plan, add-ons and blocks of a team.",
  example: { plan: "pro" },
  params: z.object({ team: z.string() }),
  body: z.strictObject({ ...changeable, sensitiveEnvironmentVariablePolicy: sensitivePolicy.optional() }),
  async handle({ params, body, services }) {
    return writeOn(services, accountsIn({ team: params.team }), async (tx) => {
      const { id } = await loadTeam(tx, params.team);
      await changeAccount(tx, id, body);
      const row = await loadTeam(tx, id);
      return {
        id,
        slug: row.slug,
        plan: row.plan,
        addons: JSON.parse(row.addons),
        softBlocked: row.soft_blocked === 1,
        paymentMethodNeedsUpdate: row.payment_method_needs_update === 1,
        deniedDomains: JSON.parse(row.denied_domains),
        sensitiveEnvironmentVariablePolicy: row.sensitive_policy ?? "default",
      };
    });
  },
});

/** Removes a member from a team, and disables the integrations that the member installed on the team. */
const deleteMember = controlRoute({
  method: "DELETE",
  path: "/teams/:team/members/:user",
  operationId: "removeMember",
  summary: "Removes a member from a team.",
  params: z.object({ team: z.string(), user: z.string() }),
  handle: ({ params, services }) =>
    writeOn(services, accountsIn({ team: params.team }), async (tx) => {
      const team = await loadTeam(tx, params.team);
      const user = await findAccount(tx, "user", params.user);
      if (!user || !(await removeMember(tx, team.id, user.id)))
        throw notFound(`Member ${JSON.stringify(params.user)} of the team`);
      await disableOrphaned({ tx, now: services.clock.now() }, team.id, user.id);
    }),
});

async function loadTeam(tx: Tx, key: string) {
  const team = await findAccount(tx, "team", key);
  if (!team) throw notFound(`Team ${JSON.stringify(key)}`);
  return team;
}

export const teamRoutes = [patchTeam, deleteMember];
