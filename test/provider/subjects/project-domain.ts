import type { Plain } from "../../../provider/core/values";
import { projectDomain } from "../../../provider/resources/project-domain";
import { takenApexes } from "../../support/domains";
import { environments, ofProject, own, projects } from "../fields/common";
import type { Harness } from "../stack";
import { existing, life, type Row, type Subject } from "../subject";

const name = "www.example.com";
const pathOf = (id: string): string => `/v9/projects/${id.replace("/", "/domains/")}`;
const patch = (body: object): Row["drift"] => {
  return (w, id) => w.curl("PATCH", pathOf(id), body);
};

/** Publishes what proves the domain, which is on the project already. */
export async function published(w: Harness): Promise<Plain> {
  await w.server.control.seed(takenApexes("example.com"));
  const path = "/v10/projects/web/domains";
  const { verification } = (await w.curl("POST", path, { name: "example.com" })) as unknown as {
    verification: { domain: string; value: string }[];
  };
  for (const challenge of verification) await w.server.control.setTxt(challenge.domain, challenge.value);
  return {};
}
export const proved = { project: "web", name: "example.com" };
const domain = { project: "web", name, gitBranch: "next" };

export const subject: Subject = {
  resource: projectDomain,
  handler: "domain",
  async prepare(w) {
    const known = await projects(w);
    await w.server.control.seed(takenApexes("example.com"));
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
  listed: {
    query: { project: "web" },
    names: ["example.com", "www.example.com"],
  },
  managed: {
    inputs: (n) => ({ project: "prj_web", name: `www-${n}.example.com` }),
    changed: { redirect: "verified.example.com" },
  },
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
  operations: [
    ...life(
      projectDomain,
      () => domain,
      () => ({ ...domain, gitBranch: "later" }),
    ),
    {
      name: "ProjectDomain: adopt",
      resource: projectDomain,
      prepare: existing("/v10/projects/web/domains", { name }),
      step: "up",
      inputs: () => ({ ...domain, adopt: true }),
    },
    {
      name: "ProjectDomain: move",
      resource: projectDomain,
      before: () => domain,
      step: "up",
      inputs: () => ({ ...domain, project: "other" }),
    },
    {
      name: "ProjectDomain: create and wait",
      resource: projectDomain,
      // The record of the apex proves what is below it.
      prepare: published,
      step: "up",
      inputs: () => ({ ...proved, adopt: true, waitForVerification: true }),
    },
  ],
};
