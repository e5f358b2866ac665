import { command } from "../core/command";
import { UserError } from "../core/errors";
import { print, printJson } from "../core/output";
import { suggestion } from "../core/suggest";
import { control, serverNote } from "./control";
import { records, setRecords } from "./dns-set";

export const dnsRm = command({
  summary: "removes TXT records of a name",
  description:
    "Removes the TXT records of a name from the server's own DNS zone, or only those with the given values.",
  arguments: [
    { name: "name", help: "the name of the records" },
    { name: "value", isOptional: true, isRepeated: true, help: "the values to remove; by default all" },
  ],
  examples: [["slipway dns rm _vercel.example.com", "removes all TXT records of the name"]],
  notes: serverNote,
  output: records,
  async run({ args: [given = "", ...values], json }) {
    const { dns } = (await control("GET", "/snapshot")) as { dns: { name: string; value: string }[] };
    const name = given.toLowerCase().replace(/\.$/, "");
    const before = dns.filter((record) => record.name === name).map(({ value }) => value);
    if (before.length === 0) {
      const names = dns.map((record) => record.name);
      throw new UserError(`${name} has no TXT records.${suggestion(name, names)}`);
    }
    const unknown = values.find((value) => !before.includes(value));
    if (unknown !== undefined) {
      throw new UserError(`${name} has no record ${JSON.stringify(unknown)}.${suggestion(unknown, before)}`);
    }
    const left = values.length === 0 ? [] : before.filter((value) => !values.includes(value));
    const set = await setRecords(name, left);
    if (json) return printJson(set);
    if (left.length === 0) print(`${name} has no TXT records now`);
    for (const value of left) print(`${name} TXT ${JSON.stringify(value)}`);
  },
});
