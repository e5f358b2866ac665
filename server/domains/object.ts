import { dnsRecordTypes } from "../../provider/vocabulary";
import { flag, hide, integer, object, oneOf, publicId, type Row, text, time } from "../store/object";

export const domains = object("domains", {
  columns: {
    id: hide(text()),
    project_id: text(),
    account_id: text(),
    name: text(),
    apex_name: text(),
    /** 1 if the account has verified the domain. Only one row of a name, in all accounts, can be 1. */
    verified: flag(),
    /** Twenty hex digits that the TXT record of the challenge must contain. */
    challenge: hide(text()),
    git_branch: text().orNull(),
    custom_environment_id: text().orNull(),
    redirect: text().orNull(),
    redirect_status_code: integer().orNull(),
    /** Unique per project, since lists are ordered and paged by it. */
    created_at: time(),
    updated_at: time(),
  },
  unique: [
    { columns: ["account_id", "name"] },
    { columns: ["name"], where: "verified = 1" },
    { columns: ["project_id", "created_at"] },
  ],
  indexes: [["account_id", "apex_name"], ["name"]],
  section: "domains",
  order: ["project_id", "name"],
});
export type DomainRow = Row<typeof domains>;

/** A DNS record of a domain of an account. The server stores it but answers no DNS queries with it. */
export const domainRecords = object("domain_records", {
  columns: {
    id: publicId(),
    account_id: text(),
    /** The domain of the account, in lower case and ASCII. */
    domain: text(),
    /** The name relative to the domain; empty for the domain itself. */
    name: text(),
    type: oneOf(...dnsRecordTypes),
    /** The first part of an MX, SRV or HTTPS record. */
    priority: integer().orNull(),
    /** The value without the priority. */
    value: text(),
    /** SHA-256 of name, type, priority and value: unique in the domain. */
    digest: hide(text()),
    /** In seconds. */
    ttl: integer(),
    comment: text().orNull(),
    creator_id: text(),
    /** Unique in the domain, since its list is paged by it. */
    created_at: time(),
    updated_at: time(),
  },
  unique: [{ columns: ["account_id", "domain", "digest"] }],
  indexes: [
    ["account_id", "domain", "created_at"],
    ["account_id", "domain", "name"],
  ],
  section: "dnsRecords",
  order: ["account_id", "domain", "id"],
});
export type DomainRecordRow = Row<typeof domainRecords>;

/** A domain that was added to an account, without a project. */
export const addedDomains = object("added_domains", {
  columns: {
    account_id: text(),
    /** An apex, in lower case and ASCII. */
    name: text(),
    verified: flag(),
    /** Whether its owner wants to use the nameservers of the service. */
    zone: flag(),
    ech_mode: oneOf("auto", "disabled"),
    created_at: time(),
  },
  key: ["account_id", "name"],
  indexes: [["name"]],
  section: "accountDomains",
});
export type AddedDomainRow = Row<typeof addedDomains>;
