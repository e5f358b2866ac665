import type { Updateable } from "kysely";
import * as z from "zod";
import { gitProviders as gitProviderTypes, otherLinkTypes } from "../../provider/vocabulary";
import { storedSettings } from "../access/project-store";
import { insertPromotion } from "../deployments/promotion-store";
import { derivedId, newId } from "../platform/ids";
import { restoredRelease } from "../rolling-releases/schema";
import { restoreRelease } from "../rolling-releases/store";
import { SeedConflict } from "../seed/error";
import {
  idWith,
  omit,
  ownedRow,
  owner,
  ownerOf,
  relativeTime,
  type Seeding,
  section,
  time,
  timeOf,
} from "../seed/section";
import { changeRows, findRow, hasRow, insertRow } from "../store/rows";
import type { Database } from "../store/tables";
import { linkTo } from "./link";
import { putGitProvider } from "./link-store";
import { type ProjectRow, projects as table } from "./object";
import { createProject, type Project, project, type UpdateProject, updateProject } from "./schema";
import { applyUpdate, freeUpdatedAt, insertProject } from "./store";

const columns = ["name", "nodeVersion", "gitForkProtection"] as const;
const settingNames = [
  ...Object.keys(updateProject.shape),
  "crons",
  "deploymentExpiration",
  "rollingRelease",
  "security",
].filter(
  (name) => name in project.shape && !(columns as readonly string[]).includes(name),
) as (keyof Project)[];

/** The settings in an answer of the API. Leaves out the settings and values that this server does not know. */
const settings = z.looseObject({}).transform((given) => {
  const known: Record<string, unknown> = {};
  for (const name of settingNames) {
    const result = project.shape[name].safeParse(given[name]);
    if (given[name] !== undefined && result.success) known[name] = result.data;
  }
  return known;
});

/** The settings in an answer of the API whose values this server does not know, so that a seed leaves them out. */
export const unknownSettings = (given: Record<string, unknown>): string[] =>
  settingNames.filter((name) => given[name] != null && !project.shape[name].safeParse(given[name]).success);

const bypassSecret = z.strictObject({
  secret: z.string().min(1),
  note: z.string().optional(),
  isEnvVar: z.boolean(),
  createdAt: time,
  createdBy: z.string(),
});

const promotion = z.strictObject({
  kind: z.enum(["promote", "rollback"]),
  from: z.string().nullable(),
  to: z.string(),
  status: z.enum(["pending", "in-progress", "succeeded", "failed"]),
  requestedAt: time,
  aliases: z.array(z.strictObject({ alias: z.string(), failed: z.boolean() })),
});

/** The members that no request can set. */
const restored = {
  updatedAt: time.optional(),
  settings: settings.optional(),
  link: z
    .looseObject({
      type: z.enum([...gitProviderTypes, ...otherLinkTypes]),
      deployHooks: z.array(z.looseObject({ url: z.string() })).default([]),
    })
    .optional(),
  dataCacheDisabled: z.boolean().optional(),
  /** The id of the deployment that serves production; null: none does. */
  production: z.string().nullable().optional(),
  lastRollbackTarget: z.record(z.string(), z.unknown()).optional(),
  /** The last promotion or rollback. */
  promotion: promotion.optional(),
  /** The last rolling release. */
  rollingRelease: restoredRelease.optional(),
  bypassSecrets: z.array(bypassSecret).optional(),
  transferStartedAt: time.optional(),
  transferToAccountId: z.string().optional(),
  transferCompletedAt: time.optional(),
  transferredFromAccountId: z.string().optional(),
};

/** The writable fields of a project, and those that only actions set. */
const row = ownedRow({
  ...createProject.omit({ environmentVariables: true }).shape,
  ...updateProject.omit({ name: true }).shape,
  ...owner,
  id: idWith("prj_").optional(),
  paused: z.boolean().optional(),
  createdAt: relativeTime.optional(),
  ...restored,
});
type SeedProject = z.output<typeof row>;

/** Adds a project, unless the account has one with this name. */
export const projects = section(
  "projects",
  row,
  async (seeding, given, place) => {
    const { tx, now, services } = seeding;
    const { team, user, id, createdAt, paused, gitRepository, name, ...rest } = given;
    const fields = omit(rest, Object.keys(restored)) as UpdateProject;
    const account = await ownerOf(tx, { team, user }, place);
    if (await hasRow(tx, "projects", { account_id: account.id, name })) return;
    const made = id ?? derivedId(table, account.id, name);
    const existing = await findRow(tx, "projects", { id: made });
    if (existing && id === undefined) return;
    if (existing)
      throw new SeedConflict(
        [...place, "id"],
        `the id ${made} belongs to the project ${JSON.stringify(existing.name)}`,
      );
    const link = gitRepository && linkTo(gitRepository, now);
    const then = { tx, now: timeOf(createdAt, now) };
    const added = await insertProject(then, account.id, { name }, link, made);
    const updated = await applyUpdate(then, services, added, {
      ...fields,
      ...(paused && { autoAssignCustomDomains: false }),
    });
    if (paused) await changeRows(tx, "projects", { id: added.id }, { paused: 1 });
    // `slipway snapshot` writes one of these for every project.
    if (given.settings !== undefined || given.updatedAt !== undefined) await restore(seeding, updated, given);
  },
  ({ team, user, name }) => [[team, user, name]],
);

/** Sets those members of a new project that no request can set. */
async function restore(seeding: Seeding, project: ProjectRow, given: SeedProject): Promise<void> {
  const { tx, services } = seeding;
  const columns: Updateable<Database["projects"]> = {};
  if (given.settings) columns.settings = JSON.stringify({ ...storedSettings(project), ...given.settings });
  if (given.link) Object.assign(columns, linkColumns(given.link));
  if (given.dataCacheDisabled !== undefined) columns.data_cache_disabled = given.dataCacheDisabled ? 1 : 0;
  if (given.production !== undefined) columns.production_deployment_id = given.production;
  if (given.lastRollbackTarget) columns.last_rollback_target = JSON.stringify(given.lastRollbackTarget);
  columns.transfer_started_at = given.transferStartedAt ?? null;
  columns.transfer_to_account_id = given.transferToAccountId ?? null;
  columns.transfer_completed_at = given.transferCompletedAt ?? null;
  columns.transferred_from_account_id = given.transferredFromAccountId ?? null;
  if (given.updatedAt !== undefined) columns.updated_at = await freeUpdatedAt(tx, project, given.updatedAt);
  await changeRows(tx, "projects", { id: project.id }, columns);

  for (const { secret, note, isEnvVar, createdAt, createdBy } of given.bypassSecrets ?? []) {
    const id = newId("row");
    await insertRow(tx, "bypass_secrets", {
      id,
      project_id: project.id,
      digest: services.vault.digest(secret),
      secret: services.vault.seal(id, secret),
      note: note ?? null,
      is_env_var: isEnvVar ? 1 : 0,
      created_at: createdAt,
      created_by: createdBy,
    });
  }
  if (given.rollingRelease) await restoreRelease(tx, project.id, given.rollingRelease);
  if (given.promotion) await restorePromotion(seeding, project.id, given.promotion);
}

/** @choice A link that no request can make has the repository that its `org` and `repo` name, on GitHub or its `host`. */
function linkColumns(link: NonNullable<SeedProject["link"]>): Updateable<Database["projects"]> {
  const text = (name: string): string => String(link[name] ?? "");
  const [repo, id, host] =
    link.type === "gitlab"
      ? [`${text("projectNamespace")}/${text("projectName")}`, text("projectId"), "gitlab.com"]
      : link.type === "bitbucket"
        ? [`${text("owner")}/${text("slug")}`, text("uuid"), "bitbucket.org"]
        : [
            [text("org"), text("repo")].filter(Boolean).join("/"),
            text("repoId"),
            text("host") || "github.com",
          ];
  return { link: JSON.stringify(link), repo, repo_id: id, repo_url: `https://${host}/${repo}` };
}

/** @choice A promotion that was in progress completes at once. */
async function restorePromotion(
  { tx, now }: Seeding,
  projectId: string,
  { kind, from, to, status, requestedAt, aliases }: NonNullable<SeedProject["promotion"]>,
): Promise<void> {
  const id = newId("row");
  await insertPromotion(
    tx,
    {
      id,
      project_id: projectId,
      kind,
      from_deployment_id: from,
      to_deployment_id: to,
      status,
      requested_at: requestedAt,
      completes_at: now,
    },
    aliases.map(({ alias, failed }, at) => ({
      id: newId("row"),
      promotion_id: id,
      alias,
      outcome: failed ? ("failed" as const) : ("completed" as const),
      deployment_id: failed ? from : null,
      created_at: requestedAt + at,
    })),
  );
}

const gitProvider = ownedRow({
  ...owner,
  type: z.enum(["github", "gitlab", "bitbucket"]),
  /** The repositories that may be linked, as `owner/name`. Default: all. */
  repos: z.array(z.string()).optional(),
  /** The outcome of creating the webhook for a link. */
  webhooks: z.enum(["ok", "forbidden", "unavailable"]).optional(),
});

/** The connections of accounts to Git providers. */
export const gitProviders = section(
  "git_providers",
  gitProvider,
  async ({ tx }, { type, repos, webhooks = "ok", ...owner }, place) => {
    const account = await ownerOf(tx, owner, place);
    const columns = { repos: repos ? JSON.stringify(repos) : null, webhooks };
    await putGitProvider(tx, { account_id: account.id, type, ...columns });
  },
  ({ team, user, type }) => [[team, user, type]],
);
