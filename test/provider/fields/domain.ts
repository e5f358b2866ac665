import { domainVerification } from "../../../provider/resources/domain-verification";
import { projectDomain } from "../../../provider/resources/project-domain";
import { environments, ofProject, own, projects } from "./common";
import type { Row, Subject } from "./row";

const name = "www.example.com";
const pathOf = (id: string): string => `/v9/projects/${id.replace("/", "/domains/")}`;
const patch = (body: object): Row["drift"] => {
  return (w, id) => w.curl("PATCH", pathOf(id), body);
};

export const domainFields: Subject = {
  resource: projectDomain,
  async prepare(w) {
    const known = await projects(w);
    // Proved once, an apex verifies what is below it.
    for (const name of ["example.com", "b.com", "c.com"]) {
      await w.curl("POST", `/v10/projects/${known.web}/domains`, { name });
    }
    const { verification } = await w.curl("GET", `/v9/projects/${known.web}/domains/example.com`);
    const [{ domain, value }] = verification as unknown as [{ domain: string; value: string }];
    await w.server.control.setTxt(domain, value);
    await w.curl("POST", `/v9/projects/${known.web}/domains/example.com/verify`);
    return {
      given: { project: known.web, name },
      known: { ...known, ...(await environments(w, known.web)) },
    };
  },
  look: (w, id) => w.curl("GET", pathOf(id)),
  rows: [
    { ...ofProject, shown: (projectId) => ({ projectId }) },
    {
      path: "name",
      first: name,
      second: "web.example.com",
      changed: "replace",
      cleared: /^name is missing/,
      shown: (value) => ({ name: value }),
      drift: "no request of the API renames it",
    },
    {
      path: "gitBranch",
      first: "one",
      second: "two",
      changed: "update",
      cleared: "update",
      shown: (gitBranch = null) => ({ gitBranch }),
      drift: patch({ gitBranch: null, redirect: "b.com" }),
    },
    {
      path: "redirect",
      first: "b.com",
      second: "c.com",
      changed: "update",
      cleared: "update",
      shown: (redirect = null) => ({ redirect }),
      drift: patch({ redirect: null, gitBranch: "three" }),
    },
    {
      path: "redirectStatusCode",
      given: { redirect: "b.com" },
      first: 307,
      second: 308,
      changed: "update",
      cleared: "update",
      shown: (redirectStatusCode = null) => ({ redirectStatusCode }),
      drift: patch({ redirectStatusCode: 301 }),
    },
    {
      path: "customEnvironmentId",
      first: "@first",
      second: "@second",
      changed: "replace",
      cleared: "replace",
      shown: (customEnvironmentId = null) => ({ customEnvironmentId }),
      drift: "no request of the API changes it",
    },
    own("waitForVerification", true, false),
    own("timeoutMs", 1000, 2000),
    own("adopt", true, false),
  ],
};

export const verificationFields: Subject = {
  resource: domainVerification,
  async prepare(w) {
    const prepared = await domainFields.prepare(w);
    for (const one of [name, "web.example.com"]) {
      await w.curl("POST", `/v10/projects/${prepared.known?.web}/domains`, { name: one });
    }
    return prepared;
  },
  look: (w, id) => w.curl("GET", pathOf(id)),
  rows: [
    // A domain is on one project at a time: this one is not on the other.
    { ...ofProject, changed: /404 not_found/ },
    {
      path: "name",
      first: name,
      second: "web.example.com",
      changed: "replace",
      cleared: /^name is missing/,
      shown: (value) => ({ name: value, verified: true }),
      drift: "no request of the API renames a domain",
    },
    own("timeoutMs", 1000, 2000),
  ],
};
