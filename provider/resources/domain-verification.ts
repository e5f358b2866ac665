import { z } from "zod";
import { isNotFound } from "../client/errors";
import { domainPath } from "../client/paths";
import * as responses from "../client/responses";
import { inputsIn } from "../core/check";
import type { Created } from "../core/definition";
import { listing } from "../core/listing";
import { resource } from "../core/resource";
import { domainName, durationMs, filters, projectRef } from "./names";
import { domainPage, partsOf, readDomain } from "./project-domain/records";
import { verificationTimeoutMs, verifyUntil } from "./project-domain/verify";

const inputs = z.strictObject({
  /** Id or name of the project that serves the domain. Changing it replaces the verification. */
  project: projectRef,
  /** Domain to verify. It must be attached to the project. Changing it replaces the verification. */
  name: domainName,
  /** How long to wait for verification (milliseconds). Default: 600000 (ten minutes). */
  timeoutMs: durationMs.optional(),
});

const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
  /** Whether the domain is verified. A domain that lost its verification is verified again in the next run. */
  verified: z.boolean(),
});

/**
 * Waits until a domain is verified. Give it `dependsOn` with the resource that publishes the challenge.
 * After a timeout, the next run continues. Deleting it changes nothing at the service.
 * @throws ApiError 400 if the domain is not verified in time
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
  list: listing(filters, domainPage),
  drift: ({ verified }) => (verified === false ? [{ path: "verified", kind: "update", replace: false }] : []),

  async create(operation, declared) {
    const { client } = operation;
    const { id: projectId, accountId } = await client.identify(declared.project);
    // Fails at once instead of waiting for a domain that does not exist.
    try {
      await client.get(domainPath(projectId, declared.name), responses.domain);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      throw error.withHint(
        "Declare a ProjectDomain, and pass its output `name` here, so that it is created first.",
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
    const now = state ? inputsIn(inputs, state) : { project: projectId, name };
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
    // Nothing to delete, but a run against the wrong account must keep it in the state.
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
