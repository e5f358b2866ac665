import { customCertificate } from "../../../provider/resources/custom-certificate";
import { first, firstInOtherForm, second, uploadOf } from "../../support/certificates";
import { life, type Row, type Subject } from "../subject";

const path = "/v8/certs";

const input = (name: keyof typeof first, other: string): Row => ({
  path: name,
  first: first[name],
  second: other,
  changed: "replace",
  cleared: new RegExp(`^${name} is missing`),
  shown: () => ({ cns: ["api.example.com"] }),
  drift: "no request of the API changes a certificate",
});

export const subject: Subject = {
  resource: customCertificate,
  handler: "certificate",
  prepare: async () => ({ given: first }),
  look: (w, id) => w.curl("GET", `${path}/${id}`),
  async all(w) {
    const { certs } = (await w.curl("GET", path)) as unknown as { certs: Record<string, unknown>[] };
    return certs.map(({ cns, expiresAt, autoRenew }) => ({ cns, expiresAt, autoRenew }));
  },
  listed: {
    query: {},
    names: ["api.example.com", "example.org, *.example.org"],
    async prepare(w) {
      for (const one of [first, second]) await w.curl("PUT", path, uploadOf(one));
    },
  },
  rows: [
    input("privateKey", firstInOtherForm.privateKey),
    input("certificate", firstInOtherForm.certificate),
    input("certificateAuthorityCertificate", second.certificate),
  ],
  operations: life(
    customCertificate,
    () => first,
    () => second,
  ).map((operation) => ({ ...operation, nameless: true as const })),
};
