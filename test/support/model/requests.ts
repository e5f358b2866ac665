import fc from "fast-check";
import type { Fields, Model, Outcome, Project, Side } from "./model";
import { other } from "./model";
import type { Draft } from "./variable";

/** A request to the API in the name of an account, or to the control plane, with what the model says of it. */
export interface Step {
  /** undefined: to the control plane. */
  side: Side | undefined;
  method: string;
  path: string;
  body?: unknown;
  query?: Record<string, string>;
  expected: Outcome;
}

/** Makes a step of what was generated and of what there is at that moment. */
export type Kind = readonly [name: string, weight: number, steps: fc.Arbitrary<(model: Model) => Step>];

const sides = fc.constantFrom<Side[]>(0, 1);
const mostly = (share: number): fc.Arbitrary<boolean> => fc.nat({ max: 99 }).map((n) => n < share);
/** One of the first more often than one of the second. */
const rarely = <T>(often: T[], seldom: T[], weight = 9): fc.Arbitrary<T> =>
  fc.oneof(
    { weight, arbitrary: fc.constantFrom(...often) },
    { weight: 1, arbitrary: fc.constantFrom(...seldom) },
  );
const names = rarely(["web", "api", "docs"], ["Web!", "a---b"]);
const segment = encodeURIComponent;

/** How a request names a project: one that exists more often than not, its own account's as a rule. */
const reference = fc.record({ at: fc.nat(), byId: fc.boolean(), own: mostly(92), known: mostly(96) });
type Reference = typeof reference extends fc.Arbitrary<infer T> ? T : never;

const projectAt = (model: Model, { at }: { at: number }): Project | undefined =>
  model.projects[at % Math.max(1, model.projects.length)];

function named(model: Model, ref: Reference): { side: Side; key: string; project: Project | undefined } {
  const project = projectAt(model, ref);
  if (!project || !ref.known) return { side: 0, key: "prj_unknown", project: undefined };
  const side = ref.own ? project.side : other(project.side);
  return { side, key: ref.byId ? project.id : project.name, project };
}

const fields = fc.record(
  {
    name: names,
    framework: rarely<string | null>(["nextjs", "astro", null], ["nonsense"]),
    autoAssignCustomDomains: fc.boolean(),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Fields>;

const create = fc
  .record({
    side: sides,
    name: names,
    framework: rarely<string | undefined>(["nextjs", undefined], ["nonsense"]),
    linked: fc.boolean(),
  })
  .map(({ side, name, framework, linked }) => (model: Model): Step => {
    const body = {
      name,
      ...(framework === undefined ? {} : { framework }),
      ...(linked ? { gitRepository: { type: "github", repo: "acme/web" } } : {}),
    };
    const expected = model.create(side, { linked, ...body });
    return { side, method: "POST", path: "/v10/projects", body, expected };
  });

const update = fc.record({ ref: reference, body: fields }).map(({ ref, body }) => (model: Model): Step => {
  const { side, key } = named(model, ref);
  return {
    side,
    method: "PATCH",
    path: `/v9/projects/${key}`,
    body,
    expected: model.update(side, key, body),
  };
});

const remove = reference.map((ref) => (model: Model): Step => {
  const { side, key } = named(model, ref);
  return { side, method: "DELETE", path: `/v9/projects/${key}`, expected: model.remove(side, key) };
});

const pause = fc
  .record({ ref: reference, paused: fc.boolean() })
  .map(({ ref, paused }) => (model: Model): Step => {
    const { side, key } = named(model, { ...ref, byId: true });
    const path = `/v1/projects/${key}/${paused ? "pause" : "unpause"}`;
    return { side, method: "POST", path, expected: model.pause(side, key, paused) };
  });

const startTransfer = fc
  .record({ ref: reference, to: sides, away: mostly(80) })
  .map(({ ref, to: any, away }) => (model: Model): Step => {
    const { key, project } = named(model, { ...ref, byId: true });
    const to = away && project ? other(project.side) : any;
    return {
      side: undefined,
      method: "POST",
      path: `/projects/${key}/transfer`,
      body: { toTeam: model.slugs[to] },
      expected: model.startTransfer(key, to),
    };
  });

const completeTransfer = reference.map((ref) => (model: Model): Step => {
  const moving = model.projects.filter(({ movingTo }) => movingTo !== undefined);
  const key =
    (ref.own ? moving[ref.at % Math.max(1, moving.length)] : projectAt(model, ref))?.id ?? "prj_unknown";
  const path = `/projects/${key}/transfer/complete`;
  return { side: undefined, method: "POST", path, expected: model.completeTransfer(key) };
});

const branches = fc.constantFrom("main", "next");
const target = fc.record(
  {
    redirect: fc.oneof(fc.constant(null), fc.nat()),
    redirectStatusCode: fc.constantFrom(301, 308, null),
    gitBranch: fc.oneof(fc.constant(null), branches),
  },
  { requiredKeys: [] },
);

/** Where a domain is to lead: a name of the pool, mostly one that the project has. */
function targetOn(
  model: Model,
  project: Project | undefined,
  { redirect, ...rest }: typeof target extends fc.Arbitrary<infer T> ? T : never,
) {
  if (redirect === undefined || redirect === null) return redirect === null ? { redirect, ...rest } : rest;
  const own = project?.domains.map(({ name }) => name) ?? [];
  const pool = [...own, ...own, ...own, ...model.apexOf.keys(), `${project?.name ?? "web"}.vercel.app`];
  return { redirect: pool[redirect % pool.length] ?? "", ...rest };
}

const addDomain = fc
  .record({ ref: reference, at: fc.nat(), upper: mostly(10), valid: mostly(95), target, plain: mostly(60) })
  .map(({ ref, at, upper, valid, target, plain }) => (model: Model): Step => {
    const { side, key, project } = named(model, ref);
    const pool = [...model.apexOf.keys()];
    const name = valid ? (pool[at % pool.length] ?? "") : (["com", "no domain", "-a.com"][at % 3] ?? "");
    const body = {
      name: upper ? name.toUpperCase() : name,
      ...(plain ? {} : targetOn(model, project, target)),
    };
    const path = `/v10/projects/${key}/domains`;
    return { side, method: "POST", path, body, expected: model.addDomain(side, key, body) };
  });

/** A domain of a project, or any name. */
const ofProject = fc.record({ ref: reference, at: fc.nat(), has: mostly(95) });

function domainAt(
  model: Model,
  { ref, at, has }: typeof ofProject extends fc.Arbitrary<infer T> ? T : never,
) {
  const withSome = model.projects.filter(({ domains }) => domains.length > 0);
  const from = withSome[ref.at % Math.max(1, withSome.length)];
  const target = from && has ? { ...ref, at: model.projects.indexOf(from) } : ref;
  const { side, key, project } = named(model, target);
  const own = project?.domains.map(({ name }) => name) ?? [];
  const pool = has && own.length > 0 ? own : [...model.apexOf.keys()];
  const name = pool[at % pool.length] ?? "";
  return { side, key, project, name, path: `/v9/projects/${key}/domains/${segment(name)}` };
}

const updateDomain = fc.record({ of: ofProject, target }).map(({ of, target }) => (model: Model): Step => {
  const { side, key, project, name, path } = domainAt(model, of);
  const body = targetOn(model, project, target);
  return { side, method: "PATCH", path, body, expected: model.updateDomain(side, key, name, body) };
});

const removeDomain = fc
  .record({ of: ofProject, removeRedirects: fc.boolean() })
  .map(({ of, removeRedirects }) => (model: Model): Step => {
    const { side, key, name, path } = domainAt(model, of);
    const expected = model.removeDomain(side, key, name, removeRedirects);
    return { side, method: "DELETE", path, body: { removeRedirects }, expected };
  });

const verify = ofProject.map((of) => (model: Model): Step => {
  const { side, key, name, path } = domainAt(model, of);
  return { side, method: "POST", path: `${path}/verify`, expected: model.verify(side, key, name) };
});

/** TXT records appear, and vanish. */
const publish = fc
  .record({ of: ofProject, what: fc.constantFrom("right", "right", "also", "also", "mismatching", "none") })
  .map(({ of, what }) => (model: Model): Step => {
    const { project, name } = domainAt(model, of);
    const domain = project?.domains.find((one) => one.name === name);
    const at = `_vercel.${domain?.apex ?? model.apexOf.get(name)}`;
    const right = domain?.challenge ?? "something else";
    const before = what === "also" ? (model.zone.get(at) ?? []) : [];
    const values =
      what === "none" ? [] : [...before, what === "mismatching" ? `vc-domain-verify=${name},0000` : right];
    const expected: Outcome = {
      status: values.length > 0 ? 200 : 204,
      effect: () => model.zone.set(at, values),
    };
    const method = values.length > 0 ? "PUT" : "DELETE";
    const body = values.length > 0 ? { type: "TXT", values } : undefined;
    return { side: undefined, method, path: `/dns/${segment(at)}`, body, expected };
  });

const optional = { requiredKeys: ["key", "value", "target"] as ("key" | "value" | "target")[] };
const draftMembers = {
  key: rarely(["A", "A", "B"], ["C_2", "", "1A", "TZ", "A-B"], 4),
  value: fc.constantFrom("one", "two", "", "ünï"),
  type: rarely(["plain", "encrypted", "secret"], ["sensitive"], 3),
  target: fc.oneof(
    { weight: 6, arbitrary: fc.constant(["preview"]) },
    { weight: 6, arbitrary: fc.subarray(["production", "preview", "development"], { minLength: 1 }) },
    { weight: 1, arbitrary: fc.constant<string[]>([]) },
  ),
  gitBranch: rarely<string | null>([null], ["main", "next"], 4),
  comment: fc.constantFrom("why", null),
};
const draft = fc.record(draftMembers, optional) as fc.Arbitrary<Draft>;

const createVariables = fc
  .record({
    ref: reference,
    body: fc.oneof(draft, draft, fc.array(draft, { minLength: 1, maxLength: 4 })),
    upsert: fc.boolean(),
  })
  .map(({ ref, body, upsert }) => (model: Model): Step => {
    const { side, key } = named(model, ref);
    const expected = model.createVariables(side, key, body, upsert);
    const query = { upsert: String(upsert) };
    return { side, method: "POST", path: `/v10/projects/${key}/env`, query, body, expected };
  });

/** A variable of a project that has one, or an id of none. */
function variableAt(model: Model, { ref, at, has }: Parameters<typeof domainAt>[1]) {
  const withSome = model.projects.filter(({ variables }) => variables.length > 0);
  const from = withSome[ref.at % Math.max(1, withSome.length)];
  const target = from && has ? { ...ref, at: model.projects.indexOf(from) } : ref;
  const { side, key, project } = named(model, target);
  const own = project?.variables ?? [];
  const id = (has ? own[at % Math.max(1, own.length)]?.id : undefined) ?? "unknown";
  return { side, key, id, path: `/v9/projects/${key}/env/${id}` };
}

const editVariable = fc
  .record({
    of: ofProject,
    body: fc.record(draftMembers, { requiredKeys: [] }) as fc.Arbitrary<Partial<Draft>>,
  })
  .map(({ of, body }) => (model: Model): Step => {
    const { side, key, id, path } = variableAt(model, of);
    return { side, method: "PATCH", path, body, expected: model.editVariable(side, key, id, body) };
  });

const removeVariable = ofProject.map((of) => (model: Model): Step => {
  const { side, key, id, path } = variableAt(model, of);
  return { side, method: "DELETE", path, expected: model.removeVariable(side, key, id) };
});

/** The possible requests, and how often they come. */
export const kinds: readonly Kind[] = [
  ["create", 4, create],
  ["update", 2, update],
  ["remove", 1, remove],
  ["pause", 2, pause],
  ["startTransfer", 2, startTransfer],
  ["completeTransfer", 3, completeTransfer],
  ["addDomain", 6, addDomain],
  ["updateDomain", 2, updateDomain],
  ["removeDomain", 2, removeDomain],
  ["publish", 4, publish],
  ["verify", 4, verify],
  ["createVariables", 6, createVariables],
  ["editVariable", 5, editVariable],
  ["removeVariable", 2, removeVariable],
];
