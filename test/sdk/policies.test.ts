import type { PolicyConfigSchema, ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";
import * as exported from "../../sdk/policies";
import { textOf } from "../support/pages";

const { policies } = exported;
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const dayMs = 24 * 60 * 60 * 1000;

type Host = "plugin" | "dynamic";

interface Resource {
  host?: Host;
  stack?: string;
  protect?: boolean;
}

const types: Record<Host, string> = { plugin: "slipway:index:", dynamic: "pulumi-nodejs:dynamic/slipway:" };

/** As the library gives it to a policy: getting what is not known throws. */
function guarded<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  return new Proxy(value, {
    get(target, key) {
      const member = Reflect.get(target, key);
      if (member === unknown) throw new Error(`${String(key)} is not known`);
      return typeof member === "object" ? guarded(member) : member;
    },
  });
}

function resource(
  kind: string,
  props: object,
  { host = "plugin", stack = "dev", protect = false }: Resource,
) {
  const type = `${types[host]}${kind}`;
  const urn = `urn:pulumi:${stack}::program::acme:index:Site$${type}::one`;
  return { type, urn, name: "one", props: guarded(props), opts: { protect } };
}

/** The violations of one policy. @param settings those that are not the default */
function violations(
  policy: ResourceValidationPolicy | StackValidationPolicy,
  resources: readonly object[],
  settings: object = {},
): string[] {
  const messages: string[] = [];
  const report = (message: string) => messages.push(message);
  const context = { getConfig: () => settings };
  if ("validateStack" in policy) {
    const validate = policy.validateStack as (args: object, report: (message: string) => void) => void;
    validate({ ...context, resources }, report);
  } else {
    const validate = policy.validateResource as (args: object, report: (message: string) => void) => void;
    for (const one of resources) validate({ ...context, ...one }, report);
  }
  return messages;
}

const envVar = (props: object, more: Resource = {}) => resource("EnvVar", { project: "web", ...props }, more);
const envVars = (props: object, more: Resource = {}) =>
  resource("EnvVars", { project: "web", ...props }, more);

describe.each<Host>(["plugin", "dynamic"])("policies, for resources of the %s host", (host) => {
  const { noPlainSecrets, noPublicSecrets, previewsProtected, productionProtected, variablesRotated } =
    exported;

  it("find the violation of each", () => {
    const more = { host, stack: "production" };
    const plain = { key: "PAYMENTS", value: "sk_live_1", type: "plain", target: ["production"] };
    const shared = { key: "API_TOKEN", value: "t", type: "encrypted", target: ["production", "preview"] };
    const stale = { ...shared, updatedAt: Date.now() - 366 * dayMs };
    expect(violations(noPlainSecrets, [envVar(plain, more)])).toHaveLength(1);
    expect(violations(noPublicSecrets, [envVar({ ...plain, key: "VITE_PAYMENTS" }, more)])).toHaveLength(1);
    expect(violations(exported.productionSecretsSensitive, [envVar(shared, more)])).toHaveLength(1);
    expect(violations(exported.noProductionValuesInPreviews, [envVar(shared, more)])).toHaveLength(1);
    expect(violations(previewsProtected, [resource("Project", {}, more)])).toHaveLength(1);
    expect(violations(productionProtected, [resource("Project", {}, more)])).toHaveLength(1);
    expect(violations(variablesRotated, [envVar(stale, more)])).toHaveLength(1);
  });

  it("find nothing in resources of other packages", () => {
    const foreign = { ...envVar({ key: "VITE_SECRET", value: "sk_live_1" }), type: "acme:index:EnvVar" };
    expect(policies.flatMap((policy) => violations(policy, [foreign]))).toEqual([]);
  });
});

/** The values that the library gives a policy in place of unknown ones. */
const placeholders = Object.entries(require("@pulumi/policy/proxy")).filter(([name]) =>
  /^unknown\w+Value$/.test(name),
) as [string, string][];

it.each(placeholders)("takes %s for a value that is not known", (_, value) => {
  const previews = (props: object) =>
    violations(exported.previewsProtected, [resource("Project", props, {})]);
  expect(previews({ previewDeploymentsDisabled: value })).toEqual([]);
  expect(previews({ ssoProtection: value })).toEqual([]);
});

describe("no-plain-secrets", () => {
  const { noPlainSecrets } = exported;
  const found = (props: object) => violations(noPlainSecrets, [envVar({ key: "K", ...props })]);

  it("finds values with the form of a secret, in each variable of a map", () => {
    const variables = {
      A: { value: "postgres://me:word@host/db", type: "plain" },
      B: { value: "hello", type: "plain" },
      C: { value: "ghp_1", type: "sensitive" },
      D: "ghp_2",
    };
    const messages = violations(noPlainSecrets, [envVars({ variables, type: "plain" })]);
    expect(messages.map((text) => text.split(" ")[0])).toEqual(["A", "D"]);
    expect(messages.join()).not.toMatch(/word|ghp_2/);
  });

  it("leaves other types, and what is not known", () => {
    expect(found({ value: "sk_live_1", type: "encrypted" })).toEqual([]);
    expect(found({ value: "sk_live_1" })).toEqual([]);
    expect(found({ value: "sk_live_1", type: unknown })).toEqual([]);
    expect(found({ value: unknown, type: "plain" })).toEqual([]);
    expect(found({ value: "[secret]", type: "plain" })).toEqual([]);
    expect(violations(noPlainSecrets, [envVars({ variables: unknown, type: "plain" })])).toEqual([]);
    expect(violations(noPlainSecrets, [envVars({ variables: { A: unknown }, type: "plain" })])).toEqual([]);
  });
});

describe("production-secrets-sensitive", () => {
  const { productionSecretsSensitive: policy } = exported;
  const production = { target: ["production"], type: "encrypted" };
  const found = (props: object, settings = {}) =>
    violations(policy, [envVar({ ...production, ...props })], settings);

  it("finds secrets by name and by value that somebody can read", () => {
    expect(found({ key: "API_TOKEN", value: "t" })).toEqual([
      "API_TOKEN looks like a secret of production and has type encrypted: every member who may decrypt variables can read it. " +
        "Give it type sensitive, which excludes the target development, and a new value.",
    ]);
    expect(found({ key: "API_TOKEN", value: unknown })).toHaveLength(1);
    expect(found({ key: "PAYMENTS", value: "sk_live_1", type: "plain" })).toHaveLength(1);
    // The type of variables of earlier versions, which declared none.
    expect(found({ key: "API_TOKEN", value: "t", type: undefined })).toHaveLength(1);
  });

  it("counts the default environments of a map as production", () => {
    expect(violations(policy, [envVars({ variables: { API_TOKEN: "t", REGION: "fra1" } })])).toHaveLength(1);
    const apart = { API_TOKEN: { value: "t", target: ["preview"] } };
    expect(violations(policy, [envVars({ variables: apart })])).toEqual([]);
  });

  it("leaves sensitive variables, other environments, and what is not known", () => {
    expect(found({ key: "API_TOKEN", value: "t", type: "sensitive" })).toEqual([]);
    expect(found({ key: "API_TOKEN", value: "t", target: ["preview", "development"] })).toEqual([]);
    expect(found({ key: "API_TOKEN", value: "t", target: unknown })).toEqual([]);
    expect(found({ key: "API_TOKEN", value: "t", type: unknown })).toEqual([]);
    expect(found({ key: "API_TOKEN", type: "system" })).toEqual([]);
  });

  it.each(["3600", "true", "", "https://example.com/reset"])("leaves the harmless value %j", (value) => {
    expect(found({ key: "TOKEN_SETTING", value })).toEqual([]);
  });

  it("takes further names, and ignores some", () => {
    expect(found({ key: "LICENSE", value: "l" })).toEqual([]);
    expect(found({ key: "LICENSE", value: "l" }, { secretNames: ["licen?e", "LIC*"] })).toHaveLength(1);
    expect(found({ key: "API_TOKEN", value: "t" }, { except: ["*_token"] })).toEqual([]);
    expect(found({ key: "API_TOKEN", value: "t" }, { except: ["TOKEN"] })).toHaveLength(1);
  });
});

describe("no-public-secrets", () => {
  const found = (props: object, settings = {}) =>
    violations(exported.noPublicSecrets, [envVar({ target: ["preview"], ...props })], settings);

  it.each([
    ["NEXT_PUBLIC_STRIPE_SECRET_KEY", "x"],
    ["VITE_DB_PASSWORD", unknown],
    ["PUBLIC_SUPABASE_SERVICE_ROLE_KEY", "[secret]"],
    ["NEXT_PUBLIC_PAYMENTS", "sk_live_1"],
  ])("finds %s with %s", (key, value) => expect(found({ key, value })).toHaveLength(1));

  it.each([
    ["STRIPE_SECRET_KEY", "x"],
    ["NEXT_PUBLIC_SITE_URL", "https://example.com"],
    ["NEXT_PUBLIC_MAPBOX_TOKEN", "pk.1"],
    ["NEXT_PUBLIC_SENTRY_DSN", "https://abc@sentry.example.com/1"],
    ["NEXT_PUBLIC_FIREBASE_API_KEY", `AIza${"x".repeat(35)}`],
    ["NEXT_PUBLIC_PASSWORD_MIN_LENGTH", "12"],
  ])("leaves %s with %s", (key, value) => expect(found({ key, value })).toEqual([]));

  it.each([
    ...["SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "PWD", "CREDENTIAL", "CREDENTIALS", "PRIVATE_KEY"],
    ...["SIGNING_KEY", "ENCRYPTION_KEY", "SERVICE_ROLE_KEY", "DATABASE_URL", "CONNECTION_STRING"],
  ])("finds the name VITE_%s, and no word that only contains it", (word) => {
    expect(found({ key: `VITE_MY_${word}`, value: "x" })).toHaveLength(1);
    expect(found({ key: `VITE_${word}_2`, value: "x" })).toHaveLength(1);
    expect(found({ key: `VITE_MY${word}X`, value: "x" })).toEqual([]);
  });

  it("takes other prefixes and further names", () => {
    const settings = { prefixes: ["PAGE_"], secretNames: ["*_API_KEY"] };
    expect(found({ key: "PAGE_SECRET", value: "x" }, settings)).toHaveLength(1);
    expect(found({ key: "PAGE_API_KEY", value: "x" }, settings)).toHaveLength(1);
    expect(found({ key: "NEXT_PUBLIC_SECRET", value: "x" }, settings)).toEqual([]);
  });
});

describe("no-production-values-in-previews", () => {
  const { noProductionValuesInPreviews: policy } = exported;
  const secret = { key: "DB_PASSWORD", type: "sensitive" };
  const production = envVar({ ...secret, value: "one", target: ["production"] });

  it("finds a secret that production and previews share, also while its value is not known", () => {
    const shared = { ...secret, target: ["production", "preview"] };
    expect(violations(policy, [envVar({ ...shared, value: "one" })])).toHaveLength(1);
    expect(violations(policy, [envVar({ ...shared, value: unknown })])).toHaveLength(1);
    expect(violations(policy, [envVars({ variables: { DB_PASSWORD: "one" } })])).toHaveLength(1);
  });

  it("finds the value of a production secret under another variable, without telling it", () => {
    const copy = envVars({ variables: { PASSWORD_2: { value: "one", target: ["preview"] } } });
    expect(violations(policy, [production, copy])).toEqual([
      "PASSWORD_2 for previews has the value of DB_PASSWORD for production. Give previews a variable with a value of its own.",
    ]);
  });

  it("leaves values of their own, settings, and what is not known", () => {
    const preview = (value: unknown) => envVar({ ...secret, value, target: ["preview"] });
    expect(violations(policy, [production, preview("two")])).toEqual([]);
    const hidden = envVar({ ...secret, value: "[secret]", target: ["production"] });
    expect(violations(policy, [hidden, preview("[secret]")])).toEqual([]);
    const setting = { key: "REGION", value: "fra1", target: ["production", "preview"] };
    expect(violations(policy, [envVar(setting)])).toEqual([]);
    expect(violations(policy, [production, preview("one")], { except: ["DB_*"] })).toEqual([]);
  });
});

describe("previews-protected", () => {
  const found = (props: object, settings = {}) =>
    violations(exported.previewsProtected, [resource("Project", props, {})], settings);

  it("finds projects without protection, or with that of production alone", () => {
    expect(found({})).toHaveLength(1);
    expect(found({ ssoProtection: null })).toHaveLength(1);
    expect(found({ trustedIps: { deploymentType: "production", addresses: [] } })).toHaveLength(1);
  });

  it("leaves protected ones, those without previews, and what is not known", () => {
    expect(found({ ssoProtection: { deploymentType: "preview" } })).toEqual([]);
    expect(found({ passwordProtection: { deploymentType: "all", password: "p" } })).toEqual([]);
    expect(found({ passwordProtection: "[secret]" })).toEqual([]);
    expect(found({ trustedIps: { deploymentType: unknown } })).toEqual([]);
    expect(found({ previewDeploymentsDisabled: true })).toEqual([]);
    expect(found({ previewDeploymentsDisabled: unknown })).toEqual([]);
    expect(found({}, { except: ["on*"] })).toEqual([]);
  });
});

describe("production-protected", () => {
  const found = (kind: string, props: object, more: Resource, settings = {}) =>
    violations(exported.productionProtected, [resource(kind, props, more)], settings);

  it.each(["production", "prod", "prod-eu", "web-production"])(
    "finds what is not protected in %s",
    (stack) => {
      expect(found("Project", {}, { stack })).toHaveLength(1);
      expect(found("ProjectDomain", { name: "example.com" }, { stack })).toHaveLength(1);
    },
  );

  it("leaves what is protected, other stacks, and domains of branches and environments", () => {
    const stack = "production";
    expect(found("Project", {}, { stack, protect: true })).toEqual([]);
    expect(found("Project", {}, { stack: "dev" })).toEqual([]);
    expect(found("Project", {}, { stack }, { stacks: ["live"] })).toEqual([]);
    expect(found("Project", {}, { stack: "live" }, { stacks: ["live"] })).toHaveLength(1);
    expect(found("ProjectDomain", { gitBranch: "b" }, { stack })).toEqual([]);
    expect(found("ProjectDomain", { gitBranch: unknown }, { stack })).toEqual([]);
    expect(found("ProjectDomain", { customEnvironmentId: "env_1" }, { stack })).toEqual([]);
    expect(found("EnvVar", { key: "K" }, { stack })).toEqual([]);
  });
});

describe("variables-rotated", () => {
  const { variablesRotated: policy } = exported;
  const old = { type: "sensitive", updatedAt: Date.now() - 400 * dayMs };

  it("finds variables that have not changed for a year, and says for how long", () => {
    expect(violations(policy, [envVar({ key: "K", ...old })])).toEqual([
      "K was last changed 400 days ago, and the limit is 365. Rotate its value.",
    ]);
    const records = { A: { id: "1", updatedAt: old.updatedAt }, B: { id: "2", updatedAt: Date.now() } };
    const messages = violations(policy, [envVars({ variables: { A: "a", B: "b" }, records })]);
    expect(messages.map((text) => text.split(" ")[0])).toEqual(["A"]);
  });

  it("takes another limit", () => {
    const recent = envVar({ key: "K", type: "encrypted", updatedAt: Date.now() - 100 * dayMs });
    expect(violations(policy, [recent])).toEqual([]);
    expect(violations(policy, [recent], { maxAgeDays: 90 })).toHaveLength(1);
  });

  it.each([
    [90, 0],
    [91, 1],
  ])("after %d days, with a limit of 90: %d violations", (days, count) => {
    const variable = envVar({ key: "K", type: "encrypted", updatedAt: Date.now() - days * dayMs });
    expect(violations(policy, [variable], { maxAgeDays: 90 })).toHaveLength(count);
  });

  it("leaves plain variables, and what is not known", () => {
    expect(violations(policy, [envVar({ key: "K", ...old, type: "plain" })])).toEqual([]);
    expect(violations(policy, [envVar({ key: "K", ...old, type: unknown })])).toEqual([]);
    expect(violations(policy, [envVar({ key: "K", type: "sensitive" })])).toEqual([]);
    expect(violations(policy, [envVar({ key: "K", type: "sensitive", updatedAt: unknown })])).toEqual([]);
    expect(violations(policy, [envVar({ key: "K", type: "sensitive", updatedAt: 0 })])).toEqual([]);
  });
});

describe("the guide", () => {
  const guide = textOf("docs/guides/policies.md");
  const schemas = policies.flatMap(({ configSchema }) => configSchema ?? []);

  it("lists each policy with its level and its settings", () => {
    const rows = [...guide.matchAll(/^\| `([a-z-]+)` +\| (\w+) +\| .* \| (.*?) +\|$/gm)];
    const listed = rows.map(([, name, level, settings = ""]) => [name, level, settings.match(/\w+/g)]);
    expect(listed).toEqual(
      policies.map(({ name, enforcementLevel, configSchema }) => [
        name,
        enforcementLevel,
        Object.keys(configSchema?.properties ?? {}),
      ]),
    );
  });

  it("lists each setting with its default", () => {
    const rows = [...guide.matchAll(/^\| `([a-z][A-Za-z]+)` +\| (.*?) +\| [^|]* \|$/gm)];
    const listed = Object.fromEntries(rows.map(([, name = "", initial = ""]) => [name, initial]));
    const defaults = Object.assign({}, ...schemas.map(({ properties }) => properties));
    const shown = ({ default: initial }: PolicyConfigSchema["properties"][string]) =>
      Array.isArray(initial) ? initial.map((one) => `\`${one}\``).join(", ") || "none" : String(initial);
    const expected = Object.entries(defaults as PolicyConfigSchema["properties"]);
    expect(listed).toEqual(Object.fromEntries(expected.map(([name, schema]) => [name, shown(schema)])));
  });

  it("names each export", () => {
    const named = /exports each policy by name: (.*)\./.exec(guide)?.[1]?.match(/\w+(?=`)/g);
    expect(named?.sort()).toEqual(
      Object.keys(exported)
        .filter((name) => name !== "policies")
        .sort(),
    );
  });
});
