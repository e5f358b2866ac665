import * as z from "zod";
import { isPlain, type Plain } from "../../../provider/core/values";
import { UserError } from "../../core/errors";
import type { RecordedResource } from "../../objects/recorded";
import { textOf } from "../objects";

/** An instance of a resource in a Terraform state. Its address contains the instance keys of modules and resources. */
export interface Instance extends RecordedResource {
  /** The address without instance keys, for a `removed` block: `module.site.vercel_project.this`. */
  resource: string;
  /** The resources that the instance refers to. */
  dependsOn: readonly string[];
}

export interface TerraformState {
  /** Resources of the provider vercel/vercel. */
  instances: Instance[];
  /** Resources of other providers for Vercel, whose attributes differ. */
  foreign: Instance[];
  /** Managed resources of other providers. */
  others: Instance[];
  dataSources: number;
}

/** An instance of a managed resource or a data source, from a state in either format. */
interface AnyInstance extends Instance {
  mode: string;
  /** The source of the provider, such as `registry.terraform.io/vercel/vercel`; undefined in old states. */
  provider?: string | undefined;
}

/**
 * Reads a Terraform or OpenTofu state: the state file (format 4) or the output of `terraform show -json`.
 * @param source the name of the file in messages @throws UserError
 */
export function parseState(text: string, source: string): TerraformState {
  const document = parseDocument(text, source);
  const all =
    "format_version" in document ? shownInstances(document, source) : storedInstances(document, source);
  const managed = all.filter(({ mode }) => mode === "managed");
  const ofVercel = managed.filter(({ type }) => type.startsWith("vercel_"));
  return {
    instances: ofVercel.filter(isOfficial),
    foreign: ofVercel.filter((one) => !isOfficial(one)),
    others: managed.filter(({ type }) => !type.startsWith("vercel_")),
    dataSources: all.filter(({ mode }) => mode === "data").length,
  };
}

/** True for the provider vercel/vercel of any registry, and for states without the source of the provider. */
const isOfficial = ({ provider }: AnyInstance): boolean =>
  provider === undefined || !provider.includes("/") || /(^|\/)vercel\/vercel$/.test(provider);

const remedy =
  "Write it with `terraform state pull > before.tfstate`, or pass `terraform show -json` to `-`.";

/** @throws UserError if the text is not a state, or is encrypted or in an unsupported format */
function parseDocument(text: string, source: string): Plain {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new UserError(`${source} is not a Terraform state, which is JSON. ${remedy}`);
  }
  if (!isPlain(document)) throw new UserError(`${source} is not a Terraform state. ${remedy}`);
  if ("encrypted_data" in document) {
    throw new UserError(
      `${source} is encrypted. Pass the decrypted state: tofu show -json | slipway import --from-terraform -`,
    );
  }
  if (isPlain(document.backend)) {
    throw new UserError(
      `${source} only names the backend that has the state. Read it from there: ` +
        "terraform state pull > before.tfstate",
    );
  }
  if ("planned_values" in document || "resource_changes" in document) {
    throw new UserError(`${source} is a plan, not a state. ${remedy}`);
  }
  if (isPlain(document.deployment) || isPlain(document.checkpoint) || isPlain(document.latest)) {
    throw new UserError(`${source} is the state of a Pulumi stack. Use --from-pulumiverse.`);
  }
  return document;
}

const storedState = z.looseObject({
  resources: z.array(
    z.looseObject({
      module: z.string().optional(),
      mode: z.string(),
      type: z.string(),
      name: z.string(),
      provider: z.string().optional(),
      instances: z.array(
        z.looseObject({
          index_key: z.union([z.string(), z.number()]).nullish(),
          status: z.string().optional(),
          deposed: z.string().optional(),
          attributes: z.record(z.string(), z.unknown()).nullish(),
          /** Paths of attributes: `[[{ "type": "get_attr", "value": "build_command" }]]`. */
          sensitive_attributes: z.array(z.unknown()).nullish(),
          dependencies: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/** The instances of a state file. @throws UserError */
function storedInstances(document: Plain, source: string): AnyInstance[] {
  const { version } = document;
  if (version === undefined) throw new UserError(`${source} is not a Terraform state. ${remedy}`);
  if (version !== 4) {
    throw new UserError(
      `${source} has format ${version}, and only format 4 of Terraform 0.12 and later can be read. ` +
        "Convert it with a newer Terraform: terraform state pull > before.tfstate",
    );
  }
  const { resources } = parsed(storedState, document, source);
  return resources.flatMap(({ module, mode, type, name, provider, instances }) =>
    instances.map(({ index_key, status, deposed, attributes, sensitive_attributes, dependencies }) => {
      const index = index_key == null ? "" : `[${JSON.stringify(index_key)}]`;
      const resource = `${mode === "data" ? "data." : ""}${type}.${name}`;
      return instanceOf({
        address: `${module === undefined ? "" : `${module}.`}${resource}${index}`,
        mode,
        type,
        values: attributes ?? {},
        secretTexts: (sensitive_attributes ?? []).flatMap((path) => textOf(valueAt(attributes, path))),
        isTainted: status === "tainted",
        isDeposed: deposed !== undefined,
        // `module.web.provider["registry.terraform.io/vercel/vercel"].alias`
        provider: /provider\["([^"]+)"\]/.exec(provider ?? "")?.[1],
        dependsOn: dependencies ?? [],
      });
    }),
  );
}

/** The value at a path of a state file. A step is an object with a value, or a list that holds it. */
function valueAt(value: unknown, path: unknown): unknown {
  const steps = Array.isArray(path) ? path : [path];
  return steps.reduce<unknown>((within, step) => {
    const key = isPlain(step) ? (isPlain(step.value) ? step.value.value : step.value) : step;
    return isPlain(within) || Array.isArray(within) ? (within as Plain)[String(key)] : undefined;
  }, value);
}

/** The texts of the values for which `marks` has true. */
function textsWhere(value: unknown, marks: unknown): string[] {
  if (marks === true) return textOf(value);
  if (Array.isArray(marks))
    return marks.flatMap((mark, at) => textsWhere((value as unknown[] | null)?.[at], mark));
  if (!isPlain(marks)) return [];
  return Object.entries(marks).flatMap(([key, mark]) => textsWhere((value as Plain | null)?.[key], mark));
}

const shownResource = z.looseObject({
  address: z.string(),
  mode: z.string(),
  type: z.string(),
  values: z.record(z.string(), z.unknown()).nullish(),
  /** The shape of `values`, with true for sensitive attributes. */
  sensitive_values: z.unknown().optional(),
  tainted: z.boolean().optional(),
  deposed_key: z.string().optional(),
  depends_on: z.array(z.string()).nullish(),
  provider_name: z.string().optional(),
});
interface ShownModule {
  resources?: z.output<typeof shownResource>[] | undefined;
  child_modules?: ShownModule[] | undefined;
}
const shownModule: z.ZodType<ShownModule> = z.looseObject({
  resources: z.array(shownResource).optional(),
  child_modules: z.array(z.lazy(() => shownModule)).optional(),
});
const shownState = z.looseObject({
  format_version: z.string(),
  values: z.looseObject({ root_module: shownModule.optional() }).optional(),
});

/** The instances of the output of `terraform show -json`. @throws UserError */
function shownInstances(document: Plain, source: string): AnyInstance[] {
  const { format_version: version, values } = parsed(shownState, document, source);
  if (!/^[01]\./.test(version)) {
    throw new UserError(
      `${source} has format ${version} of \`terraform show -json\`, and only 1.x can be read. Use the state file.`,
    );
  }
  const inModule = ({ resources = [], child_modules = [] }: ShownModule): AnyInstance[] => [
    ...resources.map(
      ({ address, mode, type, values, sensitive_values, tainted, deposed_key, depends_on, provider_name }) =>
        instanceOf({
          address,
          mode,
          type,
          values: values ?? {},
          secretTexts: textsWhere(values, sensitive_values),
          isTainted: tainted ?? false,
          isDeposed: deposed_key !== undefined,
          provider: provider_name,
          dependsOn: depends_on ?? [],
        }),
    ),
    ...child_modules.flatMap(inModule),
  ];
  return inModule(values?.root_module ?? {});
}

const instanceOf = (one: Omit<AnyInstance, "resource" | "names">): AnyInstance => ({
  ...one,
  names: namesIn(one.address),
  resource: withoutKeys(one.address),
});

/** @throws UserError that names the path of the invalid value, but not the value, which may be a secret */
function parsed<T>(shape: z.ZodType<T>, document: Plain, source: string): T {
  const { data, error } = shape.safeParse(document);
  if (error) {
    const place = error.issues[0]?.path.join(".") || "its top";
    throw new UserError(`${source} is not a valid Terraform state: see ${place}. ${remedy}`);
  }
  return data;
}

const key = /\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]/g;

const withoutKeys = (address: string): string => address.replace(key, "");

/** The hash that CDKTF adds to the names of resources. */
export const constructHash = /_[0-9A-F]{8}$/;

/** The names and instance keys in an address: `site`, `blog` and `this` in `module.site["blog"].vercel_project.this`. */
function namesIn(address: string): string[] {
  const parts = [...address.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g)];
  const names: string[] = [];
  for (let at = 0; at < parts.length; at++) {
    const [, text, index, word] = parts[at] ?? [];
    // The word before a name is "module" or the type of the resource.
    if (word !== undefined) names.push((parts[++at]?.[3] ?? word).replace(constructHash, ""));
    else names.push(text === undefined ? (index ?? "") : unescaped(text));
  }
  return names;
}

/** The text of an instance key. A key with an escape sequence that JSON does not have stays as it is. */
function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}
