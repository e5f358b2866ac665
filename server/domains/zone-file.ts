import { canonicalDomain } from "./names";
import { type CreateRecord, createRecord } from "./record-schema";

/** A record of a zone file, with the members that a request for it would have. */
export interface ZoneFileRecord {
  line: number;
  members: CreateRecord;
}

/** Why a zone file cannot be read. */
export interface ZoneFileProblem {
  line: number;
  message: string;
}

/** The largest number of records in a file. @choice They are added in one transaction. */
const mostRecords = 1_000;

/** A logical line: parentheses join several lines of the file. */
interface Entry {
  line: number;
  /** True if the line begins with white space: its records have the name of the record before. */
  isContinued: boolean;
  words: { text: string; isQuoted: boolean }[];
}

/** How names are completed and which time to live counts, at a line of the file. */
interface Settings {
  origin: string;
  ttl: number | undefined;
  owner: string | undefined;
}

const isProblem = (read: object): read is ZoneFileProblem => "message" in read;

/**
 * Reads the records of a zone file, as RFC 1035 describes it.
 * @choice The SOA record and the name servers of the domain itself are left out, because the service sets these.
 *   `$INCLUDE` and `$GENERATE` are refused.
 */
export function readZoneFile(text: string, domain: string): ZoneFileRecord[] | ZoneFileProblem {
  const settings: Settings = { origin: `${domain}.`, ttl: undefined, owner: undefined };
  const records: ZoneFileRecord[] = [];
  for (const entry of entriesOf(text)) {
    const read = readEntry(entry, settings, domain);
    if (read === undefined) continue;
    if (isProblem(read)) return read;
    if (records.length === mostRecords)
      return { line: read.line, message: `A file has at most ${mostRecords} records. Split it.` };
    records.push(read);
  }
  return records;
}

/** Splits a file into words: quoted strings, comments and parentheses are understood. */
function entriesOf(text: string): Entry[] {
  const entries: Entry[] = [];
  let entry: Entry | undefined;
  let depth = 0;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (depth === 0) entry = undefined;
    for (const [word, quoted] of line.matchAll(/"((?:[^"\\]|\\.)*)"|;.*|[()"]|[^\s();"]+/g)) {
      if (word.startsWith(";")) break;
      if (word === "(" || word === ")") {
        depth = Math.max(0, depth + (word === "(" ? 1 : -1));
        continue;
      }
      if (!entry) {
        entry = { line: at + 1, isContinued: /^\s/.test(line), words: [] };
        entries.push(entry);
      }
      const isQuoted = quoted !== undefined;
      entry.words.push({ text: isQuoted ? quoted.replace(/\\(.)/g, "$1") : word, isQuoted });
    }
  }
  return entries;
}

function readEntry(
  { line, isContinued, words }: Entry,
  settings: Settings,
  domain: string,
): ZoneFileRecord | ZoneFileProblem | undefined {
  const wrong = (message: string): ZoneFileProblem => ({ line, message });
  if (words.some(({ text, isQuoted }) => text === '"' && !isQuoted))
    return wrong("A text in double quotes must end on its line.");
  const rest = [...words];
  const [first] = rest;
  if (first?.text.startsWith("$")) {
    const [directive = "", value = ""] = words.map(({ text }) => text);
    if (directive.toUpperCase() === "$ORIGIN") settings.origin = absolute(value, settings);
    else if (directive.toUpperCase() === "$TTL") settings.ttl = ttlOf(value);
    else return wrong(`${directive} is not supported. Write its records into the file.`);
    return undefined;
  }
  if (!isContinued) settings.owner = absolute(rest.shift()?.text ?? "@", settings);
  const { owner } = settings;
  if (owner === undefined) return wrong("The first record needs a name.");
  let { ttl } = settings;
  while (rest[0] && (ttlOf(rest[0].text) !== undefined || /^(IN|CH|HS)$/i.test(rest[0].text)))
    ttl = ttlOf(rest.shift()?.text ?? "") ?? ttl;
  const type = rest.shift()?.text.toUpperCase() ?? "";
  const name = relative(owner, domain);
  if (name === undefined) return wrong(`${owner} is not under ${domain}.`);
  if (type === "SOA" || (type === "NS" && name === "")) return undefined;
  const parsed = createRecord.safeParse({
    name,
    type,
    ...(ttl === undefined ? {} : { ttl }),
    ...membersOf(type, rest, settings),
  });
  if (parsed.success) return { line, members: parsed.data };
  const [issue] = parsed.error.issues;
  return wrong(`Invalid record of type ${type}: ${issue?.path.join(".")}: ${issue?.message}`);
}

/** The members for the data of a record. */
function membersOf(type: string, words: Entry["words"], settings: Settings): object {
  const texts = words.map(({ text }) => text);
  const host = (text = "") => absolute(text, settings);
  const [first = "", second, third, fourth] = texts;
  switch (type) {
    case "CNAME":
    case "ALIAS":
    case "NS":
      return { value: host(first) };
    case "MX":
      return { mxPriority: Number(first), value: host(second) };
    case "SRV": {
      const [priority, weight, port] = [first, second, third].map(Number);
      return { srv: { priority, weight, port, target: host(fourth) } };
    }
    case "HTTPS":
      return { https: { priority: Number(first), target: host(second), params: texts.slice(2).join(" ") } };
    case "CAA":
      return { value: `${first} ${second} "${third}"` };
    // The strings of a TXT record are parts of one text.
    case "TXT":
      return { value: texts.join(words.some(({ isQuoted }) => isQuoted) ? "" : " ") };
    default:
      return { value: texts.join(" ") };
  }
}

/** A name with a dot at its end. */
function absolute(name: string, { origin }: Settings): string {
  if (name === "@") return origin;
  return name.endsWith(".") ? name : `${name}.${origin}`;
}

const withoutDot = (name: string): string => (name === "." ? name : name.replace(/\.$/, ""));

/** A name below a domain; empty for the domain itself, undefined for a name that is not in it. */
function relative(owner: string, domain: string): string | undefined {
  const name = canonicalDomain(withoutDot(owner));
  if (name === domain) return "";
  return name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : undefined;
}

const unitSeconds: Record<string, number> = { "": 1, s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** A time to live, such as `3600` or `1h30m`, in seconds; undefined for another word. */
function ttlOf(word: string): number | undefined {
  if (!/^(?:\d+|(?:\d+[smhdw])+)$/i.test(word)) return undefined;
  const parts = word.toLowerCase().matchAll(/(\d+)([smhdw]?)/g);
  return [...parts].reduce((sum, [, count, unit = ""]) => sum + Number(count) * (unitSeconds[unit] ?? 1), 0);
}
