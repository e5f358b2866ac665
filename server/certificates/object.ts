import { flag, json, object, publicId, type Row, text, time } from "../store/object";

export const certificates = object("certificates", {
  columns: {
    id: publicId("certificate", "cert_", 24),
    account_id: text(),
    cns: json(),
    auto_renew: flag(),
    expires_at: time(),
    /** Unique per account, since the list is paged by it. */
    created_at: time(),
  },
  unique: [{ columns: ["account_id", "created_at"] }],
  section: "certificates",
});
export type CertificateRow = Row<typeof certificates>;
