import * as z from "zod";
import { teamRoles } from "../../provider/vocabulary";
import { type AccountFields, changeAccount, columnsOf, findAccount } from "../access/account-store";
import { nextJoin, putMember } from "../access/member-store";
import { derivedId } from "../platform/ids";
import { tokenHash } from "../platform/vault";
import { type DocumentPath, SeedError } from "../seed/error";
import { id, listOf, name, ownerOf, relativeTime, section, timeOf } from "../seed/section";
import { deleteRows, findRow, insertRow } from "../store/rows";
import type { Unit } from "../store/store";
import type { AccountRow } from "./object";
import { putToken } from "./store";
import { type TeamSettings, teamSettings as teamSettingsShape } from "./team-settings";

/** The fields of both users and teams. */
export const accountFields = {
  id: id.optional(),
  name: z.string().optional(),
  email: z.string().optional(),
  /** @choice Default: pro for a team, hobby for a user. */
  plan: z.enum(["hobby", "pro", "enterprise"]).optional(),
  addons: z.array(z.string()).optional(),
  softBlocked: z.boolean().optional(),
  paymentMethodNeedsUpdate: z.boolean().optional(),
  deniedDomains: z.array(z.string().toLowerCase()).optional(),
  createdAt: relativeTime.optional(),
};

/** `on`: new variables for production and preview must be sensitive. `default` is off. */
export const sensitivePolicy = z.enum(["on", "off", "default"]);

/** The settings of a team, as `PATCH /v2/teams/{id}` returns them. Leaves out those that this server does not know. */
const teamSettings = z.looseObject({}).transform((given): TeamSettings => {
  const entries = Object.entries(teamSettingsShape.shape).map(([name, shape]) => [
    name,
    shape.safeParse(given[name]).data,
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
});

const user = z.strictObject({ ...accountFields, username: name });

const team = z.strictObject({
  ...accountFields,
  sensitiveEnvironmentVariablePolicy: sensitivePolicy.optional(),
  settings: teamSettings.optional(),
  slug: name,
  members: listOf(
    z.strictObject({
      user: name,
      role: z.enum(teamRoles),
      /** `false`: the user was invited and has not accepted. */
      confirmed: z.boolean().optional(),
      createdAt: relativeTime.optional(),
    }),
    ({ user }) => user,
  ).optional(),
});

export const tokenText = z.string().regex(/^\S+$/, "must not contain spaces");

const token = z.strictObject({
  token: tokenText,
  user: name,
  /** The only account that the token acts on. Default: the user's own account and every team of the user. */
  team: name.optional(),
  /** Default: `seed`. */
  name: name.optional(),
  /** From then on, the token is refused. Default: it does not expire. */
  expiresAt: relativeTime.optional(),
  /** Revokes the token. Removing a token from the document does not. */
  revoked: z.boolean().optional(),
});

export const users = {
  ...section(
    "accounts",
    user,
    (unit, { username, ...fields }, place) => putAccount(unit, "user", username, fields, place),
    ({ username }) => [username],
  ),
  where: { kind: "user" },
};

export const teams = {
  ...section(
    "accounts",
    team,
    async ({ tx, now }, { slug, members, settings, ...team }, place) => {
      const fields = { ...team, settings: settings && JSON.stringify(settings) };
      const teamId = await putAccount({ tx, now }, "team", slug, fields, place);
      for (const [index, { user, role, confirmed = true, createdAt }] of (members ?? []).entries()) {
        const member = await findAccount(tx, "user", user);
        if (!member)
          throw new SeedError(
            [...place, "members", index, "user"],
            `there is no user ${JSON.stringify(user)}`,
          );
        await putMember(tx, {
          team_id: teamId,
          user_id: member.id,
          role,
          confirmed: confirmed ? 1 : 0,
          created_at: createdAt ?? (await nextJoin({ tx, now }, teamId, member.id)),
        });
      }
    },
    ({ slug }) => [slug],
  ),
  where: { kind: "team" },
};

export const tokens = section(
  "tokens",
  token,
  async ({ tx, now }, { token, user, team, name = "seed", expiresAt, revoked }, place) => {
    const hash = tokenHash(token);
    const row = {
      user_id: (await ownerOf(tx, { user }, place)).id,
      account_id: team === undefined ? null : (await ownerOf(tx, { team }, place)).id,
      name,
      expires_at: expiresAt === undefined ? null : timeOf(expiresAt, now),
    };
    await (revoked ? deleteRows(tx, "tokens", { hash }) : putToken({ tx, now }, hash, row));
  },
  ({ token }) => [token],
);

/** Creates the account, or changes the account with this name to match the document. */
async function putAccount(
  { tx, now }: Unit,
  kind: AccountRow["kind"],
  slug: string,
  { id, createdAt, ...fields }: AccountFields & { id?: string | undefined; createdAt?: number | undefined },
  place: DocumentPath,
): Promise<string> {
  const known = await findAccount(tx, kind, slug);
  if (known) {
    if (id !== undefined && id !== known.id) {
      throw new SeedError(
        [...place, "id"],
        `the ${kind} ${JSON.stringify(slug)} already exists with the id ${known.id}`,
      );
    }
    await changeAccount(tx, known.id, fields);
    return known.id;
  }
  const made = id ?? derivedId(kind, slug);
  const owner = await findRow(tx, "accounts", { id: made });
  if (owner) throw new SeedError([...place, "id"], `the id ${made} belongs to ${JSON.stringify(owner.slug)}`);
  await insertRow(tx, "accounts", {
    id: made,
    kind,
    slug,
    name: null,
    email: kind === "user" ? `${slug}@example.com` : null,
    plan: kind === "team" ? "pro" : "hobby",
    addons: "[]",
    soft_blocked: 0,
    payment_method_needs_update: 0,
    denied_domains: "[]",
    event_sequence: 0,
    created_at: timeOf(createdAt, now),
    ...columnsOf(fields),
  });
  return made;
}
