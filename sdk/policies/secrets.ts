import { isSecretName, isSecretValue, publicPrefixes } from "../../provider/core/secret-names";
import { type Declared, isFor, type Variable, variablesOf } from "./declared";
import { resourcePolicy, stackPolicy, type Violation } from "./policy";
import { except, matchesAny, secretNames } from "./settings";

interface Exceptions {
  except: readonly string[];
}

interface SecretSettings extends Exceptions {
  secretNames: readonly string[];
}

/** The variables that a resource declares and the policy does not ignore. */
const checkedOf = (resource: Declared, { except }: Exceptions): Variable[] =>
  variablesOf(resource).filter(({ key }) => !matchesAny(except, key));

/** True for values that are not secrets, such as those of `TOKEN_LIFETIME` and `PASSWORD_RESET_URL`. */
const isHarmless = (value: unknown): boolean =>
  typeof value === "string" && /^(|true|false|\d{1,6}|https?:\/\/[^\s@?]*)$/i.test(value);

const hasSecretForm = ({ value }: Variable): boolean => typeof value === "string" && isSecretValue(value);

function isSecret(variable: Variable, { secretNames }: SecretSettings): boolean {
  const { key, value } = variable;
  if (hasSecretForm(variable) || matchesAny(secretNames, key)) return true;
  return isSecretName(key) && !isHarmless(value);
}

export const noPlainSecrets = resourcePolicy<Exceptions>({
  name: "no-plain-secrets",
  description: "A value with the form of a secret is not stored as plain text.",
  enforcementLevel: "mandatory",
  severity: "critical",
  remediationSteps: "Revoke the value, and declare a new one with type sensitive.",
  settings: except("variables"),
  check: (resource, settings) =>
    checkedOf(resource, settings)
      .filter((variable) => variable.type === "plain" && hasSecretForm(variable))
      .map(
        ({ key }) =>
          `${key} has type plain, and its value has the form of a secret: everybody who sees the project can read it. ` +
          "Revoke the value, and declare a new one with type sensitive.",
      ),
});

export const productionSecretsSensitive = resourcePolicy<SecretSettings>({
  name: "production-secrets-sensitive",
  description: "Secrets of production have type sensitive.",
  enforcementLevel: "advisory",
  severity: "high",
  remediationSteps:
    "Declare the variable with type sensitive, without the target development, and rotate it.",
  settings: { ...except("variables"), ...secretNames },
  check: (resource, settings) =>
    checkedOf(resource, settings)
      .filter((variable) => isFor("production", variable) && isSecret(variable, settings))
      .flatMap(({ key, type }) => {
        const reader = readers[String(type)];
        return reader === undefined
          ? []
          : `${key} looks like a secret of production and has type ${String(type)}: ${reader} can read it. ` +
              "Give it type sensitive, which excludes the target development, and a new value.";
      }),
});

/** The readers of a variable, by its type. */
const readers: Record<string, string> = {
  plain: "everybody who sees the project",
  encrypted: "every member who may decrypt variables",
  secret: "every member who may decrypt variables",
};

/**
 * Names of values that are never meant for browsers. Names such as `API_KEY` and `TOKEN` are not in this list, because
 * services issue keys and tokens for browsers, for example for maps, search and error reports.
 */
const neverPublic =
  /(^|_)(SECRET|PASSWORD|PASSWD|PASSPHRASE|PWD|CREDENTIALS?|PRIVATE_KEY|SIGNING_KEY|ENCRYPTION_KEY|SERVICE_ROLE_KEY|DATABASE_URL|CONNECTION_STRING)(_|$|\d)/i;

/** True for a Google API key. Such keys can be for browsers, because the service restricts them to certain pages. */
const isBrowserKey = ({ value }: Variable): boolean => typeof value === "string" && value.startsWith("AIza");

export const noPublicSecrets = resourcePolicy<SecretSettings & { prefixes: readonly string[] }>({
  name: "no-public-secrets",
  description: "Variables with a public prefix contain no secret.",
  enforcementLevel: "mandatory",
  severity: "critical",
  remediationSteps: "Remove the prefix, read the variable only on the server, and revoke the value.",
  settings: {
    ...except("variables"),
    ...secretNames,
    prefixes: {
      type: "array",
      items: { type: "string", minLength: 1 },
      default: [...publicPrefixes],
      description: "Prefixes of variables that a build writes into pages.",
    },
  },
  check: (resource, settings) =>
    checkedOf(resource, settings).flatMap((variable) => {
      const { key, value } = variable;
      const prefix = settings.prefixes.find((one) => key.startsWith(one));
      if (prefix === undefined) return [];
      const isNamed =
        matchesAny(settings.secretNames, key) ||
        (neverPublic.test(key.slice(prefix.length)) && !isHarmless(value));
      const isFormed = hasSecretForm(variable) && !isBrowserKey(variable);
      if (!isNamed && !isFormed) return [];
      const reason = isFormed ? "its value has the form of a secret" : "its name is that of a secret";
      return `${key} begins with ${prefix}, so builds write its value into pages, and ${reason}. Remove the prefix, and revoke the value.`;
    }),
});

export const noProductionValuesInPreviews = stackPolicy<SecretSettings>({
  name: "no-production-values-in-previews",
  description: "Previews have no secret of production.",
  enforcementLevel: "advisory",
  severity: "high",
  remediationSteps: "Declare a variable for production, and another for preview with a value of its own.",
  settings: { ...except("variables"), ...secretNames },
  check(resources, settings) {
    const variables = resources.flatMap((resource) =>
      checkedOf(resource, settings).map((variable) => ({ ...variable, urn: resource.urn })),
    );
    /** The keys of the secrets of production, by value. */
    const production = new Map(
      variables
        .filter((one) => isFor("production", one) && isSecret(one, settings))
        .map(({ key, value }) => [value, key]),
    );
    return variables
      .filter((variable) => isFor("preview", variable))
      .flatMap((variable): Violation[] => {
        const { key, value, urn } = variable;
        if (isFor("production", variable) && isSecret(variable, settings)) {
          const message = `${key} looks like a secret, and production shares it with previews, which the code of every branch can read. `;
          return [{ urn, message: message + ownValue }];
        }
        const shared = typeof value === "string" && value !== "" ? production.get(value) : undefined;
        return shared === undefined
          ? []
          : [{ urn, message: `${key} for previews has the value of ${shared} for production. ${ownValue}` }];
      });
  },
});

const ownValue = "Give previews a variable with a value of its own.";
