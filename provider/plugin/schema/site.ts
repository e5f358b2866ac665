import type { Resource } from "../../core/resource";
import { resourceOfType } from "../../hosting";
import { tokenOf } from "../tokens";
import { descriptionOf, inputPropertiesOf, type ResourceSpec } from "./resources";
import { type Texts, textAt } from "./texts";
import type { Properties, PropertySpec, TypeSpec, Types } from "./types";

/** The component `Site`. Its resources are named after the domains, so the names of domains are plain (not outputs). */
export function siteSpec(texts: Texts, types: Types): ResourceSpec {
  const described = describedBy(texts);
  const text = (path: string): PropertySpec => described(path, { type: "string" });
  const { domain, project, production, challenge } = siteTypes(texts, types);
  return {
    isComponent: true,
    description: descriptionOf("Site", texts),
    inputProperties: {
      project: described("SiteArgs.project", { ...project, plain: true }),
      // Only the list is plain, not its items, because the Go SDK has no type for plain items of a list.
      domains: described("SiteArgs.domains", { type: "array", items: domain, plain: true }),
      variables: {
        ...inputsWithout(types, "EnvVars").variables,
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

/** The object types that only `Site` has. */
function siteTypes(
  texts: Texts,
  types: Types,
): Record<"domain" | "project" | "production" | "challenge", TypeSpec> {
  const described = describedBy(texts);
  const object = (name: string, properties: Properties, required: string[] = []): TypeSpec =>
    types.ref(name, { type: "object", properties, required });
  const text = (path: string): PropertySpec => described(path, { type: "string" });
  const verification = object("SiteVerification", {
    timeoutMs: described("SiteVerification.timeoutMs", { type: "integer" }),
    waitForDns: described("SiteVerification.waitForDns", { type: "boolean" }),
  });
  const domain = {
    ...inputsWithout(types, "ProjectDomain", "project", "adopt", "waitForVerification", "timeoutMs"),
    name: described("SiteDomain.name", { type: "string", plain: true }),
    verify: described("SiteDomain.verify", { ...verification, plain: true }),
  };
  const challenge = {
    type: text("Challenge.type"),
    domain: text("Challenge.domain"),
    value: text("Challenge.value"),
  };
  return {
    domain: object("SiteDomain", domain, ["name"]),
    project: object("SiteProject", inputsWithout(types, "Project", "adopt")),
    production: object("SiteProduction", inputsWithout(types, "Promotion", "project"), ["deployment"]),
    challenge: object("SiteChallenge", challenge, ["type", "domain", "value"]),
  };
}

const describedBy =
  (texts: Texts) =>
  (path: string, type: TypeSpec): PropertySpec => ({ ...type, description: textAt(texts, path) });

const handle = (type: string): TypeSpec => ({ $ref: `#/resources/${tokenOf(type)}` });

const inputsWithout = (types: Types, type: string, ...keys: string[]): Properties =>
  Object.fromEntries(
    Object.entries(inputPropertiesOf(resource(type), types))
      .filter(([key]) => !keys.includes(key))
      .map(([key, { willReplaceOnChanges: _, ...property }]) => [key, property]),
  );

function resource(type: string): Resource {
  const found = resourceOfType.get(type);
  if (!found) throw new Error(`There is no resource ${type}.`);
  return found;
}
