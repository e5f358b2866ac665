import { z } from "zod";
import type { Client } from "../client/client";
import { anything, pagination } from "../client/responses";
import type { Failure } from "../core/check";
import { refuseConfigReference } from "../core/config-reference";
import type { Created, Operation } from "../core/definition";
import { listing, readPage } from "../core/listing";
import { resource } from "../core/resource";
import type { Plain } from "../core/values";
import { accountIdOf } from "./account-id";
import {
  expiryIn,
  isCertificate,
  isOfText,
  isOtherKey,
  isPrivateKey,
  isSamePem,
} from "./custom-certificate/pem";

export const certificatePath = (id?: string): string =>
  ["/v8/certs", ...(id === undefined ? [] : [encodeURIComponent(id)])].join("/");

/** @source the newest official client: Certs */
export const remoteCertificate = z.looseObject({
  id: z.string(),
  cns: z.array(z.string()),
  expiresAt: z.number(),
  createdAt: z.number(),
  autoRenew: z.boolean(),
});
type RemoteCertificate = z.infer<typeof remoteCertificate>;
export const certificateList = z.looseObject({ certs: z.array(remoteCertificate), pagination });

const pem = (isValid: (text: string) => boolean, message: string) =>
  z.string().min(1).max(65_536).refine(isValid, message);
const noCertificate = "must be a certificate in PEM format";

/** No request of the API changes a certificate, so every change replaces it. */
const inputs = z.strictObject({
  /**
   * Private key of the certificate, in PEM format and without a passphrase. The API never returns it. Changing it
   * replaces the certificate.
   */
  privateKey: pem(isPrivateKey, "must be a private key in PEM format, without a passphrase"),
  /** The certificate of the domains, in PEM format. Changing it replaces the certificate. */
  certificate: pem(isCertificate, noCertificate),
  /**
   * Certificate of the authority, which its issuer provides, in PEM format: one, or several one after the other. Changing
   * it replaces the certificate.
   */
  certificateAuthorityCertificate: pem(isCertificate, noCertificate),
});

const outputs = z.object({
  /** Domains of the certificate, such as `www.example.com` and `*.example.com`. */
  cns: z.array(z.string()),
  /** Time at which the certificate expires, in milliseconds since 1970. */
  expiresAt: z.number(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

/**
 * A TLS certificate of the account's own, which the service uses for its domains instead of one that it issues. No
 * request of the API changes a certificate, so every change uploads a new certificate, then deletes the old one.
 * @throws ApiError 400 if the certificate has expired, or if the key is that of another certificate
 * @source the newest official client: uploadCert; the Terraform provider: vercel_custom_certificate
 */
export const customCertificate = resource({
  type: "CustomCertificate",
  handler: "certificate",
  scopes: [],
  importId: "`<id>`",
  inputs,
  outputs,
  traits: {
    secret: ["privateKey"],
    stable: ["cns", "expiresAt"],
    replaceOn: ["privateKey", "certificate", "certificateAuthorityCertificate"],
  },
  checks: {
    rules: [
      [
        ({ certificate, privateKey }) => isOtherKey(certificate, privateKey),
        "privateKey is not the key of certificate. Give the key with which the certificate was requested.",
      ],
    ],
    refusals: async (_client, previous, news) => [
      ...refuseConfigReference(previous, "privateKey", news.privateKey),
      ...refuseExpired(previous, news),
    ],
  },
  diff: { compare: (key, state, news) => (isUnchanged(key, state, news) ? false : undefined) },
  ownership: { objects: (_outputs, id) => [id] },
  list: listing(z.strictObject({}), (client, _filters, at) =>
    readPage(client, at, {
      ...{ path: certificatePath(), shape: certificateList },
      items: ({ certs }) => certs.map(({ id, cns }) => ({ id, name: cns.join(", ") })),
    }),
  ),

  // Certificates have no unique key. After a lost response, an equal certificate that was not listed before is taken for
  // the new one, so certificates are created one at a time.
  create: (operation, declared) =>
    operation.run.keys.exclusive("certificates", () => createNew(operation, declared)),

  async read(client, id, state) {
    const remote = await client.get(certificatePath(id), remoteCertificate);
    const now = Object.keys(inputs.shape).map((key) => [key, state?.[key as keyof Inputs]]);
    const declared = Object.fromEntries(now.filter(([, value]) => value !== undefined));
    return { ...(await resultOf(client, remote)), inputs: declared };
  },

  async update({ client }, id) {
    return resultOf(client, await client.get(certificatePath(id), remoteCertificate));
  },

  async remove({ client }, id) {
    await client.send({ method: "DELETE", path: certificatePath(id), shape: anything });
  },
});

/** Refuses a new certificate that has expired. The certificate of an earlier run may have. */
function refuseExpired(previous: Plain, { certificate }: Plain): Failure[] {
  const expiresAt = expiryIn(certificate);
  if (expiresAt === undefined || certificate === previous.certificate || expiresAt > Date.now()) return [];
  const reason = `certificate has expired on ${new Date(expiresAt).toISOString()}. Give a certificate that is valid.`;
  return [{ property: "certificate", reason }];
}

/** After an import, the state has none of the texts. Then a certificate with the same domains and expiry is the same. */
function isUnchanged(key: string, state: Plain, news: Plain): boolean {
  const [before, now] = [state[key], news[key]];
  if (before === undefined) return isOfText(state as unknown as Outputs, news.certificate);
  return typeof before === "string" && typeof now === "string" && isSamePem(before, now);
}

async function createNew(
  { client, isOthers }: Operation<Inputs, Outputs>,
  { privateKey, certificate, certificateAuthorityCertificate }: Inputs,
): Promise<Created<Outputs>> {
  // Read before the create, whose outcome cannot be recorded without it.
  await accountIdOf(client);
  const before = new Set((await certificatesOf(client)).map(({ id }) => id));
  const request = {
    ...({ method: "PUT", path: certificatePath(), shape: remoteCertificate } as const),
    body: { cert: certificate, key: privateKey, ca: certificateAuthorityCertificate },
    secrets: [privateKey],
  };
  const look = async (): Promise<RemoteCertificate | undefined> =>
    (await certificatesOf(client)).find(
      (one) => !before.has(one.id) && !isOthers(one.id) && isOfText(one, certificate),
    );
  const remote = await client.create({ request, look, existed: false, mayBeTwice: true });
  if (before.has(remote.id)) throw new Error(alreadyThere(remote.id));
  return resultOf(client, remote);
}

/** The service may return an existing certificate. The program does not own it, and must not delete it later. */
const alreadyThere = (id: string): string =>
  `The account already has this certificate (${id}). Import it, or delete it at the service and run again.`;

export const certificatesOf = (client: Client): Promise<RemoteCertificate[]> =>
  client.listNow(certificatePath(), certificateList, ({ certs }) => certs);

const resultOf = async (
  client: Client,
  { id, cns, expiresAt }: RemoteCertificate,
): Promise<Created<Outputs>> => ({
  id,
  accountId: await accountIdOf(client),
  outputs: { cns, expiresAt },
});
