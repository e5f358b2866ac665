import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/server";

interface Counterpart {
  type: string;
  names?: Record<string, string>;
  texts?: Record<string, string>;
}

const {
  counterparts,
  dataSourceRows,
  dataSources,
  rowsOf,
}: {
  counterparts: Record<string, Counterpart>;
  dataSources: Record<string, string>;
  dataSourceRows(terraform: { dataSources: readonly string[] }, lookups: readonly string[]): string[][];
  rowsOf(counterpart: Counterpart, attributes: readonly string[], schema: unknown): string[][];
} = require("../../scripts/docs/terraform.mjs");

const json = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"));
const terraform = json("scripts/docs/terraform.json") as {
  resources: Record<string, string[]>;
  dataSources: string[];
};
const { resources } = terraform;
const schema = json("schema.json");
const all = Object.entries(counterparts);

it.each(all)("has an input, an output or a reason for each attribute of %s", (name, counterpart) => {
  const attributes = resources[name] ?? [];
  expect(attributes).not.toEqual([]);
  expect(rowsOf(counterpart, attributes, schema).length).toBeGreaterThan(0);
});

it.each(all)("names no attribute that %s does not have", (name, { names = {}, texts = {} }) => {
  const attributes = resources[name] ?? [];
  expect([...Object.keys(names), ...Object.keys(texts)].filter((path) => !attributes.includes(path))).toEqual(
    [],
  );
});

it("refuses an attribute without an input, and a resource that the schema does not have", () => {
  expect(() => rowsOf({ type: "Alias" }, ["no_such"], schema)).toThrow(/no_such has no input noSuch/);
  expect(() => rowsOf({ type: "Alias" }, ["alias.part"], schema)).toThrow(/has no input alias\.part/);
  expect(() => rowsOf({ type: "None" }, ["alias"], schema)).toThrow(/no resource None/);
});

it("uses the longest beginning of a path that has another name, and leaves out what is below a text", () => {
  const attributes = ["id", "git.hooks", "git.hooks.url", "vars", "vars.key"];
  const names = { git: "gitRepository", "git.hooks": "deployHooks", "git.hooks.url": "deployHookUrls" };
  expect(rowsOf({ type: "Project", names, texts: { vars: "others" } }, attributes, schema)).toEqual([
    ["`git.hooks`", "`deployHooks`"],
    ["`git.hooks.url`", "`deployHookUrls`"],
    ["`vars`", "others"],
  ]);
});

it("has a look-up or an explanation for each data source, and for no other", () => {
  const lookups = Object.keys(schema.functions).map((token) => token.replace("slipway:index:", ""));
  const rows = dataSourceRows(terraform, lookups);
  expect(rows).toHaveLength(terraform.dataSources.length);
  expect(rows).toContainEqual(["`vercel_log_drain`", "`getLogDrain`"]);
  expect(Object.keys(dataSources).filter((name) => !terraform.dataSources.includes(name))).toEqual([]);
  expect(() => dataSourceRows({ dataSources: ["vercel_alias"] }, [])).toThrow("there is no look-up getAlias");
});
