import type { Plain } from "../../../provider/core/values";
import { integrationProjectAccess } from "../../../provider/resources/integration-project-access";
import { container, installations, ofProject, projects } from "../fields/common";
import { life, type Subject } from "../subject";

const pathOf = (id: string): string => {
  const [project, installation] = id.split("/");
  return `/v1/integrations/configuration/${installation}/project/${project}`;
};

export const subject: Subject = {
  resource: integrationProjectAccess,
  handler: "integrationaccess",
  async prepare(w) {
    const known: Plain = { ...(await projects(w)), ...(await installations(w)) };
    return { given: { project: known.web, installationId: known.monitoring }, known };
  },
  look: (w, id) => w.curl("GET", pathOf(id)),
  all: async ({ server }) => (await server.control.snapshot()).installationProjects,
  listed: {
    query: { project: "web" },
    names: ["monitoring"],
    async prepare(w) {
      const { monitoring } = await installations(w);
      await w.curl("POST", pathOf(`web/${monitoring}`), { allowed: true });
    },
  },
  rows: [ofProject, container("installationId", "@monitoring", "@tracking", () => ({ allowed: true }))],
  operations: life(
    integrationProjectAccess,
    ({ monitoring }) => ({ project: "web", installationId: monitoring }),
    ({ tracking }) => ({ project: "web", installationId: tracking }),
    installations,
  ),
};
