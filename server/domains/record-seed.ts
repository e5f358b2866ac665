import * as z from "zod";
import { SeedConflict, SeedError } from "../seed/error";
import { id, name, ownedRow, owner, ownerOf, section, times } from "../seed/section";
import { hasRow } from "../store/rows";
import { parseDomain } from "./names";
import { createRecord } from "./record-schema";
import { conflictOf, insertRecord, recordIdOf } from "./record-store";
import { defaultTtl, isProblem, readRecord } from "./record-values";

/** A DNS record of a domain of an account, as a request creates it. */
const row = ownedRow({
  ...createRecord.shape,
  ...owner,
  domain: name.refine(isApex, { error: ({ input }) => `"${input}" is not a domain without a subdomain` }),
  id: id.optional(),
  /** The id of a user. */
  creator: z.string().optional(),
  ...times,
}).superRefine((given, { addIssue }) => {
  const read = readRecord(given, nameOf(given));
  if (isProblem(read)) addIssue({ code: "custom", message: read.message });
});

function isApex(domain: string): boolean {
  const parsed = parseDomain(domain);
  return parsed !== undefined && parsed.name === parsed.apexName;
}

/** The domain of a row in canonical form. */
const nameOf = ({ domain }: { domain: string }): string => parseDomain(domain)?.name ?? domain;

/** Adds a DNS record, unless the account has it. */
export const dnsRecords = section(
  "domain_records",
  row,
  async (unit, given, place) => {
    const { tx } = unit;
    const account = await ownerOf(tx, given, place);
    const domain = nameOf(given);
    const read = readRecord(given, domain);
    if (isProblem(read)) throw new SeedError(place, read.message);
    const id = given.id ?? recordIdOf(account.id, domain, read);
    if (await hasRow(tx, "domain_records", { id })) return;
    const conflict = await conflictOf({ tx, account, domain }, read, undefined);
    if (conflict !== undefined)
      throw new SeedConflict(place, `the record ${conflict} of the domain conflicts with it`);
    const { ttl = defaultTtl, creator: creatorId = account.id } = given;
    const comment = given.comment || null;
    await insertRecord(unit, { ...read, id, accountId: account.id, domain, ttl, comment, creatorId }, given);
  },
  (given) => {
    const read = readRecord(given, nameOf(given));
    return isProblem(read)
      ? []
      : [[given.team, given.user, nameOf(given), read.name, read.type, read.priority, read.value]];
  },
);
