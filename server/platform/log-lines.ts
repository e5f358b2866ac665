/** The log for people: one line for each request and for each other event. */

/** An entry of the log as pino writes it. */
interface Entry {
  level: number;
  time: number;
  msg: string;
  pid?: number;
  hostname?: string;
  err?: { stack?: string; message?: string };
  [member: string]: unknown;
}

const colour = { red: 31, green: 32, yellow: 33, cyan: 36, grey: 90 };
type Colour = keyof typeof colour;

/** @returns a function that gets an entry of pino as JSON and writes it as a line for people */
export function lineWriter(
  output: Pick<NodeJS.WriteStream, "write">,
  hasColours: boolean,
): (json: string) => void {
  const paint = (name: Colour, text: string): string =>
    hasColours ? `\u001b[${colour[name]}m${text}\u001b[0m` : text;
  return (json) => {
    const entry: Entry = JSON.parse(json);
    const time = paint("grey", new Date(entry.time).toLocaleTimeString("sv"));
    const line = entry.msg === "request" ? describeRequest(entry, paint) : describeOther(entry, paint);
    output.write(`${time} ${line}\n`);
  };
}

type Paint = (name: Colour, text: string) => string;

function describeRequest({ method, path, status, code, ms }: Entry, paint: Paint): string {
  const answer = status === null ? paint("red", "dropped") : paint(colourOf(Number(status)), String(status));
  return [
    answer,
    `${shown(method).padEnd(6)} ${shown(path)}`,
    ...(code === undefined ? [] : [paint("yellow", shown(code))]),
    paint("grey", `${shown(ms)} ms`),
  ].join("  ");
}

const colourOf = (status: number): Colour => (status >= 500 ? "red" : status >= 400 ? "yellow" : "green");

function describeOther(
  { level, time: _time, msg, pid: _pid, hostname: _hostname, err, ...about }: Entry,
  paint: Paint,
): string {
  const members = Object.entries(about).map(([name, value]) => `${name}=${shown(value)}`);
  const words = [nameOf(level, paint), shown(msg), paint("grey", members.join(" "))];
  // The first line of the stack contains the message.
  const stack = err
    ? (err.stack ?? err.message ?? "").split("\n").map((line) => `\n    ${shown(line.trim())}`)
    : [];
  return words.filter((word) => word !== "").join("  ") + stack.join("");
}

function nameOf(level: number, paint: Paint): string {
  if (level >= 50) return paint("red", "error");
  if (level >= 40) return paint("yellow", "warning");
  return level >= 30 ? paint("cyan", "info") : "debug";
}

/** Formats a value, and escapes control characters: text from clients must not control the terminal. */
function shown(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.replace(/\p{Cc}|\p{Cf}/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);
}
