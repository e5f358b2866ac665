import fc from "fast-check";

/** A JSON schema of the API's document. */
export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
}

type Values = fc.Arbitrary<unknown>;

/** Texts that mean something to the server. Each is used wherever it matches the pattern. */
const texts = [
  ...["web", "api", "docs", "acme/web", "acme/team/web", "main", "next", "KEY", "URL", "1A", "staging"],
  ...[
    "www.example.com",
    "api.example.com",
    "example.org",
    "www.example.org",
    "com",
    "*.example.com",
    "ada@example.com",
  ],
  ...[
    "production",
    "preview",
    "10.0.0.1",
    "10.0.0.0/8",
    "iad1",
    "1",
    "20",
    "1735689600000",
    "x-header",
    "s3://logs/audit",
  ],
  ...[
    "a".repeat(32),
    "a".repeat(40),
    "npm run build",
    "%",
    "\\",
    "_",
    "http://127.0.0.1:9/",
    "acme",
    "oac_1",
    "secret",
    "/api",
  ],
];
/** Edge cases. None leads to another machine when it is taken for an address. */
const unusual: Values = fc.oneof(
  fc.constantFrom<unknown>("", " ", "\0", "\ud800", "ÄÖ", "💥", "../..", "'; drop table projects; --"),
  fc.constantFrom<unknown>(
    "__proto__",
    "constructor",
    "x".repeat(600),
    -1,
    0,
    1.5,
    1e300,
    null,
    true,
    [],
    {},
  ),
  fc.string({ maxLength: 20 }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Values that a schema accepts. */
export function valid(schema: Schema): Values {
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms) return fc.oneof(...forms.map(valid));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => valid({ ...schema, type })));
  switch (schema.type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
    case "number":
      return fc.oneof(
        fc.integer({ min: Math.ceil(schema.minimum ?? -1000), max: Math.min(schema.maximum ?? 1000, 1000) }),
        fc.constantFrom(...[schema.minimum, schema.maximum, 1].filter((one) => one !== undefined)),
      );
    case "string":
      return text(schema);
    case "array":
      return fc.array(valid(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, (schema.minItems ?? 0) + 3),
      });
    case "object":
      return object(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** @throws when no text is known that fits: the list lacks one then */
function text({ pattern, minLength = 0, maxLength = 10_000 }: Schema): fc.Arbitrary<string> {
  const form = pattern === undefined ? undefined : new RegExp(pattern);
  const fits = (one: string): boolean =>
    one.length >= minLength && one.length <= maxLength && (form?.test(one) ?? true);
  const known = texts.filter(fits);
  if (known.length === 0)
    throw new Error(`no text is known that fits ${form ?? `${minLength} to ${maxLength}`}`);
  const weighted = [{ weight: 5, arbitrary: fc.constantFrom(...known) }];
  if (form) return fc.oneof(...weighted);
  const any = fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 10), unit: "binary" });
  return fc.oneof(...weighted, { weight: 1, arbitrary: any });
}

function object({ properties = {}, required = [], additionalProperties, propertyNames }: Schema): Values {
  const members = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, valid(one)]));
  const named = fc.record(members, { requiredKeys: required });
  if (typeof additionalProperties !== "object") return named;
  const names = propertyNames ? (valid(propertyNames) as fc.Arbitrary<string>) : fc.constantFrom(...texts);
  const further = fc.dictionary(names, valid(additionalProperties), { maxKeys: 3, noNullPrototype: true });
  return fc.tuple(named, further).map(([one, another]) => ({ ...another, ...(one as object) }));
}

/** Values that a schema accepts, most of the time; with one flaw, or of another kind, the rest of it. */
export function nearlyValid(schema: Schema): Values {
  return fc.oneof(
    { weight: 6, arbitrary: valid(schema) },
    { weight: 3, arbitrary: fc.tuple(valid(schema), fc.nat(), unusual).map(flawed) },
    { weight: 1, arbitrary: unusual },
  );
}

/** Changes one member at some depth: it is unusual, missing, or added. */
function flawed([value, at, oddity]: [unknown, number, unknown]): unknown {
  if (Array.isArray(value)) return value.map((one, index) => (index === 0 ? flawed([one, at, oddity]) : one));
  if (typeof value !== "object" || value === null) return oddity;
  const names = Object.keys(value);
  const name = names[at % (names.length + 1)];
  if (name === undefined) return { ...value, unknownMember: oddity };
  const { [name]: member, ...rest } = value as Record<string, unknown>;
  if (at % 3 === 0) return rest;
  return { ...rest, [name]: at % 3 === 1 ? oddity : flawed([member, at >> 2, oddity]) };
}

/** A value as text in a path or a query. */
export const asText = (value: unknown): string =>
  typeof value === "object" ? JSON.stringify(value) : String(value);
