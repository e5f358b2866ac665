import type { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import * as server from "@pulumi/pulumi/provider/server";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isPlain, type Plain } from "../../provider/core/values";
import { unknownText } from "../../provider/hosting";
import { isSecret, received, secret, signatureKey } from "../../provider/plugin/wire";

/**
 * What a site is declared with, as a program would give it. A site looks into its project, domains and production while
 * it is made: so their members are what may be secret or not yet known, however the engine marks them.
 */

/** A part of the SDK's provider server, which has no types for it. */
const { deserializeInputs } = server as unknown as {
  deserializeInputs(inputs: Struct, dependencies: { get(key: string): unknown }): Promise<Plain>;
};

export async function argsOf(request: ConstructRequest): Promise<Plain> {
  const { project, production, domains, ...others } = received(request.getInputs());
  const dependencies = request.getInputdependenciesMap();
  const site = `Site "${request.getName()}"`;

  const membersOf = (what: string, value: unknown, key: string): Promise<Plain> => {
    const members = opened(value);
    if (!isPlain(members)) throw new Error(notKnown(site, what));
    return inputsOf(members, dependencies.get(key));
  };
  const domainOf = async (value: unknown, i: number): Promise<string | Plain> => {
    const domain = opened(value);
    if (isName(domain)) return domain;
    if (!isPlain(domain)) throw new Error(notKnown(site, `domains[${i}]`));
    const { name, redirect, verify, ...rest } = domain;
    const [known, target] = [opened(name), opened(redirect)];
    if (!isName(known)) throw new Error(notKnown(site, `domains[${i}].name`));
    // The other domain of the site is found by its name.
    const isSaid = isName(target);
    const inputs = await inputsOf(
      isSaid || redirect == null ? rest : { ...rest, redirect },
      dependencies.get("domains"),
    );
    return {
      ...inputs,
      ...(isSaid && { redirect: target }),
      name: known,
      ...(verify != null && { verify: await membersOf(`domains[${i}].verify`, verify, "domains") }),
    };
  };

  const list = opened(domains ?? []);
  if (!Array.isArray(list)) throw new Error(notKnown(site, "domains"));
  return {
    ...(await deserializeInputs(Struct.fromJavaScript(others as never), dependencies)),
    ...(project != null && { project: await membersOf("project", project, "project") }),
    ...(production != null && { production: await membersOf("production", production, "production") }),
    domains: await Promise.all(list.map(domainOf)),
  };
}

/** @param dependencies the resources that any of them may come from */
function inputsOf(members: Plain, dependencies: unknown): Promise<Plain> {
  const of = new Map(Object.keys(members).map((key) => [key, dependencies]));
  return deserializeInputs(Struct.fromJavaScript(members as never), of);
}

const outputSignature = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

/** A value without its own mark. What is in a secret object is marked instead. */
function opened(value: unknown): unknown {
  if (isSecret(value)) return marked(opened(value.value));
  if (!isPlain(value) || value[signatureKey] !== outputSignature) return value;
  const inner = "value" in value ? opened(value.value) : unknownText;
  return value.secret === true ? marked(inner) : inner;
}

function marked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(secret);
  if (!isPlain(value) || value[signatureKey] !== undefined) return secret(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, secret(item)]));
}

const isName = (value: unknown): value is string => typeof value === "string" && value !== unknownText;

const notKnown = (site: string, what: string): string =>
  `${site}: ${what} is a secret or not yet known, but the resources of a site are made of it. Give it in clear; ` +
  "secrets and outputs of other resources can be what project, production and each domain have beside its name.";
