/** Formats the fields of a JSON Schema as rows of a Markdown table. */

/** The largest number of values that a table lists. */
const longestList = 9;

/**
 * @param {object} resource `inputs` and `outputs` are JSON Schemas, and `about` has their descriptions. The other keys
 *   say which fields have a default, replace the resource, are secret, or are supplied by the class of the resource.
 * @param {"inputs" | "outputs"} part
 * @returns {string[][]}
 */
export function fieldsOf({ about, defaults, replaceOn, secret, supplied = [], ...schemas }, part) {
  const rows = [];
  const add = (schema, prefix, keys) => {
    for (const [key, inner] of Object.entries(schema.properties ?? {})) {
      const top = keys === "";
      const path = keys + key;
      const text = about[part].get(path);
      if (text === undefined) throw new Error(`${part}.${path} has no description: comment it in its schema`);
      const isSupplied = top && supplied.includes(key);
      const isRequired = part === "inputs" && (schema.required ?? []).includes(key) && !isSupplied;
      const marks = [
        ...(isRequired ? ["Required."] : []),
        ...(top && replaceOn.includes(key) && !/replaces/.test(text) ? ["Changing it replaces."] : []),
        ...(top && secret.includes(key) && !/secret/i.test(text) ? ["Secret."] : []),
      ];
      const row = [`\`${prefix}${key}\``, typeOf(inner, key), [text, ...marks].join(" ")];
      if (part === "inputs") row.push(top && key in defaults ? `\`${JSON.stringify(defaults[key])}\`` : "");
      rows.push(row);
      nested(inner, `${prefix}${key}`, `${path}.`);
    }
  };
  const nested = (schema, shown, keys) => {
    for (const option of schema.anyOf ?? [schema]) {
      if (option.properties) add(option, `${shown}.`, keys);
      if (option.items) nested(option.items, `${shown}[]`, keys);
      if (typeof option.additionalProperties === "object")
        nested(option.additionalProperties, `${shown}.*`, keys);
    }
  };
  add(schemas[part], "", "");
  return rows;
}

/** @returns {string[]} a list for each input whose values are too many for the table */
export function listsOf(schema) {
  const lists = ([key, inner]) => {
    const options = inner.anyOf ?? [inner];
    const values = options.flatMap(({ items = {}, ...option }) => {
      return option.enum ?? option.examples ?? items.enum ?? items.examples ?? [];
    });
    const below = options.flatMap(({ properties, items }) =>
      Object.entries({ ...properties, ...items?.properties }).flatMap(lists),
    );
    if (values.length <= longestList) return below;
    return ["", `### Values of ${key}`, "", `${values.map((value) => `\`${value}\``).join(", ")}`, ...below];
  };
  return Object.entries(schema.properties).flatMap(lists).slice(1);
}

function typeOf(schema, key) {
  if (schema.anyOf) return schema.anyOf.map((option) => typeOf(option, key)).join(" or ");
  const values = schema.enum ?? schema.examples;
  if (values) {
    // A newer service may accept other values than the examples.
    const others = schema.examples ? ", or another value" : "";
    if (values.length > longestList) return `one of [the list](#values-of-${key.toLowerCase()})${others}`;
    return values.map((value) => `\`${value}\``).join(", ") + others;
  }
  if (Array.isArray(schema.type))
    return schema.type.map((type) => typeOf({ ...schema, type }, key)).join(" or ");
  if (schema.const !== undefined) return `\`${schema.const}\``;
  switch (schema.type) {
    case "string":
      return limited("string", schema.maxLength, " characters");
    case "integer":
    case "number": {
      const top = schema.maximum < Number.MAX_SAFE_INTEGER ? schema.maximum : undefined;
      return limited(schema.type, top, "");
    }
    case "array":
      return `list of ${typeOf(schema.items, key)}`;
    case "object":
      return typeof schema.additionalProperties === "object"
        ? `map to ${typeOf(schema.additionalProperties, key)}`
        : "object";
    case undefined:
      return "any value";
    default:
      return schema.type;
  }
}

const limited = (type, limit, unit) => (limit === undefined ? type : `${type} (at most ${limit}${unit})`);

/** A TypeScript type as the tables show it. */
export const typeText = (type) => `\`${type.replace(/ \| undefined/g, "").replace(/\|/g, "\\|")}\``;

/** A table in Markdown, formatted like Biome does. */
export function table(head, rows) {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replace(/([^\\])\|/g, "$1\\|")));
  const widths = head.map((_, i) => Math.max(3, ...cells.map((row) => [...row[i]].length)));
  const line = (row, fill) => `| ${row.map((cell, i) => cell.padEnd(widths[i], fill)).join(" | ")} |`;
  return [
    line(cells[0], " "),
    line(
      head.map(() => ""),
      "-",
    ),
    ...cells.slice(1).map((row) => line(row, " ")),
  ];
}
