import { z } from "zod";
import { isNotFound } from "../client/errors";
import { domainPath } from "../client/paths";
import * as responses from "../client/responses";
import type { Created } from "../core/definition";
import { resource } from "../core/resource";
import { domainName, durationMs, projectRef } from "./names";
import { partsOf, readDomain } from "./project-domain/records";
import { verificationTimeoutMs, verifyUntil } from "./project-domain/verify";

/** The inputs. */
const inputs = z.strictObject({
  /** Id or name of the project that has the domain. Changing it replaces the verification. */
  project: projectRef,
  /** The domain to verify, which is on the project already. Changing it replaces the verification. */
  name: domainName,
  /** How long to wait for the challenge to be met (milliseconds); by default ten minutes. */
  timeoutMs: durationMs.optional(),
});

const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
  /** True once the domain is verified; false when it was found to be verified no more, and so is verified again. */
  verified: z.boolean(),
});

/**
 * Waits until a domain is verified. Declare that it depends on the resource that publishes the challenge.
 * After a time-out the next run continues. Deleting it changes nothing at the service.
 * @throws ApiError 400 when the challenge is not met in time
 * @source Project domain; States and transitions
 */
export const domainVerification = resource({
  type: "DomainVerification",
  handler: "verify",
  inputs,
  outputs,
  stable: ["projectId"],
  defaults: { timeoutMs: verificationTimeoutMs },
  replaceOn: ["project", "name"],
  references: ["project"],
  drift: ({ verified }) => (verified === false ? [{ path: "verified", kind: "update", replace: false }] : []),

  async create(operation, declared) {
    const { client } = operation;
    const { id: projectId, accountId } = await client.identify(declared.project);
    // The domain must exist before the wait.
    try {
      await client.get(domainPath(projectId, declared.name), responses.domain);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      throw error.advise(
        "Declare the domain on the project, and give its output `name` here, so that it comes before.",
      );
    }
    operation.checkpoint(resultOf(projectId, declared.name, accountId, false), declared);
    await verifyUntil(operation, projectId, declared.name, declared.timeoutMs);
    return resultOf(projectId, declared.name, accountId, true);
  },

  async read(client, id, state) {
    const { project, name } = partsOf(id);
    const { id: projectId, accountId } = await client.identify(project);
    const { verified } = await readDomain(client, projectId, name);
    const now = state
      ? Object.fromEntries(Object.entries(state).filter(([key]) => key in inputs.shape))
      : { project: projectId, name };
    return { ...resultOf(projectId, name, accountId, verified), inputs: now };
  },

  async update(operation, _id, { projectId }, declared) {
    const { client } = operation;
    const { accountId } = await client.identify(projectId);
    operation.checkpoint(resultOf(projectId, declared.name, accountId, false), declared);
    await verifyUntil(operation, projectId, declared.name, declared.timeoutMs);
    return resultOf(projectId, declared.name, accountId, true);
  },

  async remove({ client }, _id, { projectId }) {
    // There is nothing to delete, but a run against the wrong account must not drop it from the state.
    await client.identify(projectId);
  },
});

const resultOf = (
  projectId: string,
  name: string,
  accountId: string,
  verified: boolean,
): Created<z.output<typeof outputs>> => ({
  id: `${projectId}/${name}`,
  accountId,
  outputs: { projectId, verified },
});
