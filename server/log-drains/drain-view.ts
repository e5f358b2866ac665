import type * as z from "zod";
import { present } from "../http/reply";
import type { drainOfLogs } from "./drain-schema";
import { viewAccountDrain } from "./view";

/** A log drain of an account, as the newest routes answer it. */
export function viewDrainOfLogs(...drain: Parameters<typeof viewAccountDrain>): z.infer<typeof drainOfLogs> {
  const view = viewAccountDrain(...drain);
  return present<z.infer<typeof drainOfLogs>>({
    id: view.id,
    name: view.name,
    ownerId: view.ownerId,
    teamId: view.teamId,
    createdAt: view.createdAt,
    updatedAt: view.updatedAt,
    status: view.status,
    projectIds: view.projectIds,
    schemas: { log: {} },
    filterV2: {
      version: "v2",
      filter: {
        type: "basic",
        log: view.sources === undefined ? {} : { sources: view.sources },
        deployment: { environments: view.environments },
      },
    },
    delivery: {
      type: "http",
      endpoint: view.url,
      encoding: view.deliveryFormat,
      headers: view.headers ?? {},
    },
    sampling:
      view.samplingRate === undefined ? undefined : [{ type: "head_sampling", rate: view.samplingRate }],
    source: view.source,
  });
}
