import { isRefused } from "../../client/errors";
import { domainPath } from "../../client/paths";
import * as responses from "../../client/responses";
import { pause } from "../../client/step-limits";
import type { Operation } from "../../core/definition";

/** How long to wait for a verification unless the program says. @choice what DNS commonly needs */
export const verificationTimeoutMs = 600_000;

const firstPauseMs = 250;
const longestPauseMs = 10_000;
/** How often a wait tells what it waits for. */
const remindMs = 60_000;

/**
 * Asks the service to check the challenge until it is met.
 * @param warn told at once, and then now and then, which record is missing
 * @throws Error when it is not met in time; ApiError 404 when the domain is not on the project
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
      // 400 is also the answer about a domain that the project does not have: that is a 404 here.
      const { verification } = await client.get(path, responses.domain);
      const records = (verification ?? []).map(({ type, domain, value }) => `${type} ${domain} "${value}"`);
      const publish = records.length > 0 ? `Publish the DNS record ${records.join(" or ")}` : undefined;
      if (Date.now() + pauseMs > deadline) {
        throw error.advise(
          `${name} was not verified within ${timeoutMs / 1000} s. ` +
            (publish ? `${publish} and run again: ` : "Run again: ") +
            "it goes on from here. Give it longer with timeoutMs.",
        );
      }
      if (Date.now() >= tellAt) {
        const seconds = Math.round((deadline - Date.now()) / 1000);
        warn(
          `${name} is not verified yet: waiting for up to ${seconds} s. ${publish ?? "Its record is awaited"}.`,
        );
        tellAt = Date.now() + remindMs;
      }
      await pause(pauseMs);
    }
  }
}
