import * as z from "zod";
import { type Call, type Route, route } from "../http/route";
import { newId } from "../platform/ids";
import { notFound } from "../platform/refusal";
import { deleteRows, findRow, insertRow } from "../store/rows";
import type { Unit } from "../store/store";
import { type Content, readContent } from "./content";
import { example } from "./example";
import { type CertificateRow, certificates } from "./object";
import { expired, invalidContent, limitedInstallation, notOwned } from "./rules";
import * as wire from "./schema";
import { certificatePage, timeOfNew, verifiedNames } from "./store";

/**
 * The certificates of an account.
 * @choice This server answers no visitors, so it keeps no content of a certificate and no private key.
 * @source the newest official client: certs
 */

/**
 * @choice Each upload adds a certificate, even if the account has an equal one. The server does not check whether `ca` has
 *   issued the certificate, because certificates between the two may be missing.
 */
const upload = route({
  method: "PUT",
  path: "/v8/certs",
  operationId: "uploadCert",
  summary: "Uploads a certificate. No answer shows its private key.",
  scope: ["read-write:domain"],
  body: wire.uploadCertificate,
  example,
  success: [200, wire.certificate],
  before: readUpload,
  refuse: [invalidContent, expired],
  handle: ({ tx, account, content, now }) => addCertificate({ tx, now }, account.id, content, 0),
});

async function readUpload({ body }: { body: wire.UploadCertificate }): Promise<{ content: Content }> {
  return { content: readContent(body) };
}

/** How long an issued certificate is valid (ms). @source the public documentation of the service: 90 days */
const validMs = 90 * 24 * 60 * 60 * 1000;

/**
 * @choice Only the names and the dates of the certificate are made. Nothing renews it, also if `autoRenew` is true.
 * @source the newest official client: issueCert
 */
const issue = route({
  method: "POST",
  path: "/v8/certs",
  operationId: "issueCert",
  summary:
    "Adds a certificate for domains of the account. Nothing is issued: the certificate has no content.",
  scope: ["read-write:domain"],
  body: wire.issueCertificate,
  example: { cns: ["www.example.com"] },
  success: [200, wire.certificate],
  load: loadIssue,
  refuse: [limitedInstallation, notOwned],
  handle: async ({ tx, account, body, now }) =>
    addCertificate({ tx, now }, account.id, { cns: body.cns, expiresAt: now + validMs }, 1),
});

async function loadIssue({
  tx,
  account,
  body,
}: Call<unknown, unknown, z.infer<typeof wire.issueCertificate>>) {
  const names = await verifiedNames(tx, account.id);
  const isOwn = (cn: string) => {
    const host = cn.replace(/^\*\./, "");
    return names.some((name) => host === name || host.endsWith(`.${name}`));
  };
  return { foreign: body.cns.find((cn) => !isOwn(cn)) };
}

async function addCertificate(
  { tx, now }: Unit,
  account: string,
  { cns, expiresAt }: Pick<Content, "cns" | "expiresAt">,
  auto_renew: 0 | 1,
): Promise<wire.Certificate> {
  const row: CertificateRow = {
    ...{ id: newId(certificates), account_id: account, cns: JSON.stringify([...new Set(cns)]), auto_renew },
    ...{ expires_at: expiresAt, created_at: await timeOfNew(tx, account, now) },
  };
  await insertRow(tx, "certificates", row);
  return viewCertificate(row);
}

/** @choice The list is paged like those of other objects. */
const list = route({
  method: "GET",
  path: "/v8/certs",
  operationId: "getCerts",
  summary: "Lists the certificates of the account, the newest first.",
  scope: ["read:domain"],
  query: wire.certificateFilters,
  success: [200, wire.certificateList],
  async handle({ tx, account, query }) {
    const { rows, pagination } = await certificatePage(tx, account.id, query);
    return { certs: rows.map(viewCertificate), pagination };
  },
});

const byId = z.object({ id: z.string().describe("Id of the certificate.") });
const unknownCertificate = [404, "not_found", "no such certificate in the account"] as const;

/** @throws Refusal 404 */
async function load({ tx, account, params: { id } }: Call<{ id: string }>): Promise<{ row: CertificateRow }> {
  const row = await findRow(tx, "certificates", { id, account_id: account.id });
  if (row) return { row };
  throw notFound(`Certificate ${JSON.stringify(id)}`);
}

const get = route({
  method: "GET",
  path: "/v8/certs/:id",
  operationId: "getCertById",
  summary: "Returns a certificate, without its content.",
  scope: ["read:domain"],
  params: byId,
  success: [200, wire.certificate],
  throws: [unknownCertificate],
  load,
  handle: async ({ row }) => viewCertificate(row),
});

const remove = route({
  method: "DELETE",
  path: "/v8/certs/:id",
  operationId: "removeCert",
  summary: "Deletes a certificate.",
  scope: ["read-write:domain"],
  params: byId,
  success: [200, z.strictObject({})],
  throws: [unknownCertificate],
  load,
  async handle({ tx, row }) {
    await deleteRows(tx, "certificates", { id: row.id });
    return {};
  },
});

const viewCertificate = (row: CertificateRow): wire.Certificate => ({
  id: row.id,
  cns: JSON.parse(row.cns),
  autoRenew: row.auto_renew === 1,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

export const certificateRoutes: readonly Route[] = [upload, issue, list, get, remove];
