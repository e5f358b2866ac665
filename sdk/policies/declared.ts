import { identityOf, kindOf, nameOf } from "../../provider/core/urn";
import { isPlain, type Plain, unknown } from "../../provider/core/values";
import { wantedOf } from "../../provider/resources/env-vars/inputs";

/** A resource of Slipway, of either host. */
export interface Declared {
  /** The last part of its type, such as `EnvVar`. */
  kind: string;
  urn: string;
  /** Its logical name. */
  name: string;
  /** Name of its stack. */
  stack: string;
  /** Inputs or outputs. Values that are not known are `unknown`. */
  props: Plain;
  isProtected: boolean;
}

/** A variable of an `EnvVar` or `EnvVars`. Members that are not known are `unknown`. */
export interface Variable {
  key: string;
  value: unknown;
  type: unknown;
  target: unknown;
  updatedAt: unknown;
}

/** A resource as a policy receives it. */
interface Given {
  type: string;
  urn: string;
  props: object;
  opts: { protect: boolean };
}

/** @returns undefined for a resource of another package */
export function declaredOf({ type, urn, props, opts }: Given): Declared | undefined {
  if (!identityOf(type).startsWith("slipway:index:")) return undefined;
  return {
    kind: kindOf(urn),
    urn,
    name: nameOf(urn),
    stack: urn.split(":")[2] ?? "",
    props: knownOf(props) as Plain,
    isProtected: opts.protect,
  };
}

/**
 * The placeholders of unknown values. A preview has one for each type of value (see `proxy` of @pulumi/policy).
 * `pulumi policy analyze` has `[secret]` for secrets that it cannot decrypt.
 */
const placeholders: readonly unknown[] = [
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
  "[secret]",
];

/**
 * Replaces placeholders with `unknown`. Reads members by descriptor, because reading an unknown member ends the policy.
 */
function knownOf(value: unknown): unknown {
  if (placeholders.includes(value)) return unknown;
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(Object.getOwnPropertyDescriptors(value)).map(
    ([key, { value: member }]) => [key, knownOf(member)] as const,
  );
  if (Array.isArray(value)) return members.flatMap(([key, item]) => (key === "length" ? [] : [item]));
  return Object.fromEntries(members);
}

/** The variables that a resource declares. */
export function variablesOf({ kind, props }: Declared): Variable[] {
  if (kind === "EnvVar" && typeof props.key === "string") {
    const { key, value, type = "encrypted", target, updatedAt } = props;
    return [{ key, value, type, target, updatedAt }];
  }
  if (kind !== "EnvVars" || !isPlain(props.variables)) return [];
  const { variables, target, type } = props;
  const records = isPlain(props.records) ? props.records : {};
  const wanted = wantedOf({ variables, target, type } as Parameters<typeof wantedOf>[0]);
  return Object.entries(wanted).map(([key, one]) => {
    const record = records[key];
    const updatedAt = isPlain(record) ? record.updatedAt : undefined;
    // An unknown variable may become a value or an object with settings, so its type and target are unknown too.
    if (variables[key] === unknown) return { key, value: unknown, type: unknown, target: unknown, updatedAt };
    return { key, value: one.value, type: one.type ?? "encrypted", target: one.target, updatedAt };
  });
}

/** Whether a variable is known to be for an environment. */
export const isFor = (environment: string, { target }: Variable): boolean =>
  Array.isArray(target) && target.includes(environment);
