import { redirectLoops } from "../../../server/domains/rules";

describe("a redirect", () => {
  const domains = [
    { name: "a.com", redirect: "b.com" },
    { name: "b.com", redirect: "c.com" },
    { name: "c.com", redirect: null },
    { name: "x.com", redirect: "y.com" },
    { name: "y.com", redirect: "x.com" },
  ];
  it("that comes back over others is a loop", () => {
    expect(redirectLoops("c.com", "a.com", domains)).toBe(true);
    expect(redirectLoops("c.com", "c.com", domains)).toBe(true);
  });
  it("that ends is none", () => {
    expect(redirectLoops("d.com", "a.com", domains)).toBe(false);
  });
  it("into a loop of others ends the search", () => {
    expect(redirectLoops("d.com", "x.com", domains)).toBe(false);
  });
});
