import * as z from "zod";
import { command } from "../core/command";
import { print, printJson } from "../core/output";
import { control, serverNote } from "./control";

/** The records of one name and type. */
export const records = z.strictObject({ name: z.string(), type: z.string(), values: z.array(z.string()) });
type Records = z.output<typeof records>;

export const typeFlag = {
  value: "type",
  help: "the type of the records",
  choices: ["TXT", "A", "CNAME"],
  default: "TXT",
} as const;

export const dnsSet = command({
  summary: "sets the TXT, A or CNAME records of a name",
  description:
    "Sets the records of a name in the server's own DNS zone. The server looks there for the TXT records that verify domains, and for the A and CNAME records of domains. The new records replace those of the same name and type.",
  arguments: [
    { name: "name", help: "the name of the records, such as _vercel.example.com" },
    { name: "value", isRepeated: true, help: "the values" },
  ],
  flags: { type: typeFlag },
  examples: [
    [
      "slipway dns set _vercel.example.com vc-domain-verify=www.example.com,0123456789abcdef0123",
      "lets the server verify a domain",
    ],
    ["slipway dns set --type CNAME www.example.com cname.slipway.app", "lets a domain point at the service"],
  ],
  notes: serverNote,
  output: records,
  async run({ args: [name = "", ...values], flags, json }) {
    const set = await setRecords({ name, type: flags.type, values });
    if (json) printJson(set);
    else printRecords(set);
  },
});

export function printRecords({ name, type, values }: Records): void {
  for (const value of values) print(`${name} ${type} ${type === "TXT" ? JSON.stringify(value) : value}`);
}

/** Replaces the records of one name and type. Without values, removes the records. */
export async function setRecords({ name, type, values }: Records): Promise<Records> {
  const path = `/dns/${encodeURIComponent(name)}`;
  if (values.length === 0) {
    await control("DELETE", `${path}?type=${type}`);
    return { name, type, values: [] };
  }
  const answer = (await control("PUT", path, { type, values })) as Records;
  return { name: answer.name, type, values: answer.values };
}
