import * as z from "zod";
import { derivedId } from "../platform/ids";
import { SeedConflict } from "../seed/error";
import { id, name, ownedRow, owner, ownerOf, projectOf, section, time, times } from "../seed/section";
import { findRow, hasRow, insertRow } from "../store/rows";

const row = ownedRow({
  ...owner,
  id: id.optional(),
  alias: z.string().min(1),
  /** The id of the deployment that the alias points to. */
  deployment: z.string(),
  redirect: z.string().optional(),
  /** The id of a user. */
  creator: z.string().optional(),
  ...times,
});

/** Adds an alias, unless an alias with this name exists. */
export const aliases = section(
  "aliases",
  row,
  async ({ tx, now }, given, place) => {
    const account = await ownerOf(tx, given, place);
    const { alias, redirect = null, createdAt = now, updatedAt = createdAt } = given;
    const deployment = await findRow(tx, "deployments", { id: given.deployment, account_id: account.id });
    if (!deployment)
      throw new SeedConflict([...place, "deployment"], `there is no deployment ${given.deployment}`);
    const id = given.id ?? derivedId("row", alias);
    if ((await findRow(tx, "aliases", { id })) ?? (await findRow(tx, "aliases", { alias }))) return;
    await insertRow(tx, "aliases", {
      id,
      account_id: account.id,
      deployment_id: deployment.id,
      alias,
      redirect,
      creator_id: given.creator ?? deployment.creator_id,
      created_at: createdAt,
      updated_at: updatedAt,
    });
  },
  ({ alias }) => [alias],
);

const exceptionRow = ownedRow({
  ...owner,
  project: name,
  /** An alias, or the URL of a deployment of the project. */
  alias: z.string().min(1),
  scope: z
    .enum(["alias-protection-override", "shareable-link", "user", "email_invite"])
    .default("alias-protection-override"),
  /** The id or the email address of a user, or the secret of a link. */
  key: z.string().min(1).default("*"),
  /** The id of a user. */
  createdBy: z.string().optional(),
  expiresAt: time.optional(),
  ...times,
});

/** Adds an exception from deployment protection, unless it exists. */
export const protectionExceptions = section(
  "protection_exceptions",
  exceptionRow,
  async ({ tx, now }, given, place) => {
    const project = await projectOf(tx, given, place);
    const { alias, key, scope, createdAt = now } = given;
    const found = await findRow(tx, "aliases", { alias });
    const deployment = await findRow(tx, "deployments", found ? { id: found.deployment_id } : { url: alias });
    if (deployment?.account_id !== project.account_id || deployment.name !== project.name)
      throw new SeedConflict([...place, "alias"], `${alias} points to no deployment of ${project.name}`);
    if (await hasRow(tx, "protection_exceptions", { alias, key })) return;
    await insertRow(tx, "protection_exceptions", {
      ...{ project_id: project.id, alias, key, scope, actor_id: given.createdBy ?? project.account_id },
      ...{ created_at: createdAt, updated_at: given.updatedAt ?? createdAt },
      expires_at: given.expiresAt ?? null,
    });
  },
  ({ alias, key }) => [[alias, key]],
);
