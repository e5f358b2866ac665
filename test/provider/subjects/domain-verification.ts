import { domainVerification } from "../../../provider/resources/domain-verification";
import { ofProject, own } from "../fields/common";
import { life, type Subject } from "../subject";
import { subject as domain, proved, published } from "./project-domain";

export const subject: Subject = {
  resource: domainVerification,
  handler: "verify",
  async prepare(w) {
    const prepared = await domain.prepare(w);
    for (const one of ["www.example.com", "web.example.com"]) {
      await w.curl("POST", `/v10/projects/${prepared.known?.web}/domains`, { name: one });
    }
    return prepared;
  },
  look: (w, id) => w.curl("GET", `/v9/projects/${id.replace("/", "/domains/")}`),
  listed: {
    query: { project: "web" },
    names: ["example.com", "www.example.com"],
  },
  managed: {
    inputs: () => ({ project: "prj_web", name: "verified.example.com" }),
    changed: { timeoutMs: 1 },
  },
  rows: [
    // A domain is on one project at a time: this one is not on the other.
    { ...ofProject, changed: /404 not_found/ },
    {
      path: "name",
      first: "www.example.com",
      second: "web.example.com",
      changed: "replace",
      cleared: /^name is missing/,
      shown: (value) => ({ name: value, verified: true }),
      drift: "no request of the API renames a domain",
    },
    own("timeoutMs", 1000, 2000),
    own("waitForDns", true, false),
  ],
  operations: [
    ...life(
      domainVerification,
      () => proved,
      () => ({ ...proved, timeoutMs: 5_000, waitForDns: true }),
      published,
    ),
  ],
};
