import { createPrivateKey, X509Certificate } from "node:crypto";
import type { UploadCertificate } from "./schema";

/** The facts in an uploaded certificate; `problem`: why it is refused. */
export interface Content {
  problem: string | undefined;
  cns: string[];
  expiresAt: number;
}

/** Reads a certificate with its key. @choice The first certificate in `cert` is the one of the domains. */
export function readContent({ cert, key, ca }: Omit<UploadCertificate, "skipValidation">): Content {
  const certificate = attempt(() => new X509Certificate(cert));
  const privateKey = attempt(() => createPrivateKey(key));
  const authority = attempt(() => new X509Certificate(ca));
  const cns = certificate ? namesOf(certificate) : [];
  const problem = () => {
    if (!certificate) return "Invalid body member cert: must be a certificate in PEM format.";
    if (!privateKey)
      return "Invalid body member key: must be a private key in PEM format, without a passphrase.";
    if (!authority) return "Invalid body member ca: must be a certificate in PEM format.";
    if (cns.length === 0) return "Invalid body member cert: the certificate names no domain.";
    return certificate.checkPrivateKey(privateKey)
      ? undefined
      : "Invalid body member key: is not the private key of the certificate in cert.";
  };
  return {
    problem: problem(),
    cns,
    expiresAt: certificate ? Date.parse(certificate.validTo) : 0,
  };
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function namesOf({ subjectAltName = "", subject = "" }: X509Certificate): string[] {
  const names = [...subjectAltName.matchAll(/(?:^|, )DNS:([^",]+)/g)];
  const found = names.length > 0 ? names : [...subject.matchAll(/^CN=(.+)$/gm)];
  return [...new Set(found.map(([, name = ""]) => name))];
}
