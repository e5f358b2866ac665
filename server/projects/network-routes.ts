import * as z from "zod";
import { changeProject } from "../access/project-store";
import { loadProject, projectPath, unknownProject } from "../access/projects";
import { beingTransferred } from "../access/rules";
import { type Route, route } from "../http/route";
import { derivedId } from "../platform/ids";
import { staticIpsOf } from "./newer-settings";
import { settingsOf } from "./store";

const builds = z.boolean().describe("Whether builds use the static IPs too.");
const regions = z.array(z.string().min(1).max(4)).max(20);

/** @source the newest official client, which needs one of the two members */
const staticIps = z
  .strictObject({ builds: builds.optional(), regions: regions.optional() })
  .refine(({ builds, regions }) => (builds ?? regions) !== undefined, "needs builds or regions");

const network = z.strictObject({
  envId: z.enum(["production", "preview"]),
  connectConfigurationId: z.string(),
  /** The region. */
  dc: z.string(),
  passive: z.boolean(),
  buildsEnabled: z.boolean(),
  createdAt: z.number(),
  updatedAt: z.number(),
});

/**
 * @choice The server sends no requests for deployments, so the networks have no addresses. A region has one network,
 *   which production and preview use. No region: the project has no static IPs.
 * @source the newest official client: updateStaticIps
 */
const updateStaticIps = route({
  method: "PATCH",
  path: "/v1/projects/:idOrName/shared-connect-links",
  operationId: "updateStaticIps",
  summary: "Sets the regions in which a project has static IPs, and whether its builds use them.",
  scope: ["read-write:project"],
  params: projectPath,
  body: staticIps,
  example: { regions: ["iad1"] },
  success: [200, z.array(network)],
  throws: [unknownProject],
  load: loadProject,
  refuse: [beingTransferred],
  async handle(call) {
    const { account, project, body } = call;
    const settings = settingsOf(project);
    const before = staticIpsOf(settings);
    const { builds = before.builds, regions = before.regions } = body;
    const changed = { enabled: regions.length > 0, builds, regions: [...new Set(regions)] };
    const { updated_at } = await changeProject(call, project, {
      settings: JSON.stringify({ ...settings, staticIps: changed }),
    });
    return changed.regions.flatMap((dc) =>
      network.shape.envId.options.map((envId) => ({
        ...{ envId, connectConfigurationId: derivedId("row", account.id, dc), dc, passive: true },
        ...{ buildsEnabled: builds, createdAt: updated_at, updatedAt: updated_at },
      })),
    );
  },
});

export const networkRoutes: readonly Route[] = [updateStaticIps];
