import { isDeepStrictEqual } from "node:util";
import { isPlain, type Plain } from "../../provider/core/values";
import { placeholder } from "../snapshot/rows";
import type { AccountState } from "./copy";
import { kindOfType, typeName } from "./kinds";
import type { Change, Move } from "./report";
import { secretFieldsOf, textsIn } from "./secrets";
import type { Resource } from "./stack";

/** Compares a copy before and after a run. */

export interface Compared {
  changes: Change[];
  aliases: Move[];
}

/** A comparison with the texts in fields that are declared as secret, as the account has them. */
export interface ComparedWithSecrets extends Compared {
  secretTexts: string[];
}

type Kind = Change["kind"];
type Field = Change["fields"][number];

/** An object of the account. `key` identifies the object before and after the run. */
interface Item {
  kind: Kind;
  key: string;
  name: string;
  projectId: string | null;
  /** The id of the resource that declares the object. */
  id: string;
  isProduction: boolean;
  fields: Readonly<Record<string, unknown>>;
}

const sections = {
  projects: "project",
  environments: "environment",
  domains: "domain",
  env: "variable",
  sharedEnv: "shared variable",
  dnsRecords: "DNS record",
  firewallBypasses: "firewall bypass",
  webhooks: "webhook",
  logDrains: "log drain",
} as const satisfies Record<string, Kind>;

/** Fields that are not settings, or are reported elsewhere. */
const omitted = new Set([
  ...["id", "team", "user", "project", "createdAt", "updatedAt", "createdBy", "updatedBy", "configurationId"],
  ...["production", "promotion", "lastRollbackTarget", "challenge", "creator", "actor"],
]);
/** Fields that are always secret. The path of a receiver's URL often contains a key. */
const secrets = new Set(["value", "bypassSecrets", "headers", "url"]);

/** The declarations of secrets in programs, by the kind and id of the object. */
interface DeclaredSecrets {
  /** The values of secret inputs that the API does not return. */
  before: ReadonlyMap<string, Plain>;
  after: ReadonlyMap<string, Plain>;
  fields: ReadonlyMap<string, ReadonlySet<string>>;
}

/** True if a report must not contain the values of a field. The value of a DNS record is public, unless declared. */
const isSecretOf = ({ kind, id }: Item, name: string, { fields }: Pick<DeclaredSecrets, "fields">): boolean =>
  (secrets.has(name) && kind !== "DNS record") || fields.get(`${kind} ${id}`)?.has(name) === true;

export function compare(
  before: AccountState,
  after: AccountState,
  resources: { before: readonly Resource[]; after: readonly Resource[] },
): ComparedWithSecrets {
  const olds = itemsOf(before);
  const news = itemsOf(after);
  const projects = new Map(
    [...olds.values(), ...news.values()].flatMap(({ kind, id, name }) =>
      kind === "project" ? [[id, name]] : [],
    ),
  );
  const urns = { before: urnsById(resources.before), after: urnsById(resources.after) };
  const urnsOfSeveral = {
    before: urnsByVariable(resources.before),
    after: urnsByVariable(resources.after),
  };
  const declared: DeclaredSecrets = {
    before: declaredSecrets(resources.before),
    after: declaredSecrets(resources.after),
    fields: secretFieldsOf(resources.before, resources.after),
  };
  const provided = new Set([...news.values()].map(placeInProduction));
  /** True if production loses an object that still exists, and no other object takes its place. */
  const leaves = (old: Item, item: Item): boolean => {
    const [was, is] = [placeInProduction(old), placeInProduction(item)];
    return was !== undefined && was !== is && old.projectId === item.projectId && !provided.has(was);
  };
  const changes: Found[] = [];
  const add = (effect: Change["effect"], item: Item, fields: Field[], before = item): void => {
    const key = `${item.kind} ${item.id}`;
    const urnIn = ({ before, after }: typeof urns): string | undefined =>
      (effect === "delete" ? before : after).get(key) ?? before.get(key);
    const urn = urnIn(urns);
    const declaredBy = urn ?? urnIn(urnsOfSeveral);
    const { kind, name, id, projectId } = item;
    const isProduction = item.isProduction || before.isProduction;
    const project = projectId === null ? null : (projects.get(projectId) ?? projectId);
    const isWithProject =
      effect === "delete" && projectId !== null && kind !== "project" && !news.has(`project ${projectId}`);
    const resource = declaredBy?.split("::").at(-1) ?? null;
    changes.push({
      ...{ effect, kind, name, project, id, resource, fields, urn, item },
      ...{ isProduction, isWithProject, leavesProduction: leaves(before, item) },
    });
  };
  for (const item of news.values()) {
    const old = olds.get(`${item.kind} ${item.key}`);
    if (!old) add("create", item, []);
    else {
      const fields = differences(old, item, declared);
      if (fields.length > 0) add("change", item, fields, old);
    }
  }
  for (const item of olds.values()) if (!news.has(`${item.kind} ${item.key}`)) add("delete", item, []);
  const secretTexts = [...olds.values(), ...news.values()].flatMap((item) =>
    [...(declared.fields.get(`${item.kind} ${item.id}`) ?? [])].flatMap((name) => textsIn(item.fields[name])),
  );
  return {
    changes: sorted(withReplacements(changes, leaves)),
    aliases: movesOf(before, after),
    secretTexts: secretTexts.filter((text) => text !== placeholder),
  };
}

/** A change with its object. A deleted object is as before the run, all other objects are as after the run. */
type Found = Change & { urn: string | undefined; item: Item };

/** The key under which production has a project, a domain or a variable; undefined if production does not have it. */
function placeInProduction({ kind, name, projectId, isProduction, fields }: Item): string | undefined {
  if (isProduction && kind === "project") return fields.paused === true ? undefined : `project ${projectId}`;
  if (!isProduction || (kind !== "domain" && kind !== "variable")) return undefined;
  return `${kind} ${projectId} ${kind === "domain" ? name : fields.key}`;
}

/** Combines a deleted and a new object of one resource to a replacement, except for domains with different names. */
function withReplacements(changes: readonly Found[], leaves: (old: Item, item: Item) => boolean): Change[] {
  const made = new Map(
    changes.flatMap((one) => (one.effect === "create" && one.urn ? [[one.urn, one]] : [])),
  );
  const replaced = new Set<Change>();
  const all = changes.map((one): Found => {
    const successor = one.urn === undefined ? undefined : made.get(one.urn);
    if (one.effect !== "delete" || !successor || successor.kind !== one.kind) return one;
    if (one.kind === "domain" && successor.name !== one.name) return one;
    replaced.add(successor);
    const identity = ["project", "name"] as const;
    const identityFields = identity
      .filter((field) => successor[field] !== one[field])
      // The field `project` of a project only repeats its name.
      .filter((field) => field === "name" || one.kind !== "project")
      .map((field): Field => ({ field, before: one[field], after: successor[field] }));
    const leavesProduction = leaves(one.item, successor.item);
    // Shows how production loses a variable, with the same fields as for a changed variable.
    const placeFields = differences(one.item, successor.item).filter(
      ({ field }) =>
        (leavesProduction && (field === "key" || field === "target")) ||
        (one.kind === "webhook" && field === "url"),
    );
    const fields = [...identityFields, ...placeFields];
    return { ...one, effect: "replace", isWithProject: false, leavesProduction, fields };
  });
  return all.filter((one) => !replaced.has(one)).map(({ urn: _, item: __, ...change }) => change);
}

const order: readonly Change["effect"][] = ["delete", "replace", "change", "create"];

const sorted = (changes: Change[]): Change[] =>
  changes.sort(
    (a, b) =>
      order.indexOf(a.effect) - order.indexOf(b.effect) ||
      Number(b.leavesProduction) - Number(a.leavesProduction) ||
      Number(a.isWithProject) - Number(b.isWithProject) ||
      Number(b.isProduction) - Number(a.isProduction) ||
      (a.project ?? "").localeCompare(b.project ?? "") ||
      a.name.localeCompare(b.name),
  );

function itemsOf({ document, deployments }: AccountState): Map<string, Item> {
  const items: Item[] = Object.entries(sections).flatMap(([section, kind]) =>
    ((document[section as keyof typeof sections] ?? []) as Plain[]).map((row) => itemOf(kind, row)),
  );
  items.push(...membersIn(document), ...projectMembersIn(document), ...edgeConfigsIn(document));
  const projectIds = new Map(items.flatMap(({ kind, id, name }) => (kind === "project" ? [[name, id]] : [])));
  for (const [id, { name: project, target, readyState }] of deployments) {
    items.push({
      kind: "deployment",
      key: id,
      id,
      name: id,
      projectId: projectIds.get(project) ?? project,
      isProduction: target === "production",
      fields: { readyState },
    });
  }
  return new Map(items.map((item) => [`${item.kind} ${item.key}`, item]));
}

/** The email addresses of the users, or their names, by their ids. */
const peopleIn = ({ users = [] }: AccountState["document"]): Map<unknown, string> =>
  new Map((users as Plain[]).map(({ id, username, email }) => [id, `${email ?? username}`]));

/** The members of the projects. */
function projectMembersIn(document: AccountState["document"]): Item[] {
  const people = peopleIn(document);
  return ((document.projectMembers ?? []) as Plain[]).map(({ project, user, role }): Item => {
    const id = `${project}/${user}`;
    const name = people.get(user) ?? `${user}`;
    return {
      ...{ kind: "project member", key: id, id, name, projectId: `${project}` },
      ...{ isProduction: false, fields: { role } },
    };
  });
}

/** The Edge Configs, their items and tokens. */
function edgeConfigsIn({ edgeConfigs = [] }: AccountState["document"]): Item[] {
  return (edgeConfigs as Plain[]).flatMap(({ id: config, slug, schema, items, tokens }) => {
    const part = (kind: Kind, key: unknown, name: unknown, fields: Plain): Item => {
      const id = `${config}/${key}`;
      return { kind, key: id, id, name: `${name} of ${slug}`, projectId: null, isProduction: false, fields };
    };
    const whole = { key: `${config}`, id: `${config}`, name: `${slug}`, fields: { slug, schema } };
    return [
      { kind: "Edge Config", ...whole, projectId: null, isProduction: false },
      ...((items ?? []) as Plain[]).map(({ key, value, description }) =>
        part("Edge Config item", key, key, { value, description }),
      ),
      ...((tokens ?? []) as Plain[]).map(({ id, label }) => part("Edge Config token", id, label, { label })),
    ];
  });
}

/** The members of the team, and the invited users. */
function membersIn(document: AccountState["document"]): Item[] {
  const people = peopleIn(document);
  return ((document.teams ?? []) as Plain[]).flatMap(({ id: team, members }) =>
    (Array.isArray(members) ? (members as Plain[]) : []).map(({ user, role }): Item => {
      const name = people.get(user) ?? `${user}`;
      const place = { projectId: null, isProduction: false };
      return { kind: "member", key: `${user}`, id: `${team}/${user}`, name, ...place, fields: { role } };
    }),
  );
}

function itemOf(kind: Kind, row: Plain): Item {
  const id = kind === "firewall bypass" ? `${row.domain}/${row.sourceIp}` : String(row.id ?? row.name);
  const projectId = kind === "project" ? id : row.project === undefined ? null : String(row.project);
  const ofProject = projectId !== null && kind !== "project" ? `${projectId}/${id}` : id;
  const { settings, ...rest } = row;
  const { crons, security, ...others } = isPlain(settings) ? settings : {};
  // Only whether crons are disabled, because the time differs in each run.
  const cronsEnabled = isPlain(crons) && crons.disabledAt != null ? false : null;
  const attackChallengeMode = isPlain(security) && security.attackModeEnabled === true ? true : null;
  const ofState = kind === "project" ? { cronsEnabled, attackChallengeMode } : {};
  const fields = Object.entries({ ...rest, ...others, ...ofState });
  return {
    kind,
    key: kind === "domain" || kind === "firewall bypass" ? ofProject : id,
    id: kind === "DNS record" ? `${row.domain}/${id}` : ofProject,
    name: nameOf(kind, row),
    projectId,
    isProduction: isOfProduction(kind, row),
    fields: Object.fromEntries(fields.filter(([name]) => !omitted.has(name))),
  };
}

const isVariable = (kind: Kind): boolean => kind === "variable" || kind === "shared variable";

function nameOf(kind: Kind, row: Plain): string {
  if (kind === "environment") return String(row.slug);
  if (kind === "webhook") return hostOf(String(row.url));
  if (kind === "firewall bypass") return `${row.domain} ${row.sourceIp}`;
  if (kind === "DNS record") return `${row.name === "" ? "" : `${row.name}.`}${row.domain} ${row.type}`;
  if (!isVariable(kind)) return String(row.name);
  const { key, target, gitBranch } = row;
  const places = [...(Array.isArray(target) ? target : []), ...(gitBranch ? [String(gitBranch)] : [])];
  return places.length === 0 ? String(key) : `${key} (${places.join(", ")})`;
}

/** The host of a receiver's URL. The rest of the URL can contain a key. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "a receiver");

function isOfProduction(kind: Kind, row: Plain): boolean {
  if (kind === "project") return row.production != null;
  if (kind === "domain") return row.gitBranch === undefined && row.customEnvironmentId === undefined;
  return isVariable(kind) && Array.isArray(row.target) && row.target.includes("production");
}

function differences(
  before: Item,
  after: Item,
  secretsBy: DeclaredSecrets = { before: new Map(), after: new Map(), fields: new Map() },
): Field[] {
  const key = `${after.kind} ${after.id}`;
  const [declared = {}, now = {}] = [secretsBy.before.get(key), secretsBy.after.get(key)];
  const names = new Set([...Object.keys(before.fields), ...Object.keys(after.fields)]);
  const fields: Field[] = [];
  for (const name of [...names].sort()) {
    // Some settings are null, and others absent, when they are not set.
    const [was, is] = [before.fields[name] ?? null, after.fields[name] ?? null];
    if (name === "value" && (was === placeholder || is === placeholder)) {
      const isChanged =
        now.value !== undefined && declared.value !== undefined && declared.value !== now.value;
      if (isChanged || (was !== is && is !== placeholder)) fields.push({ field: name, isSecret: true });
    } else if (!isDeepStrictEqual(was, is)) {
      fields.push(
        isSecretOf(before, name, secretsBy) || isSecretOf(after, name, secretsBy)
          ? { field: name, isSecret: true }
          : { field: name, before: shown(was), after: shown(is) },
      );
    }
  }
  for (const field of ["passwordProtection", "secret"]) {
    const isChanged = now[field] !== undefined && declared[field] !== now[field];
    if (isChanged && !fields.some((one) => one.field === field)) fields.push({ field, isSecret: true });
  }
  return fields;
}

/** A value in a report. A Git link is shortened, because the addresses of its deploy hooks are secrets. */
function shown(value: unknown): unknown {
  if (!isPlain(value) || !("deployHooks" in value)) return value ?? null;
  const { type, org, repo, projectNamespace, projectName, owner, slug } = value;
  return `${type} ${org ?? projectNamespace ?? owner}/${repo ?? projectName ?? slug}`;
}

const urnsById = (resources: readonly Resource[]): Map<string, string> =>
  new Map(
    resources.flatMap(({ id, urn, type }) => {
      const kind = kindOfType[typeName(type)];
      return id === "" || kind === undefined ? [] : [[`${kind} ${id}`, urn]];
    }),
  );

/** The URNs of resources with several variables, by variable. Their variables do not replace each other. */
const urnsByVariable = (resources: readonly Resource[]): Map<string, string> =>
  new Map(
    resources.flatMap(({ urn, type, outputs: { projectId, records } }) =>
      type.split(":").at(-1) === "EnvVars" && isPlain(records)
        ? Object.values(records).map((record): [string, string] => [
            `variable ${projectId}/${isPlain(record) ? record.id : ""}`,
            urn,
          ])
        : [],
    ),
  );

/** The secrets that resources declare and the API does not always return, by object and field. */
const declaredSecrets = (resources: readonly Resource[]): Map<string, Plain> =>
  new Map(
    resources.flatMap(({ id, type, inputs, outputs: { projectId, records } }): [string, Plain][] => {
      const { value, secret, passwordProtection, variables } = inputs;
      switch (type.split(":").at(-1)) {
        case "EnvVar":
          return [[`variable ${id}`, { value }]];
        case "EnvVars":
          return Object.entries(isPlain(records) ? records : {}).map(([key, record]) => [
            `variable ${projectId}/${isPlain(record) ? record.id : ""}`,
            { value: memberOf(memberOf(variables, key), "value") },
          ]);
        case "Project":
          return [[`project ${id}`, { passwordProtection: memberOf(passwordProtection, "password") }]];
        case "LogDrain":
          return [[`log drain ${id}`, { secret }]];
        default:
          return [];
      }
    }),
  );

const memberOf = (value: unknown, name: string): unknown => (isPlain(value) ? value[name] : undefined);

function movesOf(before: AccountState, after: AccountState): Move[] {
  const names = new Set([...before.aliases.keys(), ...after.aliases.keys()]);
  return [...names].sort().flatMap((alias): Move[] => {
    const [from = null, to = null] = [before.aliases.get(alias), after.aliases.get(alias)];
    if (from === to) return [];
    const project = (after.deployments.get(to ?? "") ?? before.deployments.get(from ?? ""))?.name ?? null;
    return [{ alias, project, from, to }];
  });
}
