import { isRefused } from "../../client/errors";
import { domainPath } from "../../client/paths";
import * as responses from "../../client/responses";
import { pause } from "../../client/step-limits";
import type { Operation } from "../../core/definition";

/** How long to wait for a verification by default. @choice Enough for most DNS changes. */
export const verificationTimeoutMs = 600_000;

const firstPauseMs = 250;
const longestPauseMs = 10_000;
/** How often a wait repeats its warning. */
const remindMs = 60_000;

/**
 * Asks the service to verify the domain until it succeeds.
 * @param warn called at once and then every minute with the missing record
 * @throws Error if the domain is not verified in time; ApiError 404 if the project does not have the domain
 * @source Domains, POST /v9/projects/{idOrName}/domains/{domain}/verify
 */
export async function verifyUntil(
  { client, warn }: Pick<Operation<unknown, unknown>, "client" | "warn">,
  projectId: string,
  name: string,
  timeoutMs = verificationTimeoutMs,
): Promise<responses.Domain> {
  const path = domainPath(projectId, name);
  const deadline = Date.now() + timeoutMs;
  let tellAt = Date.now();
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    try {
      return await client.send({ method: "POST", path: `${path}/verify`, shape: responses.domain });
    } catch (error) {
      if (!isRefused(error)) throw error;
      // The service also answers 400 for a domain that the project does not have. This read then fails with 404.
      const { verification } = await client.get(path, responses.domain);
      const records = (verification ?? []).map(({ type, domain, value }) => `${type} ${domain} "${value}"`);
      const publish = records.length > 0 ? `Publish the DNS record ${records.join(" or ")}` : undefined;
      if (Date.now() + pauseMs > deadline) {
        throw error.withHint(
          `${name} was not verified within ${timeoutMs / 1000} s. ` +
            (publish ? `${publish}, and run again: ` : "Run again: ") +
            "the next run continues. To wait longer, set timeoutMs.",
        );
      }
      if (Date.now() >= tellAt) {
        const seconds = Math.round((deadline - Date.now()) / 1000);
        warn(
          `${name} is not verified yet: waiting for up to ${seconds} s. ${publish ?? "It needs a DNS record"}.`,
        );
        tellAt = Date.now() + remindMs;
      }
      await pause(pauseMs);
    }
  }
}
