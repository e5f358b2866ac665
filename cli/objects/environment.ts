import { z } from "zod";
import { environmentPath } from "../../provider/client/paths";
import * as responses from "../../provider/client/responses";
import { customEnvironment } from "../../provider/resources/custom-environment";
import { itemOfProject, type ProjectKind } from "./kind";
import { listOperation, oneOperation } from "./operation";
import { ofProject } from "./recorded";
import { maybe, string, text, times } from "./shapes";

/** An environment in the answer about its project. */
export const environmentShape = z.object({
  ...{ id: string, slug: string, description: text },
  branchMatcher: maybe(z.looseObject({ type: string, pattern: string })),
  ...times,
});

export const environment = {
  name: "environment",
  owner: "project",
  resource: customEnvironment,
  suffix: "environment",
  weight: 40,
  section: "environments",
  rows: async (_reading, { customEnvironments = [] }) => customEnvironments,
  items: (row) => [itemOfProject(row, { name: String(row.slug) })],
  async discover({ client, add }, project) {
    const { environments } = await client.get(environmentPath(project.id), responses.customEnvironmentList);
    for (const { id, slug } of environments)
      await add(customEnvironment, `${project.id}/${id}`, `${project.name}-${slug}`);
  },
  recorded: {
    vercel_custom_environment: ofProject(customEnvironment, "id"),
  },
  operations: {
    list: listOperation(
      "/v9/projects/{idOrName}/custom-environments",
      "custom environments",
      responses.customEnvironmentList,
      "environments",
    ),
    one: oneOperation(
      "/v9/projects/{idOrName}/custom-environments/{environment}",
      "custom environment",
      responses.customEnvironment,
    ),
  },
} as const satisfies ProjectKind;
