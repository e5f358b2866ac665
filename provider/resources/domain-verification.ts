import { z } from "zod";
import { isNotFound } from "../client/errors";
import { domainPath } from "../client/paths";
import * as responses from "../client/responses";
import { inputsIn } from "../core/check";
import type { Created, Operation } from "../core/definition";
import { listing } from "../core/listing";
import { resource } from "../core/resource";
import { domainName, durationMs, filters, projectRef } from "./names";
import { pointUntil, readDomainConfig } from "./project-domain/dns";
import { domainPage, partsOf, readDomain } from "./project-domain/records";
import { verificationTimeoutMs, verifyUntil } from "./project-domain/verify";
import { Wait } from "./project-domain/wait";

const inputs = z.strictObject({
  /** Id or name of the project that serves the domain. Changing it replaces the verification. */
  project: projectRef,
  /** Domain to verify. The project must have the domain. Changing it replaces the verification. */
  name: domainName,
  /**
   * How long to wait for the verification and the DNS records together (milliseconds). Default: 600000 (ten minutes).
   */
  timeoutMs: durationMs.optional(),
  /**
   * Whether to wait also until the domain's DNS records point at the service, so that the service can issue the
   * domain's TLS certificate.
   */
  waitForDns: z.boolean().optional(),
});
type Inputs = z.output<typeof inputs>;

const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
  /**
   * Whether the domain is verified. If a refresh finds that the domain is no longer verified, the next `pulumi up`
   * verifies the domain again.
   */
  verified: z.boolean(),
  /**
   * Whether the domain's DNS records point at the service. Not set without `waitForDns`. If a refresh finds that the
   * records no longer point at the service, the next `pulumi up` waits again.
   */
  configured: z.boolean().optional(),
});
type Outputs = z.output<typeof outputs>;

/**
 * Waits until a domain is verified and, with `waitForDns`, until the domain's DNS records point at the service. Set
 * `dependsOn` to the resource that publishes the records. Resources that need the domain must depend on the
 * DomainVerification. After a timeout, the next run continues to wait.
 * @throws ApiError 400 if the domain is not verified in time
 * @source Project domain; States and transitions
 */
export const domainVerification = resource({
  type: "DomainVerification",
  handler: "verify",
  scopes: ["read-write:project"],
  importId: "`<project>/<domain>`",
  inputs,
  outputs,
  traits: {
    defaults: { timeoutMs: verificationTimeoutMs },
    stable: ["projectId"],
    replaceOn: ["project", "name"],
  },
  diff: {
    drift: ({ verified, configured }) =>
      Object.entries({ verified, configured })
        .filter(([, isMet]) => isMet === false)
        .map(([path]) => ({ path, kind: "update", replace: false })),
  },
  list: listing(filters, domainPage),

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
    return waitFor(operation, { projectId, accountId }, declared);
  },

  async read(client, id, state) {
    const { project, name } = partsOf(id);
    const { id: projectId, accountId } = await client.identify(project);
    const { verified } = await readDomain(client, projectId, name);
    const now: Partial<Inputs> = state ? inputsIn(inputs, state) : { project: projectId, name };
    const config = now.waitForDns ? await readDomainConfig(client, name, projectId) : undefined;
    const found = { verified, configured: config && !config.misconfigured };
    return { ...resultOf({ projectId, accountId }, name, found), inputs: now };
  },

  async update(operation, _id, { projectId }, declared) {
    const { client } = operation;
    const { accountId } = await client.identify(projectId);
    return waitFor(operation, { projectId, accountId }, declared);
  },

  async remove({ client }, _id, { projectId }) {
    // Nothing is deleted, but a run against the wrong account must keep the resource in the state.
    await client.identify(projectId);
  },
});

interface Owner {
  projectId: string;
  accountId: string;
}

/** Waits for the declared conditions, and saves each met condition, so that the next run continues after a timeout. */
async function waitFor(
  { client, checkpoint, warn }: Operation<Inputs, Outputs>,
  owner: Owner,
  declared: Inputs,
): Promise<Created<Outputs>> {
  const { name, timeoutMs = verificationTimeoutMs, waitForDns = false } = declared;
  const pending = waitForDns ? { configured: false } : {};
  checkpoint(resultOf(owner, name, { verified: false, ...pending }), declared);
  const wait = new Wait(warn, timeoutMs);
  const domain = await verifyUntil(client, owner.projectId, name, wait);
  if (!waitForDns) return resultOf(owner, name, { verified: true });
  checkpoint(resultOf(owner, name, { verified: true, ...pending }), declared);
  wait.restart();
  await pointUntil(client, domain, wait);
  return resultOf(owner, name, { verified: true, configured: true });
}

const resultOf = (
  { projectId, accountId }: Owner,
  name: string,
  { verified, configured }: Pick<Outputs, "verified" | "configured">,
): Created<Outputs> => ({
  id: `${projectId}/${name}`,
  accountId,
  outputs: { projectId, verified, ...(configured !== undefined && { configured }) },
});
