import type { Plain } from "../../../provider/core/values";
import { envVars } from "../../../provider/resources/env-vars";
import { envTargets } from "../../../provider/vocabulary";
import { byProfile } from "../../support/profile";
import { environments, ofProject, own, projects, valueFromRows } from "../fields/common";
import type { Harness } from "../stack";
import { existing, life, type Row, type Subject } from "../subject";
import { setting } from "./env-var";

/** The variable K, out of all. */
async function oneOf(w: Harness, id: string): Promise<Plain> {
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

const variables = {
  project: "web",
  variables: { A: "canary-a", B: { value: "canary-b", target: ["preview"], gitBranch: "next" } },
};
const others = {
  project: "web",
  variables: { A: "canary-a2", C: { value: "canary-c", type: "sensitive" } },
};

export const subject: Subject = {
  resource: envVars,
  handler: "envs",
  async prepare(w) {
    const known = await projects(w);
    const variables = { K: { value: "canary-0", target: ["preview"] }, L: "canary-1" };
    return {
      given: { project: known.web, variables },
      known: { ...known, ...(await environments(w, known.web)) },
    };
  },
  look: oneOf,
  managed: {
    inputs: (n) => ({ project: "prj_web", variables: { [`MANY_${n}`]: "v" } }),
    changed: { target: ["preview"] },
  },
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
    ...valueFromRows(
      {
        ...ofOne("value", "", "", /has no value/, "canary-3"),
        given: { variables: { K: { target: ["preview"] }, L: "canary-1" } },
      },
      "variables.*.",
    ),
    ofOne("type", "plain", "encrypted", "encrypted", "plain"),
    { ...ofOne("type", "sensitive", "plain", "encrypted", "encrypted") },
    ofOne("target", ["preview"], ["production"], usual, ["development"]),
    ofOne("gitBranch", "one", "two", null, "three"),
    ofOne("comment", "one", "two", "", "three"),
    ofOne("customEnvironmentIds", ["@first"], ["@second", "@first"], byProfile(null, []), []),
    {
      // Without a target of its own it is for them alone; without them, for the environments of all.
      ...ofOne("customEnvironmentIds", ["@first"], ["@second", "@first"], byProfile(null, []), []),
      given: { variables: { K: { value: "canary-0" }, L: "canary-1" } },
      shown: (value) =>
        value === undefined
          ? { customEnvironmentIds: byProfile(null, []), target: usual }
          : { customEnvironmentIds: value, target: [] },
      drift: patchOne({ target: ["preview"] }),
    },
    ofAll("target", ["preview"], ["production"], usual, ["development"]),
    ofAll("type", "plain", "encrypted", "encrypted", "plain"),
    own("adopt", true, false),
  ],
  operations: [
    ...life(
      envVars,
      () => variables,
      () => others,
    ),
    {
      name: "EnvVars: adopt",
      resource: envVars,
      prepare: existing("/v10/projects/web/env", {
        key: "A",
        value: "canary-old",
        type: "plain",
        target: ["production"],
      }),
      step: "up",
      inputs: () => ({ ...variables, target: ["production"], adopt: true }),
    },
  ],
};
