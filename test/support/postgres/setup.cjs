const { startKeeper } = require("./keeper-client");

/** Once per test run that has tests on PostgreSQL. It starts when the first of them asks for it. */
module.exports = async () => {
  const keeper = await startKeeper();
  process.env.SLIPWAY_TEST_POSTGRES = keeper.socket;
  globalThis.postgresKeeper = keeper;
};
