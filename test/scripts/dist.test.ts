import { built } from "../support/dist";

describe("the tests of what was built", () => {
  const before = process.env.SLIPWAY_TEST_DIST;
  afterEach(() => {
    process.env.SLIPWAY_TEST_DIST = before;
  });

  it("refuse a dist/ that is older than the sources", () => {
    process.env.SLIPWAY_TEST_DIST = "outdated";
    expect(() => built("cli/main.js")).toThrow("run `npm run build`");
  });

  it("find their files in a dist/ that was built from the sources", () => {
    process.env.SLIPWAY_TEST_DIST = "current";
    expect(built("cli/main.js")).toMatch(/\/dist\/cli\/main\.js$/);
  });
});
