import type { Plain } from "../../../provider/core/values";
import { featureFlagSdkKey } from "../../../provider/resources/feature-flag-sdk-key";
import { ofProject, projects } from "../fields/common";
import { life, type Row, type Subject } from "../subject";

const key = { project: "web", environment: "production", type: "server", label: "backend" };

const row = (path: string, first: string, second: string, cleared: Row["cleared"]): Row => ({
  path,
  first,
  second,
  changed: "replace",
  cleared,
  shown: (value) => ({ [path]: value }),
  drift: "no request of the API changes a key",
});

export const subject: Subject = {
  resource: featureFlagSdkKey,
  handler: "flagkey",
  async prepare(w) {
    const known = await projects(w);
    return { given: { ...key, project: known.web }, known };
  },
  async look(w, id) {
    const [project, hash] = id.split("/");
    const { data } = (await w.curl("GET", `/v1/projects/${project}/feature-flags/sdk-keys`)) as unknown as {
      data: Plain[];
    };
    const found = data.find(({ hashKey }) => hashKey === hash);
    if (!found) throw new Error(`404: no SDK key ${id}`);
    return found;
  },
  async all({ server }) {
    const { featureFlagSdkKeys } = await server.control.snapshot();
    return featureFlagSdkKeys.map(({ type, environment, label }) => ({ type, environment, label }));
  },
  listed: {
    query: { project: "web" },
    names: ["mobile preview"],
    prepare: (w) =>
      w.curl("PUT", "/v1/projects/web/feature-flags/sdk-keys", {
        sdkKeyType: "mobile",
        environment: "preview",
      }),
  },
  managed: {
    inputs: (n) => ({ ...key, project: "prj_web", label: `key-${n}` }),
    changed: {},
  },
  rows: [
    { ...ofProject, shown: () => ({}) },
    row("environment", "production", "preview", /^environment is missing/),
    row("type", "server", "client", /^type is missing/),
    row("label", "backend", "worker", "replace"),
  ],
  operations: life(
    featureFlagSdkKey,
    () => key,
    () => ({ ...key, label: "worker" }),
  ).map((operation) => ({ ...operation, nameless: true as const })),
};
