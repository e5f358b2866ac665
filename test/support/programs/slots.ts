import fc from "fast-check";
import type { Plain } from "../../../provider/core/values";
import { feature, featureCount, someFeatures } from "./features";
import { ofProject } from "./project-inputs";
import { ofTeam } from "./team-inputs";

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

/** All that a program and its edit are made of. */
export interface Slots {
  projects: Slot[];
  domains: Slot[];
  verifications: Slot[];
  variables: Slot[];
  manyVariables: Slot[];
  deployments: Slot[];
  promotions: Slot[];
  environments: Slot[];
  challenges: Slot[];
  bypasses: Slot[];
  records: Slot[];
  sharedVariables: Slot[];
  links: Slot[];
  teamMembers: Slot[];
  projectMembers: Slot[];
  configs: Slot[];
  items: Slot[];
  tokens: Slot[];
  webhooks: Slot[];
  drains: Slot[];
  features: Slot[];
  /** By how many places the edit rotates the names of the resources of a kind. */
  rotations: Record<Rotated, number>;
}

const rotated = [
  "projects",
  "domains",
  "variables",
  "environments",
  "bypasses",
  "records",
  "sharedVariables",
  "teamMembers",
  "configs",
  "items",
] as const;
type Rotated = (typeof rotated)[number];

const rotation = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(3) });

/** Kinds that a third of the programs have, so that a program has few resources. */
const sometimes = (kinds: Record<string, fc.Arbitrary<Slot[]>>): fc.Arbitrary<Record<string, Slot[]>> =>
  fc
    .tuple(fc.record(kinds), fc.nat(2))
    .map(([all, third]) =>
      third === 2 ? all : Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []])),
    );

export const allSlots: fc.Arbitrary<Slots> = fc
  .tuple(
    fc.record({
      projects: slots("p", 3, ofProject.project),
      domains: slots("d", 4, ofProject.domain),
      verifications: slots("v", 2, ofProject.verification),
      variables: slots("e", 4, ofProject.variable),
      manyVariables: slots("m", 2, ofProject.variables),
      deployments: slots("b", 3, ofProject.deployment),
      promotions: slots("l", 2, ofProject.promotion),
      rotations: fc.record(
        Object.fromEntries(rotated.map((kind) => [kind, rotation])) as Record<Rotated, typeof rotation>,
      ),
    }),
    sometimes({ environments: slots("c", 2, ofProject.environment) }),
    sometimes({
      challenges: slots("a", 2, ofProject.challenge),
      bypasses: slots("f", 2, ofProject.bypass),
    }),
    sometimes({ records: slots("r", 2, ofTeam.record) }),
    sometimes({ sharedVariables: slots("s", 2, ofTeam.variable), links: slots("k", 2, ofTeam.link) }),
    sometimes({ teamMembers: slots("t", 2, ofTeam.member), projectMembers: slots("u", 2, ofProject.member) }),
    sometimes({
      configs: slots("h", 2, ofTeam.config),
      items: slots("i", 3, ofTeam.item),
      tokens: slots("j", 1, ofTeam.token),
    }),
    sometimes({ webhooks: slots("w", 1, ofTeam.webhook), drains: slots("g", 1, ofTeam.drain) }),
    sometimes({
      features: fc
        .tuple(slots("q", featureCount, feature), someFeatures)
        .map(([all, chosen]) => all.filter(({ name }) => chosen.has(Number(name.slice(1))))),
    }),
  )
  .map((parts) => Object.assign({}, ...parts) as Slots);
