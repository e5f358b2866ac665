import * as z from "zod";
import { command } from "../core/command";
import { print, printJson } from "../core/output";
import { control, serverNote } from "./control";

/** The TXT records of a name. */
export const records = z.strictObject({ name: z.string(), values: z.array(z.string()) });

export const dnsSet = command({
  summary: "sets the TXT records of a name",
  description:
    "Sets the TXT records of a name in the server's own DNS zone, where it looks for verification records. They replace those that the name had.",
  arguments: [
    { name: "name", help: "the name of the records, such as _vercel.example.com" },
    { name: "value", isRepeated: true, help: "the values" },
  ],
  examples: [
    [
      "slipway dns set _vercel.example.com vc-domain-verify=www.example.com,0123456789abcdef0123",
      "lets the server verify a domain",
    ],
  ],
  notes: serverNote,
  output: records,
  async run({ args: [name = "", ...values], json }) {
    const set = await setRecords(name, values);
    if (json) printJson(set);
    else for (const value of set.values) print(`${set.name} TXT ${JSON.stringify(value)}`);
  },
});

/** Replaces the records of a name. @param values none removes them */
export async function setRecords(name: string, values: readonly string[]): Promise<z.output<typeof records>> {
  const path = `/dns/${encodeURIComponent(name)}`;
  if (values.length === 0) {
    await control("DELETE", path);
    return { name, values: [] };
  }
  const answer = (await control("PUT", path, { type: "TXT", values })) as z.output<typeof records>;
  return { name: answer.name, values: answer.values };
}
