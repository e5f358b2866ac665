import * as z from "zod";
import { buildMachineTypes } from "../../provider/vocabulary";
import { commaSeparated, flag, paging, timestamp } from "../http/query";
import { buildQueueConfigurations } from "./resource-config";

/** @choice The maximum number of repositories in `excludeRepos`, because each makes the query longer. */
const mostExcluded = 100;

const excludedRepos = commaSeparated
  .transform((repos) => [...new Set(repos)])
  .refine((repos) => repos.length <= mostExcluded, `must name at most ${mostExcluded} repositories`);

/** `elastic` includes projects with an elastic selection. `default` means that no machine is set. */
const machineFilters = z.enum([...buildMachineTypes, "default"]);

/** The query parameters of the list of projects. @source Projects, GET /v9/projects, and the newest official client */
export const projectFilters = z.object({
  ...paging,
  buildMachineTypes: commaSeparated.pipe(z.array(machineFilters)).optional(),
  buildQueueConfiguration: z.enum(buildQueueConfigurations).optional(),
  deprecated: flag.optional(),
  edgeConfigId: z.string().optional(),
  edgeConfigTokenId: z.string().optional(),
  elasticConcurrencyEnabled: z.enum(["0", "1"]).optional(),
  excludeRepos: excludedRepos.optional(),
  from: timestamp.optional(),
  gitForkProtection: z.enum(["0", "1"]).optional(),
  repo: z.string().optional(),
  repoId: z.string().optional(),
  repoUrl: z.string().optional(),
  search: z.string().optional(),
  staticIpsEnabled: z.enum(["0", "1"]).optional(),
});
export type ProjectFilters = z.infer<typeof projectFilters>;
