import type { Plain } from "../../../provider/core/values";
import { customEnvironment } from "../../../provider/resources/custom-environment";
import { ofProject, own, projects } from "../fields/common";
import { existing, life, type Row, type Subject } from "../subject";

const pathOf = (id: string): string => `/v9/projects/${id.replace("/", "/custom-environments/")}`;
const patch = (body: object): Row["drift"] => {
  return (w, id) => w.curl("PATCH", pathOf(id), body);
};
const matcher = { type: "startsWith", pattern: "release/" };

const staging = { project: "web", slug: "staging", description: "before production" };

export const subject: Subject = {
  resource: customEnvironment,
  handler: "environment",
  async prepare(w) {
    const known = await projects(w);
    return { given: { project: known.web, slug: "staging" }, known };
  },
  async look(w, id) {
    return { ...(await w.curl("GET", pathOf(id))), projectId: id.split("/")[0] } as Plain;
  },
  async all(w) {
    const { projects } = await w.server.control.snapshot();
    return Promise.all(
      projects.map(async ({ id, name }) => {
        const { environments } = await w.curl("GET", `/v9/projects/${id}/custom-environments`);
        return { project: name, environments };
      }),
    );
  },
  listed: {
    query: { project: "web" },
    names: ["staging"],
    prepare: existing("/v9/projects/web/custom-environments", { slug: "staging" }),
  },
  managed: {
    inputs: (n) => ({ project: "prj_web", slug: `stage-${n}` }),
    changed: { description: "changed" },
  },
  rows: [
    { ...ofProject, shown: (projectId) => ({ projectId }) },
    {
      path: "slug",
      first: "staging",
      second: "qa",
      changed: "update",
      cleared: /^slug is missing/,
      shown: (slug) => ({ slug }),
      drift: patch({ slug: "elsewhere" }),
    },
    {
      path: "description",
      first: "before production",
      second: "for testers",
      changed: "update",
      cleared: "update",
      shown: (description = null) => ({ description }),
      drift: patch({ description: null }),
    },
    {
      path: "branchMatcher",
      first: matcher,
      second: { type: "equals", pattern: "qa" },
      changed: "update",
      cleared: "update",
      shown: (branchMatcher = null) => ({ branchMatcher }),
      drift: patch({ branchMatcher: null }),
    },
    {
      path: "branchMatcher.type",
      given: { branchMatcher: matcher },
      first: "startsWith",
      second: "endsWith",
      changed: "update",
      cleared: /^branchMatcher\.type is missing/,
      shown: (type) => ({ branchMatcher: { ...matcher, type } }),
      drift: patch({ branchMatcher: { ...matcher, type: "equals" } }),
    },
    {
      path: "branchMatcher.pattern",
      given: { branchMatcher: matcher },
      first: "release/",
      second: "next/",
      changed: "update",
      cleared: /^branchMatcher\.pattern is missing/,
      shown: (pattern) => ({ branchMatcher: { ...matcher, pattern } }),
      drift: patch({ branchMatcher: { ...matcher, pattern: "x" } }),
    },
    own("copyEnvVarsFrom", "production", "preview"),
  ],
  operations: [
    ...life(
      customEnvironment,
      () => ({ ...staging, branchMatcher: matcher, copyEnvVarsFrom: "production" }),
      () => ({ ...staging, slug: "qa", description: "for testers" }),
    ),
  ],
};
