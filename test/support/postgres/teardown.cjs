module.exports = async () => {
  await globalThis.postgresKeeper.stop();
};
