import { createCipheriv, createDecipheriv, createHash, createHmac, createSecretKey, hash } from "node:crypto";
import { takeRandom } from "./ids";

/**
 * Encrypts secrets at rest with AES-256-GCM and the server's key. The row's id is additional data, so a sealed text that
 * is copied to another row does not open.
 */
export interface Vault {
  /** @param row id of the row that holds the text */
  seal(row: string, text: string): string;
  /** @throws Error when the text was sealed for another row or under another key */
  open(row: string, sealed: string): string;
  /** Like `open`, but returns undefined for a text that does not open, because it may be damaged. */
  tryOpen(row: string, sealed: string): string | undefined;
  /** A keyed hash of a secret. It finds a row without opening every row, and does not reveal the secret. */
  digest(text: string): string;
}

/** @param bytes the key, of 32 bytes */
export function vault(bytes: Buffer): Vault {
  const key = createSecretKey(bytes);
  const keyId = createHash("sha256").update("key id").update(bytes).digest("hex").slice(0, 8);
  const digestKey = createHmac("sha256", key).update("digest").digest();
  const opened: Vault = {
    seal(row, text) {
      const nonce = takeRandom(12);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(row));
      const body = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `${keyId}.${body.toString("base64")}`;
    },
    open(row, sealed) {
      const [id, text = ""] = sealed.split(".", 2);
      if (id !== keyId) throw new Error(`sealed under key ${id}, this server has key ${keyId}`);
      const body = Buffer.from(text, "base64");
      const decipher = createDecipheriv("aes-256-gcm", key, body.subarray(0, 12))
        .setAAD(Buffer.from(row))
        .setAuthTag(body.subarray(-16));
      return Buffer.concat([decipher.update(body.subarray(12, -16)), decipher.final()]).toString("utf8");
    },
    tryOpen(row, sealed) {
      try {
        return opened.open(row, sealed);
      } catch {
        return undefined;
      }
    },
    digest: (text) => createHmac("sha256", digestKey).update(text).digest("hex"),
  };
  return opened;
}

/** The stored form of bearer tokens and authorization codes. They are long and random, so one hash round is enough. */
export function tokenHash(token: string): string {
  return hash("sha256", token);
}
