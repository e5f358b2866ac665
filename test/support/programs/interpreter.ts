import type { Stack } from "../pulumi";
import type { Program } from "./program";

/** A program that makes what `resources.json` beside it declares. */
export const interpreter = `
  import { readFileSync } from "node:fs";
  import * as slipway from "slipway";
  const made = {};
  const resolve = (value) => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== "object" || value === null) return value;
    if ("$ref" in value) return made[value.$ref][value.output];
    if ("$secret" in value) return pulumi.secret(value.$secret);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item)]));
  };
  const declared = JSON.parse(readFileSync(new URL("resources.json", import.meta.url), "utf8"));
  const providers = {};
  const providerOf = (name) => name && (providers[name] ??= new slipway.Provider(name));
  for (const { type, name, args, dependsOn = [], aliases = [], provider, ...options } of declared) {
    made[name] = new slipway[type](name, resolve(args), {
      ...options,
      dependsOn: dependsOn.map((other) => made[other]),
      aliases: aliases.map((name) => ({ name })),
      provider: providerOf(provider),
    });
  }
`;

/** Has the interpreter of a stack make this program. */
export const declare = (stack: Stack, program: Program): void =>
  stack.file("resources.json", JSON.stringify(program));
