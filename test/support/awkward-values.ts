/** Values of variables that a format, a shell or a language could change. Each must keep every byte. */
export const awkwardValues: readonly string[] = [
  ...["", "\n", "\r\n", "a\n", "a\r\n", "a\n\n\n", "\n a", "a\rb", " ", "\t\t", "  x  ", "\ufeffx\u2028"],
  ...["1.10", "1e3", "007", "0", "-5", "+1", "0x1F", "12345678901234567890", ".5", "1_000", "NaN", "inf"],
  ...["null", "true", "False", "t", "~", "yes", "on", "2020-01-01", "a: b", "- x", "# c", "!tag", "@x"],
  ...['{"a":1}', "[1]", '"quoted"', " 1 ", "{open", "é漢😀\u200b", "'\"`", "it's 'quoted'", "\\", "%s%n\\n"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a text that a language could take for a reference
  ...["-rf", "--help", "$VAR ${x} $(id) `id`", "$${y}"],
  "-----BEGIN KEY-----\nabc\n-----END KEY-----\n",
  "x".repeat(64_000),
];
