import { createHash } from "node:crypto";
import { hostZone } from "./names";
import type { ListedRecord } from "./record-schema";
import { defaultTtl } from "./record-values";

const contents = [
  { name: "*", type: "CNAME", value: `cname.${hostZone}.` },
  { name: "", type: "A", value: "192.0.2.1" },
  { name: "", type: "CAA", value: '0 issue "letsencrypt.org"' },
] as const;

/**
 * The records that the service keeps for a domain, the newest first. They are older than all other records.
 * @param createdAt the creation time of the domain
 * @choice They are only in lists: no request reads, changes or deletes one, and none conflicts with a record of the
 *   account.
 * @source recorded answers of the hosted API
 */
export const serviceRecords = (account: string, domain: string, createdAt: number): ListedRecord[] =>
  contents.map(({ name, type, value }, at) => {
    const time = createdAt - 1 - at;
    const digest = createHash("sha256").update(JSON.stringify(["system", account, domain, name, type]));
    return {
      id: `rec_${digest.digest("hex").slice(0, 24)}`,
      slug: "",
      name,
      type,
      value,
      ttl: defaultTtl,
      creator: "system",
      ...{ created: time, updated: time, createdAt: time, updatedAt: time },
    };
  });
