/** Quotes a text for the shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Quotes a text if the shell would read it as more than one word. */
export const shellArgument = (text: string): string => (/^[\w./@:+-]+$/.test(text) ? text : quoted(text));

/** Lines of a shell script that fall back to the Pulumi CLI of the npm package if none is on `PATH`. */
export const commandFallback = [
  "# If the CLI is not on PATH, use the one of the npm package.",
  'command -v pulumi > /dev/null || pulumi() { npx pulumi "$@"; }',
];
