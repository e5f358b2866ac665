import * as z from "zod";
import { putDnsRecord, removeDnsRecords, zoneKey } from "../../platform/dns-store";
import { dnsName, zoneRecord, zoneType } from "../../seed/zone";
import { controlRoute } from "../route";

const params = z.object({ name: dnsName.describe("Name of the records.") });

/** Replaces the records of a name and type in the embedded zone. */
const putRecords = controlRoute({
  method: "PUT",
  path: "/dns/:name",
  operationId: "putDnsRecords",
  summary: "Replaces the records of a name and type (TXT, A or CNAME) in the embedded DNS zone.",
  example: { type: "TXT", values: ["vc-domain-verify=example.com,0123456789abcdef0123"] },
  params,
  body: z
    .strictObject({ type: zoneType, values: z.array(z.string()).min(1) })
    .transform(({ type, values }, context) => {
      if (type === "CNAME" && values.length > 1)
        context.addIssue({ code: "custom", path: ["values"], message: "a name has one CNAME record" });
      const read = values.map((value, at) => {
        const { data, error } = zoneRecord.safeParse({ name: "example.com", type, value });
        for (const { message } of error?.issues ?? [])
          context.addIssue({ code: "custom", path: ["values", at], message });
        return data?.value ?? value;
      });
      return { type, values: read };
    }),
  async handle({ params: { name }, body: { type, values }, services }) {
    await services.store.write(async (tx) => {
      await removeDnsRecords(tx, name, type);
      for (const value of values) await putDnsRecord(tx, { name, type, value });
    }, zoneKey);
    return { name, type, values };
  },
});

/** Removes the records of a name, if there are any. */
const deleteRecords = controlRoute({
  method: "DELETE",
  path: "/dns/:name",
  operationId: "deleteDnsRecords",
  summary: "Deletes the records of a name; with `type`, only those of this type.",
  params,
  query: z.object({ type: zoneType.optional().describe("Only records of this type.") }),
  handle: ({ params: { name }, query: { type }, services }) =>
    services.store.write((tx) => removeDnsRecords(tx, name, type), zoneKey),
});

export const dnsRoutes = [putRecords, deleteRecords];
