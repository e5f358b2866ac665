import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { configReference } from "../../core/config-reference";

/** Certificates and private keys as texts in PEM format. */

/** True for the placeholder of a secret, which an import file has instead of the text. */
const isPlaceholder = (text: string): boolean => text.startsWith(configReference("imported-"));

export const isPrivateKey = (text: string): boolean => isPlaceholder(text) || keyIn(text) !== undefined;
export const isCertificate = (text: string): boolean => certificateIn(text) !== undefined;

const certificateIn = (text: unknown): X509Certificate | undefined =>
  attempt(text, (pem) => new X509Certificate(pem));

const keyIn = (text: unknown): KeyObject | undefined => attempt(text, createPrivateKey);

function attempt<T>(text: unknown, read: (text: string) => T): T | undefined {
  try {
    return typeof text === "string" ? read(text) : undefined;
  } catch {
    return undefined;
  }
}

/** When a certificate expires, in milliseconds since 1970. */
export function expiryIn(text: unknown): number | undefined {
  const certificate = certificateIn(text);
  return certificate && Date.parse(certificate.validTo);
}

/** True if a certificate at the service can have the text: it has the same domains and expiry. */
export function isOfText({ cns, expiresAt }: { cns: string[]; expiresAt: number }, text: unknown): boolean {
  const { subject = "", subjectAltName = "" } = certificateIn(text) ?? {};
  const names = `${subject} ${subjectAltName}`;
  return expiryIn(text) === expiresAt && cns.every((name) => names.includes(name));
}

/** True for a key of another certificate. */
export function isOtherKey(certificate: unknown, privateKey: unknown): boolean {
  const [known, key] = [certificateIn(certificate), keyIn(privateKey)];
  return known !== undefined && key !== undefined && !known.checkPrivateKey(key);
}

/** True for texts that differ only in line ends, or in white space around them. */
export const isSamePem = (a: string, b: string): boolean => plain(a) === plain(b);
const plain = (text: string): string => text.trim().replace(/\r\n/g, "\n");
