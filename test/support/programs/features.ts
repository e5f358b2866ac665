import fc from "fast-check";
import type { Plain } from "../../../provider/core/values";
import type { ResourceType } from "../../../provider/loader";
import { booleanVariants } from "./companions";
import type { Placed, Present } from "./placement";
import type { Declaration } from "./program";

/** Kinds of which a program has one resource at most. */

interface Kind {
  type: ResourceType;
  /** The team has it, and not a project. */
  isOfTeam?: true;
  inputs: fc.Arbitrary<Plain>;
}

const keys = (...texts: string[]) => fc.constantFrom(...texts);
const text = fc.constantFrom("one", "two words");
const receiver = fc.constantFrom("http://127.0.0.1:9/one", "http://127.0.0.1:9/two");
const source = fc.constantFrom("/old", "/older");

const kinds: readonly Kind[] = [
  {
    type: "FeatureFlag",
    inputs: fc.record(
      {
        slug: keys("checkout", "checkout", "banner"),
        kind: fc.constant("boolean"),
        variants: fc.constant(booleanVariants),
        description: text,
        permanent: fc.boolean(),
        archived: fc.boolean(),
        tags: fc.subarray(["a", "b"]),
      },
      { requiredKeys: ["slug", "kind", "variants"] },
    ),
  },
  {
    type: "FeatureFlagSegment",
    inputs: fc.record(
      {
        slug: keys("beta", "beta", "testers"),
        label: text,
        description: text,
        hint: text,
        include: fc.constantFrom({ user: { email: ["ada@example.com"] } }, { user: { plan: ["a", "b"] } }),
      },
      { requiredKeys: ["slug", "label"] },
    ),
  },
  {
    type: "ProjectRoute",
    inputs: fc.record(
      {
        name: keys("guide", "guide", "docs"),
        description: text,
        enabled: fc.boolean(),
        route: fc.record({ src: source, dest: fc.constantFrom("/new", "/newer") }),
      },
      { requiredKeys: ["name", "route"] },
    ),
  },
  {
    type: "AccessGroup",
    isOfTeam: true,
    inputs: fc.record({ name: keys("group %", "group %", "others %") }),
  },
  {
    type: "BlobStore",
    isOfTeam: true,
    inputs: fc.record(
      { name: keys("store %", "store %", "other store %"), access: fc.constantFrom("public", "private") },
      { requiredKeys: ["name"] },
    ),
  },
  {
    type: "TraceDrain",
    isOfTeam: true,
    inputs: fc.record({ name: keys("traces %", "other traces %"), endpoint: receiver }),
  },
  {
    type: "AuditLogDrain",
    isOfTeam: true,
    inputs: fc.record({ name: keys("audit %", "other audit %"), endpoint: receiver }),
  },
];

export const featureCount = kinds.length;

const kindOf = (name: string): Kind => kinds[Number(name.slice(1))] as Kind;

/** Random inputs. @param name that of the slot, whose number is that of the kind */
export const feature = (name: string): fc.Arbitrary<Plain> => kindOf(name).inputs;

export function featureOf(present: Present, onProject: (one: Present) => Placed): Declaration {
  const { type, isOfTeam } = kindOf(present.name);
  return isOfTeam ? { type, name: present.name, args: present.args } : { ...onProject(present), type };
}
