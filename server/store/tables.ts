import * as access from "../access/object";
import * as accessGroups from "../access-groups/object";
import * as accounts from "../accounts/object";
import * as aliases from "../aliases/object";
import * as blobStores from "../blob-stores/object";
import * as certificates from "../certificates/object";
import * as checks from "../checks/object";
import * as control from "../control/object";
import * as deployments from "../deployments/object";
import * as domains from "../domains/object";
import * as edgeConfigs from "../edge-configs/object";
import * as env from "../env/object";
import * as environments from "../environments/object";
import * as events from "../events/object";
import * as featureFlags from "../feature-flags/object";
import * as firewall from "../firewall/object";
import * as http from "../http/object";
import * as integrations from "../integrations/object";
import * as lenient from "../lenient/object";
import * as drains from "../log-drains/object";
import * as mail from "../mail/object";
import * as members from "../members/object";
import * as microfrontends from "../microfrontends/object";
import * as platform from "../platform/object";
import * as projects from "../projects/object";
import * as rollingReleases from "../rolling-releases/object";
import * as routing from "../routing/object";
import * as webhooks from "../webhooks/object";
import { object, type Row, type Shown, type StoredObject, text } from "./object";

/** Settings of the store itself. */
const meta = object("meta", { columns: { name: text(), value: text() }, key: ["name"] });

/** The descriptions of all tables: every export of the `object.ts` of a noun. */
const descriptions = {
  meta,
  ...access,
  ...accessGroups,
  ...accounts,
  ...aliases,
  ...blobStores,
  ...certificates,
  ...checks,
  ...control,
  ...deployments,
  ...domains,
  ...edgeConfigs,
  ...env,
  ...environments,
  ...events,
  ...featureFlags,
  ...firewall,
  ...http,
  ...integrations,
  ...lenient,
  ...drains,
  ...mail,
  ...members,
  ...microfrontends,
  ...platform,
  ...projects,
  ...rollingReleases,
  ...routing,
  ...webhooks,
};
type Described = (typeof descriptions)[keyof typeof descriptions];
type Named<Condition> = Extract<Described, Condition>["table"];

/** The rows of all tables, by name. They are the same in both engines. */
export type Database = { [D in Described as D["table"]]: Row<D> };
type TableWith<Columns> = { [T in keyof Database]: Database[T] extends Columns ? T : never }[keyof Database];

/** The descriptions of all tables, by name. */
export const objects = Object.fromEntries(
  Object.values(descriptions).map((described) => [described.table, described]),
) as unknown as Readonly<Record<keyof Database, StoredObject>>;

/** The names of all tables except `meta`. */
export const tableNames = Object.keys(objects).filter((name) => name !== "meta") as Exclude<
  keyof Database,
  "meta"
>[];

/** The tables whose rows are deleted with their project. */
export const projectTables = tableNames.filter(
  (name) => objects[name].columns.project_id?.isNullable === false,
) as TableWith<{ project_id: string }>[];

/** The tables whose rows belong to an account. */
export const accountTables = tableNames.filter((name) => objects[name].columns.account_id) as TableWith<{
  account_id: string;
}>[];

/** The tables whose rows are deleted with their deployment. */
export const deploymentTables = tableNames.filter(
  (name) => objects[name].columns.deployment_id?.isNullable === false,
) as TableWith<{ deployment_id: string }>[];

/** The tables whose ids are in answers of the API. */
export const publicTables = tableNames.filter((name) => objects[name].columns.id?.isPublicId) as TableWith<{
  id: string;
}>[];

/** The tables whose rows are in `GET /_control/snapshot`. */
export const shownTables = tableNames.filter((name) => objects[name].section) as Named<{ section: string }>[];

/** The rows of all tables for people, by section. */
export type Sections = {
  [D in Extract<Described, { section: string }> as D["section"]]: Shown<D>[];
};
