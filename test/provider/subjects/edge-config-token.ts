import type { Plain } from "../../../provider/core/values";
import { edgeConfigToken } from "../../../provider/resources/edge-config-token";
import { edgeConfigs, ofEdgeConfig } from "../fields/common";
import { existing, life, type Subject } from "../subject";

export const subject: Subject = {
  resource: edgeConfigToken,
  handler: "edgetoken",
  async prepare(w) {
    const known = await edgeConfigs(w);
    return { given: { edgeConfigId: known.flags, label: "web" }, known };
  },
  async look(w, id) {
    const [config, token] = id.split("/");
    const all = (await w.curl("GET", `/v1/edge-config/${config}/tokens`)) as unknown as Plain[];
    const found = all.find((one) => one.id === token);
    if (!found) throw new Error(`404: no token ${id}`);
    return found;
  },
  listed: {
    query: { edgeConfigId: "ecfg_1" },
    names: ["of the site"],
    prepare: existing("/v1/edge-config/ecfg_1/token", { label: "of the site" }),
  },
  managed: {
    inputs: (n) => ({ edgeConfigId: "ecfg_1", label: `token-${n}` }),
    changed: {},
  },
  rows: [
    ofEdgeConfig,
    {
      path: "label",
      first: "web",
      second: "docs",
      changed: "replace",
      cleared: /^label is missing/,
      shown: (label) => ({ label }),
      drift: "no request of the API gives a token another label",
    },
  ],
  operations: life(
    edgeConfigToken,
    ({ flags }) => ({ edgeConfigId: flags, label: "web" }),
    ({ flags }) => ({ edgeConfigId: flags, label: "docs" }),
    edgeConfigs,
  ).map((operation) => ({ ...operation, nameless: true as const })),
};
