import type { Plain } from "../../../provider/core/values";
import { deploymentProtectionException } from "../../../provider/resources/deployment-protection-exception";
import { container, own, projects } from "../fields/common";
import type { Harness } from "../stack";
import { life, type Subject } from "../subject";

const declared = { project: "web", alias: "docs-web.vercel.app" };

/** Two aliases of the project. */
async function aliases({ server: { control } }: Harness): Promise<Plain> {
  await control.seed({
    deployments: [{ id: "dpl_docs", team: "acme", project: "web", createdAt: 1 }],
    aliases: ["docs", "next"].map((name) => ({
      ...{ team: "acme", alias: `${name}-web.vercel.app`, deployment: "dpl_docs" },
    })),
  });
  return {};
}

const override = (w: Harness, alias: string, action = "create") =>
  w.curl("PATCH", `/v3/aliases/${alias}/protection-bypass`, {
    override: { scope: "alias-protection-override", action },
  });

export const subject: Subject = {
  resource: deploymentProtectionException,
  handler: "exception",
  async prepare(w) {
    const known = await projects(w);
    await aliases(w);
    return { given: { ...declared, project: known.web }, known };
  },
  async look(w, id) {
    const { alias, protectionBypass } = await w.curl("GET", `/v4/aliases/${id.split("/")[1]}`);
    const exception = (protectionBypass as Record<string, Plain> | undefined)?.["*"];
    if (!exception) throw new Error(`404: no exception ${id}`);
    return { ...exception, alias };
  },
  async all({ server }) {
    const { protectionExceptions } = await server.control.snapshot();
    return protectionExceptions.map(({ alias, scope }) => ({ alias, scope }));
  },
  listed: {
    query: { project: "web" },
    names: ["listed-exception.vercel.app"],
    async prepare(w) {
      const url = "listed-exception.vercel.app";
      await w.server.control.deploy({ team: "acme", project: "web", id: "dpl_exception", url });
      await override(w, url);
    },
  },
  managed: {
    inputs: (n) => ({ project: "prj_web", alias: `managed-url-${n}.vercel.app` }),
    changed: { adopt: true },
  },
  rows: [
    {
      ...container("project", "@web", "@other", () => ({})),
      changed: /points to a deployment of the project prj_/,
    },
    {
      path: "alias",
      first: declared.alias,
      second: "next-web.vercel.app",
      changed: "replace",
      cleared: /^alias is missing/,
      shown: (alias) => ({ alias }),
      drift: "no request of the API moves an exception",
    },
    own("adopt", true, false),
  ],
  operations: [
    ...life(
      deploymentProtectionException,
      () => declared,
      () => ({ ...declared, adopt: true }),
      aliases,
    ),
    {
      name: "DeploymentProtectionException: replace",
      resource: deploymentProtectionException,
      prepare: aliases,
      before: () => declared,
      step: "up",
      inputs: () => ({ ...declared, alias: "next-web.vercel.app" }),
    },
    {
      name: "DeploymentProtectionException: adopt",
      resource: deploymentProtectionException,
      async prepare(w) {
        await aliases(w);
        await override(w, declared.alias);
        return {};
      },
      step: "up",
      inputs: () => ({ ...declared, adopt: true }),
    },
  ],
};
