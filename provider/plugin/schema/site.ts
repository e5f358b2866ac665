import type { Resource } from "../../core/resource";
import { resourceOfType } from "../../hosting";
import { tokenOf } from "../tokens";
import { descriptionOf, inputPropertiesOf, type ResourceSpec } from "./resources";
import { type Texts, textAt } from "./texts";
import type { Properties, PropertySpec, TypeSpec, Types } from "./types";

/** The component `Site`. Its names of domains name resources, so a program has to know them: they are plain. */
export function siteSpec(texts: Texts, types: Types): ResourceSpec {
  const described = (path: string, type: TypeSpec): PropertySpec => ({
    ...type,
    description: textAt(texts, path),
  });
  const without = (type: string, ...keys: string[]): Properties =>
    Object.fromEntries(
      Object.entries(inputPropertiesOf(resource(type), types))
        .filter(([key]) => !keys.includes(key))
        .map(([key, { willReplaceOnChanges: _, ...property }]) => [key, property]),
    );
  const handle = (type: string): TypeSpec => ({ $ref: `#/resources/${tokenOf(type)}` });

  const verification = types.ref("SiteVerification", {
    type: "object",
    properties: { timeoutMs: described("SiteVerification.timeoutMs", { type: "integer" }) },
    required: [],
  });
  const domain = types.ref("SiteDomain", {
    type: "object",
    properties: {
      ...without("ProjectDomain", "project", "adopt", "waitForVerification", "timeoutMs"),
      name: described("SiteDomain.name", { type: "string", plain: true }),
      verify: described("SiteDomain.verify", { ...verification, plain: true }),
    },
    required: ["name"],
  });
  const project = types.ref("SiteProject", {
    type: "object",
    properties: without("Project", "adopt"),
    required: [],
  });
  const production = types.ref("SiteProduction", {
    type: "object",
    properties: without("Promotion", "project"),
    required: ["deployment"],
  });
  const text = (path: string): PropertySpec => described(path, { type: "string" });
  const challenge = types.ref("SiteChallenge", {
    type: "object",
    properties: {
      type: text("Challenge.type"),
      domain: text("Challenge.domain"),
      value: text("Challenge.value"),
    },
    required: ["type", "domain", "value"],
  });
  return {
    isComponent: true,
    description: descriptionOf("Site", texts),
    inputProperties: {
      project: described("SiteArgs.project", { ...project, plain: true }),
      // The SDK of Go has no type for a plain item of a list.
      domains: described("SiteArgs.domains", { type: "array", items: domain, plain: true }),
      variables: {
        ...without("EnvVars").variables,
        description: textAt(texts, "SiteArgs.variables"),
        secret: true,
      },
      production: described("SiteArgs.production", { ...production, plain: true }),
      adopt: described("SiteArgs.adopt", { type: "boolean" }),
    },
    properties: {
      project: described("Site.project", handle("Project")),
      domains: described("Site.domains", { type: "object", additionalProperties: handle("ProjectDomain") }),
      variables: described("Site.variables", handle("EnvVars")),
      promotion: described("Site.promotion", handle("Promotion")),
      projectId: text("Site.projectId"),
      urls: described("Site.urls", { type: "array", items: { type: "string" } }),
      challenges: described("Site.challenges", { type: "array", items: challenge }),
      production: text("Site.production"),
    },
    required: ["project", "domains", "projectId", "urls", "challenges"],
  };
}

function resource(type: string): Resource {
  const found = resourceOfType.get(type);
  if (!found) throw new Error(`There is no resource ${type}.`);
  return found;
}
