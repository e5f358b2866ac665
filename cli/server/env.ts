import * as z from "zod";
import { command } from "../core/command";
import { UserError } from "../core/errors";
import { print, printJson, say } from "../core/output";
import { control, findTarget, serverNote } from "./control";

const account = z.object({
  team: z.object({ slug: z.string() }),
  tokens: z.array(z.string()).min(1),
});

/** Environment variables by name. */
const variables = z.record(z.string(), z.string());

/** How to set a variable, by shell. Values have no line breaks. */
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
    "token and the team of its development account, and its control token.",
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
    const found = await read();
    if (json) return printJson(found);
    const statement = statements[format];
    for (const [name, value] of Object.entries(found)) print(statement(name, value));
  },
});

async function read(): Promise<z.output<typeof variables>> {
  const target = findTarget();
  const answer = z
    .object({ account: account.nullable() })
    .safeParse(await control("GET", "/development-account", undefined, target));
  if (!answer.success) throw new UserError(`${target.url} does not answer as a server of this version does.`);
  const development = answer.data.account;
  if (development === null)
    say("the server has no development account: set SLIPWAY_TOKEN and SLIPWAY_TEAM to those of its data");
  return {
    SLIPWAY_API_URL: target.url,
    ...(development && { SLIPWAY_TOKEN: development.tokens[0] ?? "", SLIPWAY_TEAM: development.team.slug }),
    ...(target.token !== undefined && { SLIPWAY_CONTROL_TOKEN: target.token }),
  };
}
