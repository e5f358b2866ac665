import type { Resource } from "../../core/resource";
import { lookups } from "../../lookups";
import { lookupsById } from "../../lookups/by-id";
import type { Lookup } from "../../lookups/lookup";
import { resources } from "../../resources";
import { explicitKind } from "../settings";
import { tokenOf } from "../tokens";
import { functionSpec } from "./functions";
import { languagesOf, originOf, type Publishing } from "./publishing";
import { resourceSpec } from "./resources";
import { siteSpec } from "./site";
import { type Texts, textAt } from "./texts";
import { type Properties, Types } from "./types";

const packageName = "slipway";

/** The package schema, from which Pulumi generates the SDK of each language. */
export function packageSchema(version: string, texts: Texts, publishing: Publishing): object {
  const types = new Types(texts);
  const resourceSpecs = Object.values<Resource>(resources).map((resource) => [
    tokenOf(resource.type),
    resourceSpec(resource, texts, types),
  ]);
  const functionSpecs = Object.entries({ ...lookups, ...lookupsById }).map(([name, lookup]) => [
    tokenOf(name),
    functionSpec(name, lookup as unknown as Lookup, texts, types),
  ]);
  return {
    name: packageName,
    displayName: "Slipway",
    version,
    description: "Deployment projects, domains, environment variables and promotions.",
    keywords: ["pulumi", packageName, "vercel", "category/cloud", "kind/native"],
    license: "MIT",
    ...originOf(publishing),
    meta: { moduleFormat: "(.*)", supportPack: true },
    language: languagesOf(packageName, publishing),
    config: { variables: configVariables(texts) },
    provider: {
      description: textAt(texts, "Provider"),
      inputProperties: { ...settings(texts), ...constants },
      properties: { ...settings(texts), ...constants },
    },
    resources: { ...Object.fromEntries(resourceSpecs), [tokenOf("Site")]: siteSpec(texts, types) },
    functions: Object.fromEntries(functionSpecs),
    types: types.named,
  };
}

const settings = (texts: Texts): Properties => ({
  apiUrl: { type: "string", description: textAt(texts, "Provider.apiUrl") },
  token: { type: "string", description: textAt(texts, "Provider.token"), secret: true },
  team: { type: "string", description: textAt(texts, "Provider.team") },
  defaultVariableType: { type: "string", description: textAt(texts, "Provider.defaultVariableType") },
  refreshBeforeUpdate: {
    type: "boolean",
    description:
      "Whether each preview and update first refreshes promotions and sensitive variables, so that it corrects their " +
      "drift. Default: false.",
  },
});

/** Inputs with constant values. Every SDK adds them to explicit providers, so the plugin recognizes these providers. */
const constants: Properties = {
  kind: { type: "string", description: "Marks an explicit provider. The SDK sets it.", const: explicitKind },
};

/**
 * The variables of the stack's configuration, each with its environment variable as the default. The inputs of explicit
 * providers have no such defaults: SDKs would record the token of the environment in the state, and later refreshes and
 * destroys would use the recorded token instead of a rotated one.
 */
function configVariables(texts: Texts): Properties {
  const variables: Record<string, string> = {
    apiUrl: "SLIPWAY_API_URL",
    token: "SLIPWAY_TOKEN",
    team: "SLIPWAY_TEAM",
    defaultVariableType: "SLIPWAY_DEFAULT_VARIABLE_TYPE",
    refreshBeforeUpdate: "SLIPWAY_REFRESH_BEFORE_UPDATE",
  };
  return Object.fromEntries(
    Object.entries(settings(texts)).map(([key, property]) => [
      key,
      { ...property, defaultInfo: { environment: [variables[key] ?? ""] } },
    ]),
  );
}
