import { UsageError, UserError } from "../core/errors";
import { textsIn } from "./program-files";

/** Refuses, before a rehearsal begins, programs and settings that could change something for real. */

/** Variables that let the CLI use plugins that already run: they do not know of the rehearsal. */
const attaching = ["PULUMI_DEBUG_PROVIDERS", "PULUMI_DEBUG_LANGUAGES"];

/** Flags in variables that select what the command works on, or reach beyond the copy. */
const flagVariable = /^PULUMI_OPTION_(CWD|STACK|CONFIG_FILE|CLIENT|EVENT_LOG|REMOVE|REMOTE\w*)$/;

/** @throws UserError, UsageError */
export function refuseVariables(environment: NodeJS.ProcessEnv = process.env): void {
  for (const [name, value] of Object.entries(environment)) {
    if (!value) continue;
    if (attaching.includes(name))
      throw new UserError(`${name} names plugins that run already and could change the account. Unset it.`);
    if (flagVariable.test(name))
      throw new UsageError(`A rehearsal does not follow ${name}. Unset it, and give the flag after --.`);
  }
}

/** Code that the Pulumi engine runs for a resource, by the file extensions of its languages. */
const codePatterns = [
  {
    pattern: /\bdynamic\s*\.\s*Resource(Provider)?\b|@pulumi\/pulumi\/dynamic/,
    extensions: /^\.[cm]?[jt]sx?$/,
    allow: "pulumi-nodejs",
    what: "dynamic resources",
  },
  {
    pattern: /\bpulumi\.dynamic\b|\bfrom\s+pulumi\s+import\b.*\bdynamic\b/,
    extensions: /^\.py$/,
    allow: "pulumi-python",
    what: "dynamic resources",
  },
  {
    pattern: /\b(New|Register)?ResourceHook\s*\(|\bregister_resource_hook\b/,
    extensions: /^\.([cm]?[jt]sx?|py|go|cs|fs|java|kt)$/,
    allow: "hooks",
    what: "resource hooks",
  },
];

/**
 * Refuses a program with dynamic resources or resource hooks of its own, which would run for real.
 * @param folder the folder of the program @throws UserError
 */
export function refuseOwnCode(folder: string, allowed: readonly string[]): void {
  const active = codePatterns.filter(({ allow }) => !allowed.includes(allow));
  for (const { path, extension, text } of textsIn(folder)) {
    const found = active.find(({ extensions, pattern }) => extensions.test(extension) && pattern.test(text));
    if (found === undefined) continue;
    throw new UserError(
      `The program has ${found.what} (${path}), which a rehearsal would run for real. ` +
        `If they may run, or the program does not use them, add --allow ${found.allow}.`,
    );
  }
}
