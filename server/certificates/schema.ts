import * as z from "zod";
import { pagination, paging } from "../http/query";

const pem = z.string().min(1).max(65_536);

/** @source the newest official client: uploadCert */
export const uploadCertificate = z.strictObject({
  /** The certificate of the authority. */
  ca: pem,
  /** The private key of the certificate. */
  key: pem,
  cert: pem,
  /** Accepts a certificate that has expired. */
  skipValidation: z.boolean().optional(),
});
export type UploadCertificate = z.infer<typeof uploadCertificate>;

/** @source the newest official client: issueCert, whose members are optional */
export const issueCertificate = z.strictObject({
  /** The domains of the certificate. */
  cns: z
    .array(
      z
        .string()
        .max(253)
        .toLowerCase()
        .regex(/^(\*\.)?[^\s*/]+$/, "must be a domain"),
    )
    .min(1)
    .max(100),
});

/** @source the newest official client: Certs */
export const certificate = z.strictObject({
  id: z.string(),
  /** The domains of the certificate. */
  cns: z.array(z.string()),
  autoRenew: z.boolean(),
  createdAt: z.number(),
  expiresAt: z.number(),
});
export type Certificate = z.infer<typeof certificate>;

export const certificateFilters = z.object(paging);
export const certificateList = z.strictObject({ certs: z.array(certificate), pagination });
