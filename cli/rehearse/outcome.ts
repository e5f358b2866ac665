import { isDeepStrictEqual } from "node:util";
import { isPlain, type Plain } from "../../provider/core/values";
import { type KindName, kindNamed, kinds } from "../objects";
import { accountDomain } from "../objects/account-domain";
import { deployment } from "../objects/deployment";
import { type Item as AnyItem, itemOf, placeholder } from "../objects/kind";
import type { AccountState } from "./copy";
import type { Change, Move } from "./report";
import { kindOf, secretFieldsOf, textsIn, typeName } from "./secrets";
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

type Field = Change["fields"][number];
type Item = AnyItem & { kind: KindName };

/** The declarations of secrets in programs, by the kind and id of the object. */
interface DeclaredSecrets {
  /** The values of secret inputs that the API does not return. */
  before: ReadonlyMap<string, Plain>;
  after: ReadonlyMap<string, Plain>;
  fields: ReadonlyMap<string, ReadonlySet<string>>;
}

/** True if a report must not contain the values of a field. */
const isSecretOf = ({ kind, id }: Item, name: string, { fields }: Pick<DeclaredSecrets, "fields">): boolean =>
  kindNamed(kind).secret?.includes(name) || fields.get(`${kind} ${id}`)?.has(name) === true;

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
    changes: sorted(withReplacements(changes.filter(isTold), leaves)),
    aliases: movesOf(before, after),
    secretTexts: secretTexts.filter((text) => text !== placeholder),
  };
}

/** False for a domain of the account that comes or goes with its project domains: no resource declares it. */
const isTold = ({ kind, effect, resource }: Change): boolean =>
  kind !== accountDomain.name || effect === "change" || resource !== null;

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
        // The name of a receiver is only the host of its URL.
        field === "url",
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
  const rowsIn = (section: keyof typeof document) => (document[section] ?? []) as Plain[];
  /** The email addresses of the users, or their names, by their ids. */
  const people = new Map(rowsIn("users").map(({ id, username, email }) => [id, `${email ?? username}`]));
  const items = kinds.flatMap((kind): Item[] =>
    "items" in kind
      ? rowsIn(kind.section)
          .flatMap((row) => kind.items(row, people))
          .map((item) => ({ kind: kind.name, ...item }))
      : [],
  );
  const projectIds = new Map(items.flatMap(({ kind, id, name }) => (kind === "project" ? [[name, id]] : [])));
  for (const [id, { name: project, target, readyState }] of deployments) {
    const place = { projectId: projectIds.get(project) ?? project, isProduction: target === "production" };
    items.push({ kind: deployment.name, ...itemOf({ id, name: id }, { ...place, fields: { readyState } }) });
  }
  return new Map(items.map((item) => [`${item.kind} ${item.key}`, item]));
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
      const kind = kindOf(type);
      return id === "" || kind === undefined ? [] : [[`${kind} ${id}`, urn]];
    }),
  );

/** The URNs of resources with several variables, by variable. Their variables do not replace each other. */
const urnsByVariable = (resources: readonly Resource[]): Map<string, string> =>
  new Map(
    resources.flatMap(({ urn, type, outputs: { projectId, records } }) =>
      typeName(type) === "EnvVars" && isPlain(records)
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
      if (typeName(type) === "EnvVars")
        return Object.entries(isPlain(records) ? records : {}).map(([key, record]) => [
          `variable ${projectId}/${isPlain(record) ? record.id : ""}`,
          { value: memberOf(memberOf(variables, key), "value") },
        ]);
      const password = memberOf(passwordProtection, "password");
      return [[`${kindOf(type)} ${id}`, { value, secret, passwordProtection: password }]];
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
