import fc from "fast-check";
import { type ScopeName, scopeSubjects } from "../../../server/access/scopes";
import {
  confirmScopes,
  type GrantedScopes,
  installationUrl,
  normalizeScopes,
  requestScopes,
} from "../../../server/integrations/rules";

const granted = (confirmed: ScopeName[], pending: ScopeName[] = []): GrantedScopes => ({
  confirmed,
  pending,
});

describe("a scope change", () => {
  test.each<[string, GrantedScopes, ScopeName[], GrantedScopes, ScopeName[]]>([
    // AU-35
    [
      "an addition waits",
      granted(["read:project"]),
      ["read:project", "read:domain"],
      granted(["read:project"], ["read:domain"]),
      ["read:domain"],
    ],
    // AU-36
    [
      "an upgrade waits, and the lower right stays",
      granted(["read:project"]),
      ["read-write:project"],
      granted(["read:project"], ["read-write:project"]),
      ["read-write:project"],
    ],
    // AU-39
    [
      "a removal holds at once",
      granted(["read:project", "read:domain"]),
      ["read:project"],
      granted(["read:project"]),
      [],
    ],
    // AU-40
    [
      "a downgrade holds at once",
      granted(["read-write:project"]),
      ["read:project"],
      granted(["read:project"]),
      [],
    ],
    // AU-41
    [
      "a removal of what is pending holds at once",
      granted(["read:project"], ["read-write:domain"]),
      ["read:project"],
      granted(["read:project"]),
      [],
    ],
    // AU-41
    [
      "taking an upgrade back leaves what was confirmed",
      granted(["read:project"], ["read-write:project"]),
      ["read:project"],
      granted(["read:project"]),
      [],
    ],
    // AU-42
    [
      "a downgrade of what is pending holds at once, and nobody is asked again",
      granted([], ["read-write:domain"]),
      ["read:domain"],
      granted([], ["read:domain"]),
      [],
    ],
    // AU-42
    [
      "removing a scope removes it from both",
      granted(["read:project"], ["read-write:project"]),
      [],
      granted([]),
      [],
    ],
    // AU-37
    [
      "raising what is pending asks again",
      granted([], ["read:domain"]),
      ["read-write:domain"],
      granted([], ["read-write:domain"]),
      ["read-write:domain"],
    ],
    [
      "asking for the same again changes nothing",
      granted(["read:project"], ["read:domain"]),
      ["read:project", "read:domain"],
      granted(["read:project"], ["read:domain"]),
      [],
    ],
  ])("%s", (_what, before, requested, after, raised) => {
    expect(requestScopes(before, requested)).toEqual({ ...after, raised });
  });

  // AU-38
  test("one confirmation confirms all that is pending", () => {
    const after = confirmScopes(granted(["read:project"], ["read-write:project", "read:domain"]));
    expect(after).toEqual(granted(["read-write:project", "read:domain"]));
  });

  const scopes = fc
    .subarray(scopeSubjects.flatMap((subject): ScopeName[] => [`read:${subject}`, `read-write:${subject}`]))
    .map(normalizeScopes);

  // AU-35, AU-36, AU-39, AU-40
  test("never gives more than was confirmed, and less at once", () => {
    fc.assert(
      fc.property(scopes, scopes, (confirmed, requested) => {
        const after = requestScopes(granted(confirmed), requested);
        expect(normalizeScopes([...after.confirmed, ...confirmed])).toEqual(confirmed);
        expect(normalizeScopes([...after.confirmed, ...requested])).toEqual(requested);
      }),
    );
  });

  // AU-38
  test("what was asked for is what a confirmation gives, whatever was before", () => {
    fc.assert(
      fc.property(scopes, scopes, scopes, (confirmed, first, second) => {
        const { raised: _, ...waiting } = requestScopes(granted(confirmed), first);
        expect(confirmScopes(requestScopes(waiting, second)).confirmed).toEqual(second);
      }),
    );
  });
});

describe("scopes as they are set", () => {
  // AU-19
  test("a bare name means both rights, the higher of two counts, and the order is the table's", () => {
    expect(normalizeScopes(["domain", "read:project", "read-write:project", "read:user"])).toEqual([
      "read-write:project",
      "read:user",
      "read-write:domain",
    ]);
  });
});

// AU-14
test("the redirect URL keeps its own query parameters", () => {
  const url = installationUrl("https://a.example.com/cb?x=1", {
    code: "c",
    configurationId: "icfg_1",
    teamId: undefined,
    next: "https://b.example.com/",
    source: "external",
  });
  expect(url).toBe(
    "https://a.example.com/cb?x=1&code=c&configurationId=icfg_1&next=https%3A%2F%2Fb.example.com%2F&source=external",
  );
});
