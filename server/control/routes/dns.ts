import * as z from "zod";
import { putDnsRecord, removeDnsRecords } from "../../platform/dns-store";
import { dnsName } from "../../seed/document";
import { controlRoute } from "../route";

const params = z.object({ name: dnsName });

/** Replaces the TXT records of a name in the embedded zone. */
const putRecords = controlRoute({
  method: "PUT",
  path: "/dns/:name",
  params,
  body: z.strictObject({ type: z.literal("TXT"), values: z.array(z.string()).min(1) }),
  async handle({ params: { name }, body: { type, values }, services }) {
    await services.store.write(async (tx) => {
      await removeDnsRecords(tx, name);
      for (const value of values) await putDnsRecord(tx, name, value);
    });
    return { name, type, values };
  },
});

/** Removes the records of a name, if there are any. */
const deleteRecords = controlRoute({
  method: "DELETE",
  path: "/dns/:name",
  params,
  handle: ({ params: { name }, services }) => services.store.write((tx) => removeDnsRecords(tx, name)),
});

export const dnsRoutes = [putRecords, deleteRecords];
