import * as z from "zod";
import { command } from "../core/command";
import { UserError } from "../core/errors";
import { print, printJson, say } from "../core/output";
import { control, findTarget, serverNote } from "./control";
import { readRecord } from "./record";

const account = z.object({
  team: z.object({ slug: z.string() }),
  tokens: z.array(z.string()).min(1),
});

const names = ["SLIPWAY_API_URL", "SLIPWAY_TOKEN", "SLIPWAY_TEAM", "SLIPWAY_CONTROL_TOKEN"] as const;

/** Environment variables by name. An empty one counts as not set. */
const variables = z.record(z.string(), z.string());

/** How to set a variable, by shell. Values consist of visible characters of ASCII. */
const statements = {
  sh: (name: string, value: string) => `export ${name}='${value.replaceAll("'", "'\\''")}'`,
  fish: (name: string, value: string) => `set -gx ${name} '${value.replace(/[\\']/g, "\\$&")}'`,
  powershell: (name: string, value: string) => `$env:${name} = '${value.replaceAll("'", "''")}'`,
  dotenv: (name: string, value: string) => `${name}=${value}`,
} satisfies Record<string, (name: string, value: string) => string>;
type Format = keyof typeof statements;
const formats = Object.keys(statements) as Format[];

export const env = command({
  summary: "prints the variables that point Pulumi at the server",
  description:
    "Prints the environment variables that point Pulumi programs and the other commands at the server: its address, the " +
    "token and the team of its development account, and its control token. The format dotenv leaves out the control " +
    "token, because logs of pipelines show such variables. If it fails, it prints a command that fails.",
  flags: {
    format: { value: "format", choices: formats, help: "of the output", default: "sh" },
  },
  examples: [
    ['eval "$(slipway env)"', "for this shell, in any folder"],
    ["slipway env --format fish | source", "for fish"],
    ["slipway env --format powershell | Invoke-Expression", "for PowerShell"],
    ['slipway env --format dotenv >> "$GITHUB_ENV"', "for the next steps of a job of GitHub Actions"],
  ],
  notes: serverNote,
  output: variables,
  async run({ flags: { format }, json }) {
    try {
      const { SLIPWAY_CONTROL_TOKEN, ...found } = await read();
      const all = format === "dotenv" && !json ? found : { ...found, SLIPWAY_CONTROL_TOKEN };
      if (json) return printJson(all);
      for (const [name, value] of Object.entries(all)) print(statements[format](name, value));
    } catch (error) {
      // A shell ignores that the command failed whose output it evaluates.
      if (!json && (format === "sh" || format === "fish")) print("false");
      throw error;
    }
  },
});

/** The server that was started in this folder comes first: the variables of the shell may name the API itself. */
async function read(): Promise<Record<(typeof names)[number], string>> {
  const target = readRecord() === undefined ? findTarget() : findTarget({});
  const answer = z
    .object({ account: account.nullable() })
    .safeParse(await control("GET", "/development-account", undefined, target));
  if (!answer.success) throw new UserError(`${target.url} does not answer as a server of this version does.`);
  const development = answer.data.account;
  if (development === null)
    say("the server has no development account: set SLIPWAY_TOKEN and SLIPWAY_TEAM to those of its data");
  const found = {
    SLIPWAY_API_URL: target.url,
    // An empty variable counts as not set.
    SLIPWAY_TOKEN: development?.tokens[0] ?? "",
    SLIPWAY_TEAM: development?.team.slug ?? "",
    SLIPWAY_CONTROL_TOKEN: target.token ?? "",
  };
  for (const name of names) {
    if (!/^[\x21-\x7e]*$/.test(found[name]))
      throw new UserError(`The value for ${name} has a character that no shell can be trusted with.`);
  }
  return found;
}
