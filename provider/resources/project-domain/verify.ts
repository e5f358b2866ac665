import type { Client } from "../../client/client";
import { isRefused } from "../../client/errors";
import { domainPath } from "../../client/paths";
import * as responses from "../../client/responses";
import type { Wait } from "./wait";

/** How long to wait for a verification by default. @choice Enough for most DNS changes. */
export const verificationTimeoutMs = 600_000;

/**
 * Asks the service to verify the domain until the verification succeeds. The warnings name the missing DNS record.
 * @throws Error if the domain is not verified in time; ApiError 404 if the project does not have the domain
 * @source Domains, POST /v9/projects/{idOrName}/domains/{domain}/verify
 */
export async function verifyUntil(
  client: Client,
  projectId: string,
  name: string,
  wait: Wait,
): Promise<responses.Domain> {
  const path = domainPath(projectId, name);
  for (;;) {
    try {
      return await client.send({ method: "POST", path: `${path}/verify`, shape: responses.domain });
    } catch (error) {
      if (!isRefused(error)) throw error;
      // The service also answers 400 for a domain that the project does not have. This read then fails with 404.
      const publish = recordsToPublish(await client.get(path, responses.domain));
      const missing = publish ?? "It needs a DNS record";
      const isInTime = await wait.next(
        (seconds) => `${name} is not verified yet: waiting for up to ${seconds} s. ${missing}.`,
      );
      if (!isInTime) throw error.withHint(hintAfter(name, wait, publish));
    }
  }
}

function recordsToPublish({ verification }: responses.Domain): string | undefined {
  const records = (verification ?? []).map(({ type, domain, value }) => `${type} ${domain} "${value}"`);
  return records.length > 0 ? `Publish the DNS record ${records.join(" or ")}` : undefined;
}

const hintAfter = (name: string, { timeoutMs }: Wait, publish: string | undefined): string =>
  `${name} was not verified within ${timeoutMs / 1000} s. ` +
  (publish ? `${publish}, and run again: ` : "Run again: ") +
  "the next run continues. To wait longer, set timeoutMs.";
