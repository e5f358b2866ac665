import { z } from "zod";
import type { Member } from "../../client/batches";
import type { Client } from "../../client/client";
import { ApiError, isRateLimited } from "../../client/errors";
import { projectPath, variablePath } from "../../client/paths";
import * as responses from "../../client/responses";
import type { RunContext } from "../../core/run-context";

/**
 * Variables of one project that are deleted at the same time share a request, because the service limits deletions per
 * minute. Each deletion has its own outcome.
 */

/** The largest batch size. @choice The service takes up to 1000 ids, which would be one large transaction. */
const largest = 100;

/** @source the newest official client: batchRemoveProjectEnv */
const result = z.object({ ids: z.array(z.string()) });

/** @throws ApiError 404 if the project has no such variable */
export const removeVariable = (run: RunContext, projectId: string, id: string): Promise<unknown> =>
  run
    .batches<string, unknown>(`deletions in ${projectId}`, {
      keysOf: (one) => [one],
      perform: (members) => removeAll(run.client, projectId, members),
      largest,
    })
    .add(id);

async function removeAll(
  client: Client,
  projectId: string,
  members: readonly Member<string, unknown>[],
): Promise<void> {
  const sent = members.filter(({ step }) => step.begin());
  const ids = sent.map(({ item }) => item);
  const removed = sent.length < 2 ? [] : await removeTogether(client, projectId, ids);
  await Promise.all(
    sent.map(({ item, step }) =>
      removed.includes(item)
        ? step.resolve(undefined)
        : step.settleAlone(() => removeOne(client, projectId, item)),
    ),
  );
}

/** @returns the ids of the variables that were deleted; none if the service refuses the request because of one of them */
async function removeTogether(client: Client, projectId: string, ids: readonly string[]): Promise<string[]> {
  const object = ids.map((id) => variablePath(projectId, id));
  const path = `${projectPath(projectId, "v1")}/env`;
  try {
    return (await client.send({ method: "DELETE", path, body: { ids }, object, shape: result })).ids;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500 && !isRateLimited(error)) return [];
    throw error;
  }
}

const removeOne = (client: Client, projectId: string, id: string): Promise<unknown> =>
  client.send({ method: "DELETE", path: variablePath(projectId, id), shape: responses.anything });
