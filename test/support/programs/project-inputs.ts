import fc from "fast-check";
import { attackChallengeMode } from "../../../provider/resources/attack-challenge-mode";
import { customEnvironment } from "../../../provider/resources/custom-environment";
import { deployment } from "../../../provider/resources/deployment";
import { domainVerification } from "../../../provider/resources/domain-verification";
import { envVar } from "../../../provider/resources/env-var";
import { envVars } from "../../../provider/resources/env-vars";
import { firewallBypass } from "../../../provider/resources/firewall-bypass";
import { project } from "../../../provider/resources/project";
import { projectDomain } from "../../../provider/resources/project-domain";
import { projectMember } from "../../../provider/resources/project-member";
import { promotion } from "../../../provider/resources/promotion";
import { outsideValues } from "../outside-values";
import { inputsOf } from "./values";

/** Random inputs of projects and of what belongs to one. */

const branch = fc.constantFrom("one", "two");
const bypass = fc.constantFrom("x", "y", "z").map((letter) => `canary${letter}`.padEnd(32, letter));
/** A value, or where the provider finds it: see `fitted`. */
export const value = fc.constantFrom(
  ...["canary-1", "canary-2", "", "ü\n\"'$", "x".repeat(40)],
  ...Object.keys(outsideValues).map((name) => `@${name}`),
);
export const targets = fc.array(fc.constantFrom("production", "preview", "development"), {
  minLength: 1,
  maxLength: 4,
});
const address = fc.constantFrom("10.0.0.1", "10.0.0.0/8", "192.0.2.1");
/** The addresses of each bypass. */
const addresses: Record<string, string[]> = {
  f0: ["192.0.2.1", "10.0.0.0/8"],
  f1: ["192.0.2.2", "2001:db8::/32"],
};

/** The service stores a secret once, and one secret is the variable of deployments. */
function withoutDoubles({ protectionBypass, ...rest }: Record<string, unknown>): Record<string, unknown> {
  if (!protectionBypass) return rest;
  const all = Object.entries(protectionBypass as Record<string, { secret?: string; isEnvVar?: boolean }>);
  const first = (secret: string) => all.find(([, one]) => one.secret === secret)?.[0];
  const kept = all.filter(([label, { secret }]) => secret === undefined || first(secret) === label);
  const variable = kept.findIndex(([, { isEnvVar }]) => isEnvVar);
  const marked = kept.map(([label, { isEnvVar, ...one }], at) => [
    label,
    { ...one, ...(isEnvVar !== undefined && { isEnvVar: isEnvVar && at === variable }) },
  ]);
  return { ...rest, protectionBypass: Object.fromEntries(marked) };
}

export const ofProject = {
  project: (name: string) =>
    fc
      .tuple(
        fc.constantFrom(`%-${name}`, `%-${name}`, `%-${name}-renamed`),
        inputsOf(project, {
          name: undefined,
          serverlessFunctionRegion: fc.constantFrom("iad1", "fra1", null),
          "trustedIps.addresses[].value": address,
          "deploymentPolicy.gitSources[].sources[]": fc.constantFrom(
            { provider: "github", org: "acme" },
            { provider: "gitlab", namespace: "acme", project: "web" },
          ),
          "optionsAllowlist.paths[].value": fc.constantFrom("/api", "/a/b"),
          "protectionBypass.*.secret": bypass,
          "passwordProtection.password": fc.constantFrom("canary-1", "canary-2"),
          "gitRepository.type": fc.constant("github"),
          "gitRepository.repo": fc.constantFrom("acme/web", "acme/api"),
          "gitRepository.productionBranch": fc.constantFrom("main", "stable"),
        }),
      )
      .map(([name, rest]) => ({ name, ...withoutDoubles(rest) })),

  domain: (name: string) =>
    fc
      .tuple(
        fc.constantFrom(
          `${name}.%.example.com`,
          `${name}.%.example.com`,
          `other-${name}.%.example.com`,
          `${name}-%.test`,
        ),
        inputsOf(projectDomain, {
          project: undefined,
          name: undefined,
          // Told which domain it is when it is known which there are.
          redirect: fc.constant("another"),
          waitForVerification: undefined,
          // It has an id that no program knows; the field matrix has it.
          customEnvironmentId: undefined,
        }),
      )
      .map(([name, rest]) => ({ name, ...rest })),

  verification: () => inputsOf(domainVerification, { project: undefined, name: undefined }),

  variable: (name: string) =>
    fc
      .tuple(
        fc.constantFrom(name.toUpperCase(), name.toUpperCase(), `OTHER_${name.toUpperCase()}`),
        targets,
        value,
        inputsOf(envVar, {
          ...{
            project: undefined,
            key: undefined,
            target: undefined,
            value: undefined,
            valueFrom: undefined,
          },
          gitBranch: branch,
          // They have ids that no program knows; the field matrix has them.
          customEnvironmentIds: fc.constant([]),
          comment: fc.constantFrom("why", "", "@output"),
        }),
      )
      .map(([key, target, value, rest]) => ({ key, target, value, ...rest })),

  variables: (name: string) =>
    fc
      .tuple(
        fc.dictionary(fc.constantFrom(`${name}_A`, `${name}_B`, `${name}_C`), oneVariable, { maxKeys: 3 }),
        inputsOf(envVars, { project: undefined, variables: undefined, target: targets }),
      )
      .map(([variables, rest]) => ({ variables: { ...variables }, ...rest })),

  deployment: () =>
    fc
      .tuple(
        fc.oneof(fc.nat(2), fc.constantFrom("main", "next")),
        fc.array(fc.constantFrom("@revision", "@revision", "one", 2), { maxLength: 2 }),
        inputsOf(deployment, {
          ...{ project: undefined, redeploy: undefined, directory: undefined, prebuilt: undefined },
          files: undefined,
          // It has an id that no program knows.
          ...{ ref: undefined, triggers: undefined, customEnvironmentId: undefined },
          timeoutMs: fc.constant(60_000),
          "environment{}": fc.constantFrom("A", "B"),
        }),
      )
      .map(([source, triggers, rest]) => ({ source, triggers, ...rest })),

  /** The deployment is one of those that are there already, or one that the program makes. */
  promotion: () =>
    fc
      .tuple(
        fc.nat(5),
        inputsOf(promotion, { project: undefined, deployment: undefined, timeoutMs: fc.constant(60_000) }),
      )
      .map(([deployment, rest]) => ({ deployment, ...rest })),

  environment: (name: string) =>
    fc
      .tuple(
        fc.constantFrom(name, name, `other-${name}`),
        inputsOf(customEnvironment, {
          ...{ project: undefined, slug: undefined },
          copyEnvVarsFrom: fc.constantFrom("production", "preview"),
        }),
      )
      .map(([slug, rest]) => ({ slug, ...rest })),

  challenge: () =>
    fc
      .tuple(
        fc.boolean(),
        inputsOf(attackChallengeMode, {
          ...{ project: undefined, enabled: undefined },
          activeUntil: fc.constantFrom(Date.UTC(2100, 0, 1), Date.UTC(2101, 0, 1)),
        }),
      )
      .map(([enabled, rest]) => ({ enabled, ...rest })),

  /** The domain is one of the project, if it has one. */
  bypass: (name: string) =>
    fc
      .tuple(
        fc.constantFrom("*", "@domain"),
        fc.constantFrom(...(addresses[name] ?? [])),
        inputsOf(firewallBypass, { project: undefined, domain: undefined, sourceIp: undefined }),
      )
      .map(([domain, sourceIp, rest]) => ({ domain, sourceIp, ...rest })),

  /** The email address is that of a member of the team. */
  member: () =>
    fc
      .tuple(
        fc.constantFrom("ADMIN", "PROJECT_DEVELOPER", "PROJECT_VIEWER"),
        inputsOf(projectMember, { project: undefined, email: undefined, role: undefined }),
      )
      .map(([role, rest]) => ({ role, ...rest })),
};

const oneVariable = fc.oneof(
  value,
  inputsOf(envVar, {
    ...{ project: undefined, key: undefined, customEnvironmentIds: undefined, adopt: undefined },
    ...{ value: undefined, valueFrom: undefined, target: targets, gitBranch: branch },
  }).chain((rest) => value.map((value) => ({ value, ...rest }))),
);
