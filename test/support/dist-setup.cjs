/** Tells the tests, in all processes, whether dist/ is older than the sources. */
module.exports = async () => {
  const { isDistCurrent } = await import("../../scripts/setup/dist.mjs");
  process.env.SLIPWAY_TEST_DIST = isDistCurrent() ? "current" : "outdated";
};
