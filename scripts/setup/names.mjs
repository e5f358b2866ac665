/** The name of a resource's module, page and own class file: `env-vars` for EnvVars. @param {string} type */
export const fileOf = (type) => type.replace(/(?!^)[A-Z]/g, "-$&").toLowerCase();

/** A resource in a sentence: "a custom environment". @param {string} type */
export function inWords(type) {
  const words = fileOf(type)
    .replaceAll("-", " ")
    .replace(/^env var/, "environment variable");
  if (words.endsWith("s")) return `a set of ${words}`;
  return `${/^[aeiou]/.test(words) ? "an" : "a"} ${words}`;
}

/** Whether a page of docs/ is only for Pulumi's registry. Other sites cannot show the format of these pages. */
export const isOfRegistry = (page) => /(^|[\\/])(_index|installation-configuration)\.md$/.test(page);
