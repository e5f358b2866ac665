import type { Plain } from "../../../provider/core/values";
import { promotion } from "../../../provider/resources/promotion";
import { until } from "../../support/until";
import { ofProject, own, projects } from "../fields/common";
import type { Harness } from "../stack";
import { life, type Subject } from "../subject";

const live = { project: "web", deployment: "dpl_2", onDelete: "rollback" };

/** The id of the deployment that serves production. */
async function served(w: Harness, id: string): Promise<unknown> {
  const { targets } = (await w.curl("GET", `/v9/projects/${id}`)) as unknown as { targets: Plain };
  return (targets.production as Plain | undefined)?.id;
}

export const subject: Subject = {
  resource: promotion,
  handler: "promote",
  async prepare(w) {
    const known = await projects(w);
    const built = { team: "acme", project: "web", target: "production", readyState: "READY" } as const;
    await w.server.control.deploy(
      ...["dpl_1", "dpl_2", "dpl_3"].map((id, at) => ({ ...built, id, createdAt: at + 1 })),
    );
    return { given: { project: known.web, deployment: "dpl_1" }, known };
  },
  look: async (w, id) => ({ deployment: await served(w, id) }),
  managed: {
    inputs: (n) => ({ project: "prj_web", deployment: `dpl_${n}` }),
    changed: { onDelete: "keep" },
  },
  rows: [
    // A deployment is one of a single project.
    { ...ofProject, changed: /belongs to web, not to the project other/ },
    {
      path: "deployment",
      first: "dpl_1",
      second: "dpl_2",
      changed: "update",
      cleared: /^deployment is missing/,
      shown: (deployment) => ({ deployment }),
      drift: async (w, id) => {
        await w.curl("POST", `/v10/projects/${id}/promote/dpl_3`);
        await until("dpl_3 is served", async () => (await served(w, id)) === "dpl_3");
      },
    },
    own("waitForCompletion", true, false),
    own("timeoutMs", 60_000, 120_000),
    own("onDelete", "rollback", "keep"),
  ],
  operations: [
    ...life(
      promotion,
      () => live,
      () => ({ ...live, deployment: "dpl_3" }),
    ),
  ],
};
