import type { Plain } from "../../../provider/core/values";
import { sharedEnvVar } from "../../../provider/resources/shared-env-var";
import { own, projects, valueFromRows } from "../fields/common";
import type { Harness } from "../stack";
import { existing, life, type Row, type Subject } from "../subject";

const patch = (body: object): Row["drift"] => {
  return (w, id) => w.curl("PATCH", "/v1/env", { updates: { [id]: body } });
};
/** Another value is seen by its time alone. */
const rewrite: Row["drift"] = async (w, id) => {
  await w.server.control.advanceClock(1000);
  await w.curl("PATCH", "/v1/env", { updates: { [id]: { value: "canary-9" } } });
};

/** A setting that the service tells under its own name. */
const setting = (path: string, first: unknown, second: unknown, cleared: unknown, drifted: unknown): Row => ({
  path,
  first,
  second,
  changed: "update",
  cleared: cleared instanceof RegExp ? cleared : "update",
  shown: (value = cleared) => ({ [path]: value }),
  drift: patch({ [path]: drifted }),
});

const variable = { key: "K", value: "canary-value", target: ["production", "preview"] };

/** The projects that a variable is linked to. */
const twoProjects = async (w: Harness): Promise<Plain> => {
  const { projects: all } = (await w.curl("GET", "/v9/projects")) as unknown as { projects: Plain[] };
  return Object.fromEntries(all.map(({ name, id }) => [String(name), id]));
};

export const subject: Subject = {
  resource: sharedEnvVar,
  handler: "shared",
  async prepare(w) {
    const given = { key: "A", value: "canary-0", target: ["preview"] };
    return { given, known: await projects(w) };
  },
  async look(w, id) {
    const there = (await w.curl("GET", `/v1/env/${id}`)) as Plain;
    return { ...there, projectId: [...(there.projectId as string[])].sort() };
  },
  async all(w) {
    const { projects } = await w.server.control.snapshot();
    const names = new Map(projects.map(({ id, name }) => [id, name]));
    const { data } = (await w.curl("GET", "/v1/env")) as unknown as { data: Plain[] };
    return Promise.all(
      data.map(async ({ id }) => {
        const { projectId, created: _, ...one } = (await w.curl("GET", `/v1/env/${id}`)) as Plain;
        return { ...one, projects: (projectId as string[]).map((project) => names.get(project)) };
      }),
    );
  },
  listed: {
    query: {},
    names: ["SHARED"],
  },
  managed: {
    inputs: (n) => ({ key: `SHARED_${n}`, value: "v", target: ["preview"], projectIds: ["prj_web"] }),
    changed: { value: "w" },
  },
  rows: [
    setting("key", "A", "B", /^key is missing/, "C"),
    setting("value", "canary-1", "canary-2", /^value is missing/, "canary-3"),
    ...valueFromRows({
      ...setting("value", "", "", /^value is missing/, "canary-3"),
      given: { value: undefined },
    }),
    {
      ...setting("type", "sensitive", "encrypted", "encrypted", ""),
      changed: "replace",
      drift: patch({ value: "canary-3" }),
    },
    {
      ...setting("type", "encrypted", "sensitive", "encrypted", ""),
      cleared: "replace",
      drift: rewrite,
    },
    setting("target", ["preview"], ["production", "preview"], /^target is missing/, ["development"]),
    {
      ...setting("target", ["preview"], ["production", "preview"], [], ["development"]),
      given: { applyToAllCustomEnvironments: true },
    },
    setting("applyToAllCustomEnvironments", true, false, false, true),
    setting("comment", "one", "two", null, "three"),
    {
      path: "projectIds",
      first: ["@web"],
      second: ["@other", "@web"],
      changed: "update",
      // Links that are no longer managed stay.
      cleared: "update",
      shown: (value) => (value === undefined ? {} : { projectId: [...(value as string[])].sort() }),
      drift: patch({ projectId: [] }),
    },
    own("adopt", true, false),
  ],
  operations: [
    ...life(
      sharedEnvVar,
      ({ web }) => ({ ...variable, projectIds: [web] }),
      ({ web, other }) => ({
        ...{ ...variable, value: "canary-value-2", comment: "changed" },
        projectIds: [web, other],
      }),
      twoProjects,
    ),
    {
      name: "SharedEnvVar: adopt",
      resource: sharedEnvVar,
      prepare: existing("/v1/env", {
        evs: [{ key: "K", value: "canary-old" }],
        type: "encrypted",
        target: variable.target,
      }),
      step: "up",
      inputs: () => ({ ...variable, value: "canary-value-2", adopt: true }),
    },
    {
      name: "SharedEnvVar: replace",
      resource: sharedEnvVar,
      before: () => ({ ...variable, type: "sensitive" }),
      step: "up",
      inputs: () => ({ ...variable, type: "encrypted" }),
    },
  ],
};
