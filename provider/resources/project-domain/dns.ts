import type { Client } from "../../client/client";
import { domainConfigPath } from "../../client/paths";
import * as responses from "../../client/responses";
import type { Wait } from "./wait";

/** Reads, without the cache, where the DNS records of a domain point. @param project the id of its project */
export const readDomainConfig = (
  client: Client,
  name: string,
  project: string | undefined,
): Promise<responses.DomainConfig> =>
  client.send({
    method: "GET",
    path: domainConfigPath(name),
    shape: responses.domainConfig,
    query: { projectIdOrName: project },
  });

/**
 * Waits until the DNS records of a domain point at the service, so that the service can issue the certificate.
 * The warnings of the wait name the missing record.
 * @throws Error if the records do not point at the service in time
 * @source the newest official client: GET /v6/domains/{domain}/config
 */
export async function pointUntil(
  client: Client,
  { name, apexName, projectId }: Pick<responses.Domain, "name" | "apexName" | "projectId">,
  wait: Wait,
): Promise<void> {
  for (;;) {
    const config = await readDomainConfig(client, name, projectId);
    if (!config.misconfigured) return;
    const publish = `Publish the DNS record ${recordsFor(name, apexName, config).join(" or ")}`;
    const status =
      config.configuredBy == null
        ? "does not point at the service yet"
        : "points at the service, and cannot get a certificate yet: remove its DNS records that point elsewhere";
    if (await wait.next((seconds) => `${name} ${status}: waiting for up to ${seconds} s. ${publish}.`))
      continue;
    throw new Error(
      `The DNS records of ${name} did not point at the service within ${wait.timeoutMs / 1000} s. ${publish}, and run ` +
        "again: the next run continues. To wait longer, set timeoutMs.",
    );
  }
}

/** The recommended CNAME and addresses of a domain. */
export const recommended = ({ recommendedCNAME, recommendedIPv4 }: responses.DomainConfig) => ({
  cname: best(recommendedCNAME)?.value,
  ipv4s: best(recommendedIPv4)?.value ?? [],
});

const best = <R extends { rank: number }>(ranked: readonly R[] | null | undefined): R | undefined =>
  [...(ranked ?? [])].sort((a, b) => a.rank - b.rank)[0];

/** The DNS records to publish, for messages. An apex domain cannot have a CNAME record. */
function recordsFor(name: string, apexName: string, config: responses.DomainConfig): string[] {
  const { cname, ipv4s } = recommended(config);
  const records = [
    ...(cname === undefined || name === apexName ? [] : [`CNAME ${name} ${cname}`]),
    ...(ipv4s.length === 0 ? [] : [`A ${name} ${ipv4s.join(" ")}`]),
  ];
  return records.length === 0 ? ["that the service's dashboard shows"] : records;
}
