import type { Plain } from "../../../provider/core/values";
import { accessGroup } from "../../../provider/resources/access-group";
import { developers, own } from "../fields/common";
import { existing, life, type Subject } from "../subject";

export const subject: Subject = {
  resource: accessGroup,
  handler: "accessgroup",
  prepare: async () => ({ given: { name: "Developers" } }),
  look: (w, id) => w.curl("GET", `/v1/access-groups/${id}`),
  async all(w) {
    const { accessGroups } = (await w.curl("GET", "/v1/access-groups")) as unknown as {
      accessGroups: Plain[];
    };
    return accessGroups.map(({ name }) => name);
  },
  listed: {
    query: {},
    names: ["Developers"],
    prepare: developers,
  },
  rows: [
    {
      path: "name",
      first: "Developers",
      second: "Designers",
      changed: "update",
      cleared: /^name is missing/,
      shown: (name) => ({ name }),
      drift: (w, id) => w.curl("POST", `/v1/access-groups/${id}`, { name: "Others" }),
    },
    own("adopt", true, false),
  ],
  operations: [
    ...life(
      accessGroup,
      () => ({ name: "Developers" }),
      () => ({ name: "Designers" }),
    ),
    {
      name: "AccessGroup: adopt",
      resource: accessGroup,
      prepare: existing("/v1/access-groups", { name: "Developers" }),
      step: "up",
      inputs: () => ({ name: "Developers", adopt: true }),
    },
  ],
};
