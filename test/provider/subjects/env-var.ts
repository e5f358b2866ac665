import { envVar } from "../../../provider/resources/env-var";
import { byProfile } from "../../support/profile";
import { environments, ofProject, own, projects, valueFromRows } from "../fields/common";
import { secret } from "../plugin-host";
import { existing, life, type Row, type Subject } from "../subject";

const pathOf = (id: string): string => id.replace("/", "/env/");
const patch = (body: object): Row["drift"] => {
  return (w, id) => w.curl("PATCH", `/v9/projects/${pathOf(id)}`, body);
};
/** Another value is seen by its time alone. */
const rewrite: Row["drift"] = async (w, id) => {
  await w.server.control.advanceClock(1000);
  await w.curl("PATCH", `/v9/projects/${pathOf(id)}`, { value: "canary-9" });
};

/** A setting that the service tells under its own name. */
export const setting = (
  path: string,
  first: unknown,
  second: unknown,
  cleared: unknown,
  drifted: unknown,
): Row => ({
  path,
  first,
  second,
  changed: "update",
  cleared: cleared instanceof RegExp ? cleared : "update",
  shown: (value = cleared) => ({ [path]: value }),
  drift: patch({ [path]: drifted }),
});

const variable = { project: "web", key: "K", value: "canary-value", target: ["production", "preview"] };

export const subject: Subject = {
  resource: envVar,
  handler: "env",
  async prepare(w) {
    const known = await projects(w);
    const given = { project: known.web, key: "A", value: "canary-0", target: ["preview"] };
    return { given, known: { ...known, ...(await environments(w, known.web)) } };
  },
  look: (w, id) => w.curl("GET", `/v1/projects/${pathOf(id)}`),
  listed: {
    query: { project: secret("web") },
    names: ["A", "B", "C"],
  },
  managed: {
    inputs: (n) => ({ project: "prj_web", key: `KEY_${n}`, value: "v", target: ["preview"] }),
    changed: { value: "w" },
  },
  rows: [
    ofProject,
    setting("key", "A", "B", /^key is missing/, "C"),
    setting("value", "canary-1", "canary-2", /^value is missing/, "canary-3"),
    ...valueFromRows({
      ...setting("value", "", "", /^value is missing/, "canary-3"),
      given: { value: undefined },
    }),
    setting("type", "plain", "encrypted", "encrypted", "plain"),
    // A value that cannot be read cannot be made readable either.
    { ...setting("type", "sensitive", "plain", "encrypted", "encrypted"), changed: "replace" },
    { ...setting("type", "plain", "sensitive", "encrypted", ""), cleared: "replace", drift: rewrite },
    setting("target", ["preview"], ["production", "preview"], /^target is missing/, ["development"]),
    {
      ...setting("target", ["preview"], ["production", "preview"], [], ["development"]),
      given: { customEnvironmentIds: ["@first"] },
    },
    setting("gitBranch", "one", "two", null, "three"),
    setting("comment", "one", "two", "", "three"),
    setting("customEnvironmentIds", ["@first"], ["@second", "@first"], byProfile(null, []), []),
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
  operations: [
    ...life(
      envVar,
      (environment) => ({ ...variable, customEnvironmentIds: [environment.id] }),
      () => ({ ...variable, value: "canary-value-2", comment: "changed" }),
      existing("/v9/projects/web/custom-environments", { slug: "staging" }),
    ),
    {
      name: "EnvVar: adopt",
      resource: envVar,
      prepare: existing("/v10/projects/web/env", { ...variable, project: undefined, type: "plain" }),
      step: "up",
      inputs: () => ({ ...variable, value: "canary-value-2", adopt: true }),
    },
    {
      name: "EnvVar: replace",
      resource: envVar,
      before: () => ({ ...variable, type: "sensitive" }),
      step: "up",
      inputs: () => ({ ...variable, type: "plain" }),
    },
  ],
};
