import type { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import * as server from "@pulumi/pulumi/provider/server";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isPlain, isSecret, type Plain, signatureKey } from "../../provider/core/values";
import { unknownText } from "../../provider/hosting";
import { received, secret } from "../../provider/plugin/wire";

/**
 * Converts the engine's arguments of a site to those that a TypeScript program would pass. A site reads `project`,
 * `domains` and `production` while it is constructed. These three must be plain objects, so a secret or unknown object
 * becomes an object with secret or unknown members.
 */

/** A function of the SDK's provider server that has no types. */
const { deserializeInputs } = server as unknown as {
  deserializeInputs(inputs: Struct, dependencies: { get(key: string): unknown }): Promise<Plain>;
};

export async function argsOf(request: ConstructRequest): Promise<Plain> {
  const { project, production, domains, ...others } = received(request.getInputs());
  const dependencies = request.getInputdependenciesMap();
  const site = `Site "${request.getName()}"`;

  const membersOf = (what: string, value: unknown, key: string): Promise<Plain> => {
    const members = unwrapped(value);
    if (!isPlain(members)) throw new Error(unknownError(site, what));
    return inputsOf(members, dependencies.get(key));
  };
  const domainOf = async (value: unknown, i: number): Promise<string | Plain> => {
    const domain = unwrapped(value);
    if (isName(domain)) return domain;
    if (!isPlain(domain)) throw new Error(unknownError(site, `domains[${i}]`));
    const { name, redirect, verify, ...rest } = domain;
    const [known, target] = [unwrapped(name), unwrapped(redirect)];
    if (!isName(known)) throw new Error(unknownError(site, `domains[${i}].name`));
    // If `redirect` is another domain of the site, the site looks it up by name, so it must be a plain string.
    const isLiteral = isName(target);
    const inputs = await inputsOf(
      isLiteral || redirect == null ? rest : { ...rest, redirect },
      dependencies.get("domains"),
    );
    return {
      ...inputs,
      ...(isLiteral && { redirect: target }),
      name: known,
      ...(verify != null && { verify: await membersOf(`domains[${i}].verify`, verify, "domains") }),
    };
  };

  const list = unwrapped(domains ?? []);
  if (!Array.isArray(list)) throw new Error(unknownError(site, "domains"));
  return {
    ...(await deserializeInputs(Struct.fromJavaScript(others as never), dependencies)),
    ...(project != null && { project: await membersOf("project", project, "project") }),
    ...(production != null && { production: await membersOf("production", production, "production") }),
    domains: await Promise.all(list.map(domainOf)),
  };
}

/** @param dependencies the resources that the whole input depends on: the engine does not name those of each member */
function inputsOf(members: Plain, dependencies: unknown): Promise<Plain> {
  const of = new Map(Object.keys(members).map((key) => [key, dependencies]));
  return deserializeInputs(Struct.fromJavaScript(members as never), of);
}

const outputSignature = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

/** Unwraps a secret or an output. Instead of a secret object or list, its members are secrets. */
function unwrapped(value: unknown): unknown {
  if (isSecret(value)) return withSecretMembers(unwrapped(value.value));
  if (!isPlain(value) || value[signatureKey] !== outputSignature) return value;
  const inner = "value" in value ? unwrapped(value.value) : unknownText;
  return value.secret === true ? withSecretMembers(inner) : inner;
}

function withSecretMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(secret);
  if (!isPlain(value) || value[signatureKey] !== undefined) return secret(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, secret(item)]));
}

const isName = (value: unknown): value is string => typeof value === "string" && value !== unknownText;

const unknownError = (site: string, what: string): string =>
  `${site}: ${what} is a secret or not yet known, but it decides which resources the site has. Pass a plain value. ` +
  "Members of project and production, and members of a domain other than its name, can be secrets and outputs.";
