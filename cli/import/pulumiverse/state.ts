import * as z from "zod";
import { isPlain, type Plain } from "../../../provider/core/values";
import { UserError } from "../../core/errors";
import type { RecordedResource } from "../../objects/recorded";
import { textOf } from "../objects";

/** A resource of the state of a stack. */
export interface StackResource extends RecordedResource {
  urn: string;
  /** The URNs of the resources that this resource refers to or belongs to. */
  dependsOn: readonly string[];
}

/** Where a state comes from: `pulumi stack export`, `sst state export`, or the file of a backend on disk or in a bucket. */
type StateKind = "export" | "sst" | "checkpoint";

export interface StackState {
  kind: StateKind;
  /** Resources of @pulumiverse/vercel, in the order of their creation. */
  resources: StackResource[];
  /** Other resources of the stack, such as those of other packages. */
  others: StackResource[];
  /** The URNs of the providers of @pulumiverse/vercel. */
  providers: string[];
}

const deployment = z.looseObject({
  resources: z
    .array(
      z.looseObject({
        urn: z.string(),
        type: z.string(),
        external: z.boolean().optional(),
        delete: z.boolean().optional(),
        taint: z.boolean().optional(),
        outputs: z.record(z.string(), z.unknown()).optional(),
        id: z.string().optional(),
        parent: z.string().optional(),
        dependencies: z.array(z.string()).nullish(),
        deletedWith: z.string().optional(),
      }),
    )
    .nullish(),
});

/** The commands that write a state with its secrets in plain text. */
const remedies: Readonly<Record<StateKind, string>> = {
  export: "Write it with `pulumi stack export --show-secrets --file stack.json`.",
  sst: "Write it with `sst state export --decrypt > state.json`.",
  checkpoint:
    "The file of a backend encrypts them. Write the export with `pulumi stack export --show-secrets --file stack.json`.",
};

/**
 * Reads the export of a stack that uses @pulumiverse/vercel.
 * @param source the name of the file in messages @throws UserError
 */
export function parseExport(text: string, source: string): StackState {
  const { kind, state } = stateIn(parseJson(text, source), source);
  const { data } = deployment.safeParse(state);
  if (!data) throw new UserError(`${source} is not the export of a Pulumi stack. ${remedies[kind]}`);
  const all = (data.resources ?? []).filter(({ external }) => !external);
  const bridged = all.filter(({ type }) => bridgedType(type) !== undefined);
  const read = (one: (typeof all)[number]): StackResource => {
    const { urn, type, outputs = {}, id, parent, dependencies, deletedWith } = one;
    const name = nameIn(urn);
    return {
      urn,
      address: `${type.split(":").at(-1)} ${name}`,
      names: [name],
      type: bridgedType(type) ?? type,
      values: attributesOf({ ...outputs, id: outputs.id ?? id }, source, kind),
      secretTexts: secretTextsIn(outputs),
      isTainted: one.taint ?? false,
      isDeposed: one.delete ?? false,
      dependsOn: [...(dependencies ?? []), parent, deletedWith].filter((one) => one !== undefined),
    };
  };
  return {
    kind,
    resources: bridged.map(read),
    others: all.filter((one) => !bridged.includes(one)).map((one) => read({ ...one, outputs: {} })),
    providers: all.filter(({ type }) => type === "pulumi:providers:vercel").map(({ urn }) => urn),
  };
}

/** The resources of a state, in the form of its tool. @throws UserError for the state of Terraform */
function stateIn(document: unknown, source: string): { kind: StateKind; state: unknown } {
  if (!isPlain(document)) return { kind: "export", state: undefined };
  if ("terraform_version" in document || "format_version" in document)
    throw new UserError(`${source} is the state of Terraform. Use --from-terraform.`);
  const { checkpoint, latest } = document;
  if (isPlain(checkpoint)) return { kind: "checkpoint", state: checkpoint.latest };
  if (isPlain(latest)) return { kind: "sst", state: latest };
  return { kind: "export", state: document.deployment };
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UserError(`${source} is not the export of a Pulumi stack, which is JSON. ${remedies.export}`);
  }
}

const nameIn = (urn: string): string => urn.split("::").slice(3).join("::");

/** @returns `vercel_project_domain` of `vercel:index/projectDomain:ProjectDomain`; undefined for other packages */
function bridgedType(type: string): string | undefined {
  const [, name] = /^vercel:\w+(?:\/\w+)?:(\w+)$/.exec(type) ?? [];
  return name === undefined ? undefined : `vercel${name.replace(/[A-Z]/g, (one) => `_${one.toLowerCase()}`)}`;
}

/** Lists with a plural name in Pulumi and a singular name in Terraform. */
const singular: Readonly<Record<string, string>> = { environments: "environment", targets: "target" };

/** Renames attributes to their names in Terraform. @throws UserError for an encrypted secret */
function attributesOf(values: Plain, source: string, kind: StateKind): Plain {
  // Keys that Pulumi adds begin with two underscores.
  const entries = Object.entries(values).filter(([key]) => !key.startsWith("__"));
  return Object.fromEntries(
    entries.map(([key, value]) => [
      singular[key] ?? key.replace(/[A-Z]/g, (one) => `_${one.toLowerCase()}`),
      attributeOf(value, source, kind),
    ]),
  );
}

const secretKey = "4dabf18193072939515e22adb298388d";
const secretMark = "1b47061264138c4ac30d75fd1eb44270";

function attributeOf(value: unknown, source: string, kind: StateKind): unknown {
  if (Array.isArray(value)) return value.map((item) => attributeOf(item, source, kind));
  if (!isPlain(value)) return value;
  if (value[secretKey] !== secretMark) return attributesOf(value, source, kind);
  if (typeof value.plaintext !== "string")
    throw new UserError(`${source} has encrypted secrets, which cannot be read. ${remedies[kind]}`);
  return attributeOf(JSON.parse(value.plaintext), source, kind);
}

/** The texts that the state marks as secret. */
function secretTextsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(secretTextsIn);
  if (!isPlain(value)) return [];
  if (value[secretKey] !== secretMark) return Object.values(value).flatMap(secretTextsIn);
  return typeof value.plaintext === "string" ? textOf(JSON.parse(value.plaintext)) : [];
}
