/** The reference of the commands in docs/cli.md, and the JSON Schemas of their output with --json. */

import { table } from "./fields.mjs";

/**
 * @param {object[]} commands the commands with their names
 * @param {object} core the functions of cli/core/command.ts
 * @returns {string[]} lines of Markdown
 */
export function commandReference(commands, core) {
  return commands.flatMap(({ name, declared }) => section(name, declared, core)).slice(0, -1);
}

/** @returns {string[][]} rows with a link to the section of each command, and its summary */
export const commandRows = (commands) =>
  commands.map(({ name, declared }) => [
    `[\`${name}\`](#slipway-${name.replaceAll(" ", "-")})`,
    cell(declared.summary),
  ]);

/** The name of the file with the schema of a command's output. */
const schemaFileOf = (name) => `${name.replaceAll(" ", "-")}.json`;

/** @returns {Record<string, string>} the published schemas by their file names */
export function outputSchemas(commands, toJSONSchema) {
  const withOutput = commands.filter(({ declared }) => declared.output !== undefined);
  return Object.fromEntries(
    withOutput.map(({ name, declared }) => {
      const { $schema, ...schema } = toJSONSchema(declared.output, { unrepresentable: "any" });
      const whole = { $schema, title: `slipway ${name} --json`, ...schema };
      return [schemaFileOf(name), `${JSON.stringify(whole, undefined, 2)}\n`];
    }),
  );
}

function section(name, declared, { argumentUsageOf, flagUsageOf, flagsOf, exitCodesOf, usageOf }) {
  const given = declared.arguments ?? [];
  const flags = Object.entries(flagsOf(declared));
  const rows = [
    ...given.map((argument) => [`\`${argumentUsageOf(argument)}\``, about(argument), ""]),
    ...flags.map(([key, flag]) => [`\`${flagUsageOf(key, flag)}\``, about(flag), defaultOf(flag)]),
  ];
  const file = schemaFileOf(name);
  const codes = Object.entries(exitCodesOf(declared)).map(([code, meaning]) => `${code} ${meaning}`);
  return [
    `### \`slipway ${name}\``,
    "",
    declared.description,
    "",
    ...table(
      ["example", ""],
      declared.examples.map(([line, effect]) => [`\`${cell(line)}\``, effect]),
    ),
    "",
    `Usage: \`${["slipway", name, usageOf(declared)].filter(Boolean).join(" ")}\``,
    "",
    ...(rows.length > 0 ? [...table(["", "", "default"], rows), ""] : []),
    ...(declared.output
      ? [
          `[schemas/${file}](schemas/${file}) describes ${declared.isStream ? "each line" : "the output"} of \`--json\`.`,
          "",
        ]
      : []),
    `Exit codes: ${codes.join(", ")}.`,
    "",
  ];
}

const about = ({ help, choices, variable }) =>
  cell(
    [
      help,
      ...(choices ? [`: ${choices.map((choice) => `\`${choice}\``).join(", ")}`] : []),
      ...(variable ? [`; variable \`${variable}\``] : []),
    ].join(""),
  );

const defaultOf = ({ shownDefault, default: value }) =>
  shownDefault ?? (value === undefined || (Array.isArray(value) && value.length === 0) ? "" : `\`${value}\``);

const cell = (text) => text.replaceAll("|", "\\|");
