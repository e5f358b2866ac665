import { createCipheriv, pbkdf2, randomBytes } from "node:crypto";
import { promisify } from "node:util";

/** The number of iterations with which the Pulumi CLI derives a key from a passphrase. */
const iterations = 1_000_000;

/**
 * Encrypts values for the configuration of a stack as the Pulumi CLI does with a passphrase. The list of processes
 * would show values that are passed to `pulumi config set-all`.
 * @param encryptionSalt the value in the configuration of the stack: `v1:<salt>:v1:<nonce>:<check>`
 * @returns a function that encrypts a value
 */
export async function encryption(
  passphrase: string,
  encryptionSalt: string,
): Promise<(value: string) => string> {
  const [version, salt] = encryptionSalt.split(":");
  if (version !== "v1" || salt === undefined)
    throw new Error("the Pulumi CLI uses an unknown encryption of secrets");
  const key = await promisify(pbkdf2)(passphrase, Buffer.from(salt, "base64"), iterations, 32, "sha256");
  return (value) => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", key, nonce);
    const text = Buffer.concat([cipher.update(value, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return `v1:${nonce.toString("base64")}:${text.toString("base64")}`;
  };
}
