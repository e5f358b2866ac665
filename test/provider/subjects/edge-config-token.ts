import type { Plain } from "../../../provider/core/values";
import { edgeConfigToken } from "../../../provider/resources/edge-config-token";
import type { Harness } from "../stack";
import { life, type Subject } from "../subject";

/** Two Edge Configs. @returns their ids */
async function configs(w: Harness): Promise<{ flags: string; others: string }> {
  const make = async (slug: string) =>
    String(((await w.curl("POST", "/v1/edge-config", { slug })) as Plain).id);
  return { flags: await make("flags"), others: await make("others") };
}

export const subject: Subject = {
  resource: edgeConfigToken,
  handler: "edgetoken",
  async prepare(w) {
    const known = await configs(w);
    return { given: { edgeConfigId: known.flags, label: "web" }, known };
  },
  async look(w, id) {
    const [config, token] = id.split("/");
    const all = (await w.curl("GET", `/v1/edge-config/${config}/tokens`)) as unknown as Plain[];
    const found = all.find((one) => one.id === token);
    if (!found) throw new Error(`404: no token ${id}`);
    return found;
  },
  rows: [
    {
      path: "edgeConfigId",
      first: "@flags",
      second: "@others",
      changed: "replace",
      cleared: /^edgeConfigId is missing/,
      shown: (edgeConfigId) => ({ edgeConfigId }),
      drift: "no request of the API moves a token",
    },
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
    configs,
  ).map((operation) => ({ ...operation, nameless: true as const })),
};
