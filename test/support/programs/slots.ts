import fc from "fast-check";
import type { Plain } from "../../../provider/core/values";
import { deployment } from "../../../provider/resources/deployment";
import { domainVerification } from "../../../provider/resources/domain-verification";
import { envVar } from "../../../provider/resources/env-var";
import { envVars } from "../../../provider/resources/env-vars";
import { project } from "../../../provider/resources/project";
import { projectDomain } from "../../../provider/resources/project-domain";
import { promotion } from "../../../provider/resources/promotion";
import { inputsOf } from "./values";

/**
 * A place for one resource of a program and of its edit. Its name at the service is its own (`%` stands for
 * the run's name), unless the edit rotates the names of a kind.
 */
export interface Slot {
  name: string;
  /** The versions that the edit can declare: each input is as before or as in the other version. */
  versions: readonly [Plain | undefined, Plain | undefined];
  /** Choices among the resources that there are: a number, and how it is written. */
  choices: readonly [Choice, Choice];
}

export interface Choice {
  /** Which project, domain or output, counted round. */
  project: number;
  other: number;
  /** How the project is named: by id, by an output that is its name, or by its name as a text. */
  style: "id" | "name" | "text";
}

const choice: fc.Arbitrary<Choice> = fc.record({
  project: fc.nat(5),
  other: fc.nat(5),
  style: fc.constantFrom("id", "id", "name", "text"),
});

/** Slots of one kind. @param inputs random inputs of the n-th of them */
function slots(
  prefix: string,
  max: number,
  inputs: (name: string) => fc.Arbitrary<Plain>,
): fc.Arbitrary<Slot[]> {
  const each = Array.from({ length: max }, (_, i) => slot(`${prefix}${i}`, inputs(`${prefix}${i}`)));
  return fc.tuple(...each).map((all) => all.filter(({ versions }) => versions.some(Boolean)));
}

const slot = (name: string, inputs: fc.Arbitrary<Plain>): fc.Arbitrary<Slot> =>
  fc
    .record({
      first: inputs,
      second: inputs,
      /** Which inputs the edit takes from the second. */
      edited: fc.oneof(fc.constant(0), fc.nat(2 ** 16 - 1), fc.constant(2 ** 16 - 1)),
      presence: fc.constantFrom("none", "none", "both", "both", "both", "first", "second"),
      choices: fc.tuple(choice, choice),
      moved: fc.boolean(),
    })
    .map(({ first, second, edited, presence, choices, moved }) => ({
      name,
      versions: [
        presence === "both" || presence === "first" ? first : undefined,
        presence === "both" || presence === "second" ? mixed(first, second, edited) : undefined,
      ],
      choices: moved ? choices : [choices[0], choices[0]],
    }));

function mixed(first: Plain, second: Plain, edited: number): Plain {
  const keys = [...new Set([...Object.keys(first), ...Object.keys(second)])].sort();
  return Object.fromEntries(
    keys
      .map((key, bit) => [key, (edited >> (bit % 16)) & 1 ? second[key] : first[key]])
      .filter(([, value]) => value !== undefined),
  );
}

const branch = fc.constantFrom("one", "two");
const bypass = fc.constantFrom("x", "y", "z").map((letter) => `canary${letter}`.padEnd(32, letter));
const value = fc.constantFrom("canary-1", "canary-2", "", "ü\n\"'$", "x".repeat(40));
const targets = fc.array(fc.constantFrom("production", "preview", "development"), {
  minLength: 1,
  maxLength: 4,
});
const address = fc.constantFrom("10.0.0.1", "10.0.0.0/8", "192.0.2.1");

const inputs = {
  project: (name: string) =>
    fc
      .tuple(
        fc.constantFrom(`%-${name}`, `%-${name}`, `%-${name}-renamed`),
        inputsOf(project, {
          name: undefined,
          serverlessFunctionRegion: fc.constantFrom("iad1", "fra1", null),
          "trustedIps.addresses[].value": address,
          "optionsAllowlist.paths[].value": fc.constantFrom("/api", "/a/b"),
          "protectionBypass.*.secret": bypass,
          "passwordProtection.password": fc.constantFrom("canary-1", "canary-2"),
          "gitRepository.type": fc.constant("github"),
          "gitRepository.repo": fc.constantFrom("acme/web", "acme/api"),
          "gitRepository.productionBranch": fc.constantFrom("main", "stable"),
        }),
      )
      .map(([name, rest]) => ({ name, ...rest })),

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
          ...{ project: undefined, key: undefined, target: undefined, value: undefined },
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
};

const oneVariable = fc.oneof(
  value,
  inputsOf(envVar, {
    ...{ project: undefined, key: undefined, customEnvironmentIds: undefined, adopt: undefined },
    ...{ value: undefined, target: targets, gitBranch: branch },
  }).chain((rest) => value.map((value) => ({ value, ...rest }))),
);

/** All that a program and its edit are made of. */
export interface Slots {
  projects: Slot[];
  domains: Slot[];
  verifications: Slot[];
  variables: Slot[];
  manyVariables: Slot[];
  deployments: Slot[];
  promotions: Slot[];
  /** By how many places the edit rotates the names of the resources of a kind. */
  rotations: { projects: number; domains: number; variables: number };
}

const rotation = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(3) });

export const allSlots: fc.Arbitrary<Slots> = fc.record({
  projects: slots("p", 3, inputs.project),
  domains: slots("d", 4, inputs.domain),
  verifications: slots("v", 2, inputs.verification),
  variables: slots("e", 4, inputs.variable),
  manyVariables: slots("m", 2, inputs.variables),
  deployments: slots("b", 3, inputs.deployment),
  promotions: slots("l", 2, inputs.promotion),
  rotations: fc.record({ projects: rotation, domains: rotation, variables: rotation }),
});
