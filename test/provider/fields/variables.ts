import type { Plain } from "../../../provider/core/values";
import { envVar } from "../../../provider/resources/env-var";
import { envVars } from "../../../provider/resources/env-vars";
import { envTargets } from "../../../provider/vocabulary";
import type { World } from "../stack";
import { environments, ofProject, own, projects } from "./common";
import type { Row, Subject } from "./row";

const pathOf = (id: string): string => id.replace("/", "/env/");
const patch = (body: object): Row["drift"] => {
  return (w, id) => w.curl("PATCH", `/v9/projects/${pathOf(id)}`, body);
};
/** Another value is seen by its time alone. */
const rewrite: Row["drift"] = async (w, id) => {
  await w.server.control.advanceClock(1000);
  await w.curl("PATCH", `/v9/projects/${pathOf(id)}`, { value: "canary-9" });
};

const setting = (path: string, first: unknown, second: unknown, cleared: unknown, drifted: unknown): Row => ({
  path,
  first,
  second,
  changed: "update",
  cleared: cleared instanceof RegExp ? cleared : "update",
  shown: (value = cleared) => ({ [path]: value }),
  drift: patch({ [path]: drifted }),
});

export const variableFields: Subject = {
  resource: envVar,
  async prepare(w) {
    const known = await projects(w);
    const given = { project: known.web, key: "A", value: "canary-0", target: ["preview"] };
    return { given, known: { ...known, ...(await environments(w, known.web)) } };
  },
  look: (w, id) => w.curl("GET", `/v1/projects/${pathOf(id)}`),
  rows: [
    ofProject,
    setting("key", "A", "B", /^key is missing/, "C"),
    setting("value", "canary-1", "canary-2", /^value is missing/, "canary-3"),
    setting("type", "plain", "encrypted", "encrypted", "plain"),
    // What cannot be read cannot be made readable either.
    { ...setting("type", "sensitive", "plain", "encrypted", "encrypted"), changed: "replace" },
    { ...setting("type", "plain", "sensitive", "encrypted", ""), cleared: "replace", drift: rewrite },
    setting("target", ["preview"], ["production", "preview"], /^target is missing/, ["development"]),
    {
      ...setting("target", ["preview"], ["production", "preview"], [], ["development"]),
      given: { customEnvironmentIds: ["@first"] },
    },
    setting("gitBranch", "one", "two", null, "three"),
    setting("comment", "one", "two", "", "three"),
    setting("customEnvironmentIds", ["@first"], ["@second", "@first"], null, []),
    {
      ...setting("customEnvironmentIds", ["@first"], ["@second", "@first"], /^target is missing/, [
        "@second",
      ]),
      given: { target: undefined },
      drift: async (w, id) => {
        const { customEnvironmentIds } = await w.curl("GET", `/v1/projects/${pathOf(id)}`);
        const [one] = customEnvironmentIds as unknown as string[];
        await w.curl("PATCH", `/v9/projects/${pathOf(id)}`, { customEnvironmentIds: [one] });
      },
    },
    own("adopt", true, false),
  ],
};

/** The variable K, out of all. */
async function oneOf(w: World, id: string): Promise<Plain> {
  const { envs } = (await w.curl("GET", `/v9/projects/${id}/env`)) as unknown as { envs: Plain[] };
  const found = envs.find(({ key }) => key === "K");
  return found ? w.curl("GET", `/v1/projects/${id}/env/${found.id}`) : { key: null };
}
const patchOne = (body: object): Row["drift"] => {
  return async (w, id) => w.curl("PATCH", `/v9/projects/${id}/env/${(await oneOf(w, id)).id}`, body);
};
/** A setting of one of the variables. */
const ofOne = (...[path, ...values]: Parameters<typeof setting>): Row => ({
  ...setting(path, ...values),
  path: `variables.*.${path}`,
  drift: patchOne({ [path]: values[3] }),
});
/** A setting of all that do not say. */
const ofAll = (...[path, ...values]: Parameters<typeof setting>): Row => ({
  ...setting(path, ...values),
  given: { variables: { K: "canary-0", L: "canary-1" } },
  drift: patchOne({ [path]: values[3] }),
});
const usual = [...envTargets];

export const variablesFields: Subject = {
  resource: envVars,
  async prepare(w) {
    const known = await projects(w);
    const variables = { K: { value: "canary-0", target: ["preview"] }, L: "canary-1" };
    return {
      given: { project: known.web, variables },
      known: { ...known, ...(await environments(w, known.web)) },
    };
  },
  look: oneOf,
  rows: [
    ofProject,
    {
      path: "variables",
      first: { K: "canary-1", L: "canary-2" },
      second: { K: { value: "canary-3" }, M: "canary-4" },
      changed: "update",
      cleared: /^variables is missing/,
      shown: (value) => ({
        value: value && (JSON.stringify(value).includes("canary-1") ? "canary-1" : "canary-3"),
      }),
      drift: patchOne({ value: "canary-9" }),
    },
    {
      path: "variables.*",
      first: "canary-1",
      second: { value: "canary-2", target: ["production"], comment: "why" },
      changed: "update",
      cleared: "update",
      shown: (value) =>
        typeof value === "string" ? { value, target: usual } : ((value as Plain) ?? { key: null }),
      drift: patchOne({ target: ["preview"] }),
    },
    ofOne("value", "canary-1", "canary-2", /has no value/, "canary-3"),
    ofOne("type", "plain", "encrypted", "encrypted", "plain"),
    { ...ofOne("type", "sensitive", "plain", "encrypted", "encrypted") },
    ofOne("target", ["preview"], ["production"], usual, ["development"]),
    ofOne("gitBranch", "one", "two", null, "three"),
    ofOne("comment", "one", "two", "", "three"),
    ofOne("customEnvironmentIds", ["@first"], ["@second", "@first"], null, []),
    {
      // Without a target of its own it is for them alone; without them, for the environments of all.
      ...ofOne("customEnvironmentIds", ["@first"], ["@second", "@first"], null, []),
      given: { variables: { K: { value: "canary-0" }, L: "canary-1" } },
      shown: (value) =>
        value === undefined
          ? { customEnvironmentIds: null, target: usual }
          : { customEnvironmentIds: value, target: [] },
      drift: patchOne({ target: ["preview"] }),
    },
    ofAll("target", ["preview"], ["production"], usual, ["development"]),
    ofAll("type", "plain", "encrypted", "encrypted", "plain"),
    own("adopt", true, false),
  ],
};
