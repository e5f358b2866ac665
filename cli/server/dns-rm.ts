import { command } from "../core/command";
import { UserError } from "../core/errors";
import { print, printJson } from "../core/output";
import { suggestion } from "../core/suggest";
import { control, serverNote } from "./control";
import { printRecords, records, setRecords, typeFlag } from "./dns-set";

export const dnsRm = command({
  summary: "removes TXT, A or CNAME records of a name",
  description:
    "Removes all records of a name and type from the server's own DNS zone, or only those with the given values.",
  arguments: [
    { name: "name", help: "the name of the records" },
    { name: "value", isOptional: true, isRepeated: true, help: "the values to remove; by default all" },
  ],
  flags: { type: typeFlag },
  examples: [["slipway dns rm _vercel.example.com", "removes all TXT records of the name"]],
  notes: serverNote,
  output: records,
  async run({ args: [given = "", ...values], flags: { type }, json }) {
    const { dns } = (await control("GET", "/snapshot")) as Zone;
    const ofType = dns.filter((record) => record.type === type);
    const name = given.toLowerCase().replace(/\.$/, "");
    const before = ofType.filter((record) => record.name === name).map(({ value }) => value);
    if (before.length === 0) {
      const names = ofType.map((record) => record.name);
      throw new UserError(`${name} has no ${type} records.${suggestion(name, names)}`);
    }
    const unknown = values.find((value) => !before.includes(value));
    if (unknown !== undefined) {
      throw new UserError(`${name} has no record ${JSON.stringify(unknown)}.${suggestion(unknown, before)}`);
    }
    const left = values.length === 0 ? [] : before.filter((value) => !values.includes(value));
    const set = await setRecords({ name, type, values: left });
    if (json) return printJson(set);
    if (left.length === 0) print(`${name} has no ${type} records now`);
    else printRecords({ name, type, values: left });
  },
});

interface Zone {
  dns: { name: string; type: string; value: string }[];
}
