import { alias } from "../../../provider/resources/alias";
import { own, projects } from "../fields/common";
import type { Harness } from "../stack";
import { life, type Subject } from "../subject";

const declared = { alias: "next-web.vercel.app", deploymentId: "dpl_1" };

async function builtTwice(w: Harness): Promise<void> {
  const built = { team: "acme", project: "web", readyState: "READY" } as const;
  await w.server.control.deploy({ ...built, id: "dpl_1" }, { ...built, id: "dpl_2" });
}

const assign = (w: Harness, deployment: string, body: object) =>
  w.curl("POST", `/v2/deployments/${deployment}/aliases`, body);

export const subject: Subject = {
  resource: alias,
  handler: "alias",
  async prepare(w) {
    const known = await projects(w);
    await builtTwice(w);
    return { given: declared, known };
  },
  look: (w, id) => w.curl("GET", `/v4/aliases/${id}`),
  async all(w) {
    const { aliases } = await w.server.control.snapshot();
    return aliases.map(({ alias, deploymentId, redirect }) => ({ alias, to: deploymentId, redirect }));
  },
  listed: {
    query: {},
    names: ["listed-web.vercel.app"],
    async prepare(w) {
      await w.server.control.deploy({ team: "acme", project: "web", id: "dpl_listed", readyState: "READY" });
      await assign(w, "dpl_listed", { alias: "listed-web.vercel.app" });
    },
  },
  managed: {
    inputs: (n) => ({ alias: `managed-${n}.vercel.app`, deploymentId: `dpl_${n}` }),
    changed: { redirect: "web.example.com" },
  },
  rows: [
    {
      path: "alias",
      first: "next-web.vercel.app",
      second: "other-web.vercel.app",
      changed: "replace",
      cleared: /^alias is missing/,
      shown: (name) => ({ alias: name }),
      drift: "no request of the API renames an alias",
    },
    {
      path: "deploymentId",
      first: "dpl_1",
      second: "dpl_2",
      changed: "update",
      cleared: /^deploymentId is missing/,
      shown: (deploymentId) => ({ deploymentId }),
      drift: (w, id) => assign(w, "dpl_1", { alias: id }),
    },
    {
      path: "redirect",
      first: "one.example.com",
      second: "two.example.com",
      changed: "update",
      cleared: "update",
      shown: (redirect = null) => ({ redirect }),
      drift: (w, id) => assign(w, "dpl_1", { alias: id, redirect: "three.example.com" }),
    },
    own("adopt", true, false),
  ],
  operations: [
    ...life(
      alias,
      () => declared,
      () => ({ ...declared, deploymentId: "dpl_2" }),
      async (w) => {
        await builtTwice(w);
        return {};
      },
    ),
    {
      name: "Alias: adopt",
      resource: alias,
      async prepare(w) {
        await builtTwice(w);
        await assign(w, "dpl_2", { alias: declared.alias });
        return {};
      },
      step: "up",
      inputs: () => ({ ...declared, adopt: true }),
    },
  ],
};
