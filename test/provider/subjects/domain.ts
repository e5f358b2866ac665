import { domain } from "../../../provider/resources/domain";
import { own } from "../fields/common";
import type { Harness } from "../stack";
import { existing, life, type Subject } from "../subject";

const name = "example.com";

/** The domains that were added to the account, as the server stores them. */
const added = async ({ server }: Harness) => (await server.control.snapshot()).accountDomains;

export const subject: Subject = {
  resource: domain,
  handler: "accountdomain",
  prepare: async () => ({ given: { name } }),
  async look(w, id) {
    const stored = (await added(w)).find((one) => one.name === id);
    const { domain } = (await w.curl("GET", `/v5/domains/${id}`)) as { domain?: object };
    return { ...domain, zone: stored?.zone ?? false };
  },
  async all(w) {
    return (await added(w)).map(({ name, zone, echMode }) => ({ name, zone, echMode }));
  },
  listed: {
    query: {},
    names: ["example.com", "listed.org"],
    prepare: existing("/v7/domains", { name: "listed.org" }),
  },
  managed: {
    inputs: (n) => ({ name: `managed-${n}.org` }),
    changed: { echMode: "disabled" },
  },
  rows: [
    {
      path: "name",
      first: name,
      second: "example.net",
      changed: "replace",
      cleared: /^name is missing/,
      shown: (name) => ({ name }),
      drift: "no request of the API renames a domain",
    },
    {
      path: "zone",
      first: true,
      second: false,
      changed: "update",
      cleared: "update",
      shown: (zone = false) => ({ zone }),
      drift: "the service does not return it",
    },
    {
      path: "echMode",
      first: "disabled",
      second: "auto",
      changed: "update",
      cleared: "update",
      shown: (echMode = "auto") => ({ echMode }),
      drift: (w, id) => w.curl("PATCH", `/v3/domains/${id}`, { op: "update", echMode: "disabled" }),
    },
    own("adopt", true, false),
  ],
  operations: [
    ...life(
      domain,
      () => ({ name, zone: true }),
      () => ({ name, zone: false, echMode: "disabled" }),
    ),
    {
      name: "Domain: create with settings",
      resource: domain,
      step: "up",
      inputs: () => ({ name, zone: true, echMode: "disabled" }),
    },
    {
      name: "Domain: adopt",
      resource: domain,
      prepare: existing("/v7/domains", { name }),
      step: "up",
      inputs: () => ({ name, zone: true, echMode: "disabled", adopt: true }),
    },
  ],
};
