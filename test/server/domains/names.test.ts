import fc from "fast-check";
import { canonicalDomain, isDenied, isGiven, isOwnZone, parseDomain } from "../../../server/domains/names";

describe("a domain name", () => {
  //
  it.each([
    ["example.com", "example.com", "example.com"],
    ["www.example.com", "www.example.com", "example.com"],
    ["a.co.uk", "a.co.uk", "a.co.uk"],
    ["b.a.co.uk", "b.a.co.uk", "a.co.uk"],
    ["WWW.Example.COM", "www.example.com", "example.com"],
    ["www.bücher.de", "www.xn--bcher-kva.de", "xn--bcher-kva.de"],
    ["BÜCHER.de", "xn--bcher-kva.de", "xn--bcher-kva.de"],
    ["*.example.com", "*.example.com", "example.com"],
    ["a.b.test", "a.b.test", "b.test"],
    ["tenant.github.io", "tenant.github.io", "tenant.github.io"],
    ["github.io", "github.io", "github.io"],
    ["1.example.com", "1.example.com", "example.com"],
  ])("%s is read as %s under the apex %s", (text, name, apexName) => {
    expect(parseDomain(text)).toEqual({ name, apexName, wildcard: text.startsWith("*.") });
  });

  it.each([
    "",
    "example",
    "co.uk",
    "com",
    "*.com",
    "*.co.uk",
    "*",
    "a.*.example.com",
    "xn--a.com",
    "www.xn--a-ecp.ru",
    "xn--.com",
    "**.example.com",
    "*example.com",
    "127.0.0.1",
    "0x7f.1",
    "[::1]",
    "https://example.com",
    "example.com/path",
    "example.com:80",
    "user@example.com",
    "exa mple.com",
    "exa%6dple.com",
    "ex_ample.com",
    "-a.example.com",
    "a-.example.com",
    "a..example.com",
    ".example.com",
    "example.com.",
    "xn--iñvalid.com",
    `${"a".repeat(64)}.com`,
    `${"a.".repeat(126)}com`,
    `*.${"a.".repeat(125)}com`,
  ])("%j is none", (text) => {
    expect(parseDomain(text)).toBeUndefined();
  });

  it("is read the same again once it was read", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.domain(),
          fc.string({ unit: "grapheme" }).map((text) => `${text}.de`),
        ),
        (text) => {
          const domain = parseDomain(text);
          if (!domain) return;
          expect(parseDomain(domain.name)).toEqual(domain);
          // The capital of some letters, such as the ı without a dot, is that of another letter.
          const capitals = text.toUpperCase();
          const isSame = capitals.toLowerCase() === text.toLowerCase();
          if (isSame) expect(parseDomain(capitals)?.name ?? domain.name).toBe(domain.name);
          expect(domain.name).toMatch(/^(\*\.)?[a-z0-9.-]{1,253}$/);
          expect(`.${domain.name}`.endsWith(`.${domain.apexName}`)).toBe(true);
        },
      ),
    );
  });

  it("that is none stands for itself where names are looked up", () => {
    expect(canonicalDomain("Not A Name")).toBe("Not A Name");
  });
});

it("a denied domain denies all below it and nothing beside it", () => {
  const denied = ["Bücher.de", "shop.example.com"];
  expect(isDenied("xn--bcher-kva.de", denied)).toBe(true);
  expect(isDenied("a.shop.example.com", denied)).toBe(true);
  expect(isDenied("*.shop.example.com", denied)).toBe(true);
  expect(isDenied("example.com", denied)).toBe(false);
  expect(isDenied("webshop.example.com", denied)).toBe(false);
});

it.each(["vercel.app", "vercel.app"])(
  "the service keeps %s, and gives away the names right below",
  (zone) => {
    for (const kept of [zone, `*.${zone}`, `deep.web.${zone}`]) expect(isOwnZone(kept)).toBe(true);
    for (const given of [`web.${zone}`, `my-site.${zone}`])
      expect([isOwnZone(given), isGiven(given)]).toEqual([false, true]);
    for (const other of [`not${zone}`, `web.not${zone}`])
      expect([isOwnZone(other), isGiven(other)]).toEqual([false, false]);
  },
);
