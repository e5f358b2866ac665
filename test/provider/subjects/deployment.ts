import { join } from "node:path";
import type { Plain } from "../../../provider/core/values";
import { deployment } from "../../../provider/resources/deployment";
import { root } from "../../support/server";
import { environments, ofProject, own, projects } from "../fields/common";
import type { Harness } from "../stack";
import { life, type Row, type Subject } from "../subject";

/** A change makes another deployment. */
const made = (row: Pick<Row, "path" | "first" | "second"> & Partial<Row>): Row => ({
  changed: "replace",
  cleared: "replace",
  shown: () => ({}),
  drift: "no request of the API edits a deployment",
  ...row,
});

const settings = (name: string, first: unknown, second: unknown): Row =>
  own(`projectSettings.${name}`, first, second);

async function builtOnce(w: Harness): Promise<void> {
  const built = { team: "acme", target: "production", readyState: "READY" } as const;
  await w.server.control.deploy(
    { ...built, project: "web", id: "dpl_1", createdAt: 1 },
    { ...built, project: "web", id: "dpl_2", createdAt: 2 },
  );
}

export const subject: Subject = {
  resource: deployment,
  handler: "deploy",
  async prepare(w) {
    const known = await projects(w);
    const repository = { type: "github", repo: "acme/web" };
    const linked = (await w.curl("POST", "/v10/projects", {
      name: "linked",
      gitRepository: repository,
    })) as Plain;
    await builtOnce(w);
    return {
      given: { project: "web", redeploy: "dpl_1" },
      known: {
        ...known,
        linked: linked.id,
        ...(await environments(w, known.web)),
        site: join(root, "examples/static-site/site"),
        app: join(root, "examples/rotation/app"),
        output: join(root, "test/support/build-output/one"),
        otherOutput: join(root, "test/support/build-output/two"),
      },
    };
  },
  async look(w, id) {
    const { meta, customEnvironment, ...deployment } = (await w.curl(
      "GET",
      `/v13/deployments/${id}`,
    )) as Plain;
    const { id: customEnvironmentId } = (customEnvironment ?? {}) as { id?: string };
    return { ...deployment, ...(meta as Plain), customEnvironmentId };
  },
  listed: {
    query: { project: "web", target: "production" },
    names: [expect.stringMatching(/\./)],
  },
  managed: {
    inputs: () => ({
      project: "prj_web",
      directory: join(root, "examples/static-site/site"),
      onDestroy: "delete",
      waitUntilReady: false,
    }),
    changed: { timeoutMs: 1 },
  },
  rows: [
    { ...ofProject, changed: /belongs to web, not to the project other/ },
    made({
      path: "ref",
      given: { project: "linked", redeploy: undefined },
      first: "main",
      second: "next",
      cleared: /^Give exactly one source/,
      shown: (githubCommitRef) => ({ githubCommitRef }),
    }),
    made({ path: "redeploy", first: "dpl_1", second: "dpl_2", cleared: /^Give exactly one source/ }),
    made({
      path: "directory",
      given: { redeploy: undefined },
      first: "@site",
      second: "@app",
      cleared: /^Give exactly one source/,
    }),
    made({
      path: "files",
      given: { redeploy: undefined, directory: "@site" },
      first: ["index.html"],
      second: ["index.html", "style.css"],
    }),
    made({
      path: "prebuilt",
      given: { redeploy: undefined },
      first: "@output",
      second: "@otherOutput",
      cleared: /^Give exactly one source/,
    }),
    made({
      path: "customEnvironmentId",
      first: "@first",
      second: "@second",
      shown: (customEnvironmentId) => ({ customEnvironmentId }),
    }),
    made({
      path: "target",
      first: "preview",
      second: "production",
      shown: (target) => ({ target: target === "production" ? target : null }),
    }),
    made({ path: "triggers", first: ["1", 2, { three: [true] }], second: ["1", 2, { three: [false] }] }),
    own("environment", { ONE: "canary-one" }, { ONE: "canary-two" }),
    own("environment.*", "canary-one", "canary-two"),
    own("projectSettings", { buildCommand: "make" }, { buildCommand: null }),
    settings("framework", "nextjs", null),
    settings("buildCommand", "make", "make all"),
    settings("commandForIgnoringBuildStep", "false", "exit 1"),
    settings("installCommand", "make deps", null),
    settings("outputDirectory", "out", "dist"),
    settings("rootDirectory", "web", "docs"),
    settings("nodeVersion", "22.x", "24.x"),
    own("meta", { one: "1" }, { two: "2" }),
    own("meta.*", "one", "two"),
    own("waitUntilReady", false, true),
    own("timeoutMs", 60_000, 120_000),
    own("onDestroy", "delete", "keep"),
  ],
  operations: [
    ...life(
      deployment,
      () => ({ project: "web", redeploy: "dpl_1", environment: { KEY: "canary" } }),
      () => ({ project: "web", redeploy: "dpl_1", environment: { KEY: "canary" }, triggers: [2] }),
    ),
    {
      name: "Deployment: upload",
      resource: deployment,
      step: "up" as const,
      inputs: () => ({ project: "web", directory: join(root, "examples/static-site/site") }),
    },
  ].map((operation) => ({ ...operation, nameless: true as const })),
};
