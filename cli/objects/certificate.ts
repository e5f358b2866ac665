import { ifAllowed } from "../../provider/client/errors";
import {
  certificateList,
  certificatesOf,
  remoteCertificate,
  customCertificate as resource,
} from "../../provider/resources/custom-certificate";
import { type AccountKind, itemOf } from "./kind";
import { listOperation, oneOperation } from "./operation";
import { objectOf, textIn } from "./recorded";

/**
 * A certificate of the account. The API returns neither its content nor its private key: an import from the service
 * skips it, and the copy of a rehearsal has its domains and its expiry.
 */
export const certificate = {
  name: "certificate",
  owner: "account",
  resource,
  suffix: "certificate",
  weight: 30,
  section: "certificates",
  async rows({ client }) {
    const all = await ifAllowed(certificatesOf(client));
    // The API returns the newest first.
    return all
      ?.map(({ id, cns, autoRenew, expiresAt, createdAt }) => ({ id, cns, autoRenew, expiresAt, createdAt }))
      .reverse();
  },
  items: (row) => [itemOf(row, { name: Array.isArray(row.cns) ? row.cns.join(", ") : String(row.id) })],
  recorded: {
    vercel_custom_certificate: (one) => {
      const inputs = Object.fromEntries(
        Object.entries(attributes).flatMap(([name, attribute]) => {
          const text = textIn(one.values, attribute);
          return text === undefined ? [] : [[name, text]];
        }),
      );
      return [objectOf(one, resource, textIn(one.values, "id"), { known: { inputs } })];
    },
  },
  operations: {
    list: listOperation("/v8/certs", "certificates", certificateList, "certs", "createdAt"),
    one: oneOperation("/v8/certs/{id}", "certificate", remoteCertificate),
  },
} as const satisfies AccountKind;

const attributes = {
  privateKey: "private_key",
  certificate: "certificate",
  certificateAuthorityCertificate: "certificate_authority_certificate",
};
