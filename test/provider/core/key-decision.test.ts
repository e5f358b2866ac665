import fc from "fast-check";
import {
  type Conflict,
  classifySibling,
  type KeyOwner,
  type KeyPolicy,
  keyDecisions,
  policyOf,
  refusalOf,
} from "../../../provider/core/key-decision";

const words = { noun: "the variable", choices: "another key" };
const owners = Object.keys(keyDecisions) as KeyOwner[];
const policies: KeyPolicy[] = [
  ...(["update", "create", "adopt", "adoptUnnamed", "extend", "extendAdopting"] as const),
];
const cells = owners.flatMap((owner) => policies.map((policy) => [owner, policy] as const));

const conflict: Conflict = {
  ...{
    id: "env_1",
    keys: ["prj_1/A"],
    twice: [],
    adopts: true,
    problem: "the file is locked",
    keptBy: "protect",
  },
  ...{ own: 'EnvVar "new"', other: 'EnvVar "old"' },
};

describe("the decision about an object that has the key of a resource", () => {
  it.each(cells)(
    "for an object of %s and the policy %s adopts only what no resource has",
    (owner, policy) => {
      const decision = keyDecisions[owner][policy];
      const isFree = /^(nobody|unknown|oldRetained)$/.test(owner);
      if (decision === "adopt") expect([isFree, policy]).toEqual([true, expect.stringMatching(/adopt/i)]);
      // The key of an object that is not in the stack, or that another one keeps, is never taken.
      const keeps: KeyOwner[] = ["nobody", "unknown", "declaring", "finished", "otherProvider", "kept"];
      if (keeps.includes(owner)) expect(decision).not.toBe("take");
    },
  );

  it.each(cells)("for an object of %s and the policy %s says what to do if it refuses", (owner, policy) => {
    const decision = keyDecisions[owner][policy];
    const message = refusalOf(decision, words, conflict);
    if (decision === "take" || decision === "adopt") expect(message).toBeUndefined();
    else {
      expect(message).toMatch(/variable A\b/);
      expect(message).toMatch(/\b(another key|\{ adopt: true \}|Remove|untaint|aliases|run the program)/);
      expect(message).not.toMatch(/prj_1|undefined/);
    }
  });

  it("never leaves an object that contains others to a new resource that might be the old one renamed", () => {
    for (const policy of ["create", "adopt", "adoptUnnamed"] as const)
      expect(keyDecisions.container[policy]).toBe("belongsTo");
    expect([keyDecisions.ownContainer.create, keyDecisions.oldContainer.create]).toEqual([
      "existsTwice",
      "existsTwice",
    ]);
  });

  it("names the keys that two resources declare, or all where the run has written the object", () => {
    const keys = ["prj_1/A", "prj_1/B"];
    const message = (twice: string[]) => refusalOf("declaredTwice", words, { ...conflict, keys, twice });
    expect(message(["prj_1/B"])).toContain("both declare the variable B.");
    expect(message([])).toContain("both declare the variable A and B.");
  });
});

it("another resource keeps a key that the program gives it, or that the run has written and it has not released", () => {
  const facts = fc.record({
    ...{ declares: fc.boolean(), releases: fc.boolean(), isDone: fc.boolean() },
    ...{ isContainer: fc.boolean(), isOfOtherProvider: fc.boolean(), isKept: fc.boolean() },
  });
  fc.assert(
    fc.property(facts, fc.constantFrom(...policies), (of, policy) => {
      const decision = keyDecisions[classifySibling(of)][policy];
      if (of.declares || (of.isDone && !of.releases)) expect(decision).toBe("declaredTwice");
      else if ((of.isOfOtherProvider || of.isKept) && !of.isContainer) expect(decision).not.toBe("take");
      expect(decision).not.toBe("adopt");
    }),
    { numRuns: 2000 },
  );
});

it("a resource without an object creates or adopts one, and the host may not know which it is", () => {
  const of = (isNew: boolean, adopt: boolean, self?: string, hasSeveral?: true) =>
    policyOf({ isNew, adopt, self, hasSeveral });
  expect([
    ...[of(false, true, "a"), of(true, false), of(true, true, "a"), of(true, true)],
    ...[of(false, false, "a", true), of(false, true, "a", true)],
  ]).toEqual(policies);
});
