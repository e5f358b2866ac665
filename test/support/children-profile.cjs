// The profile of the run, which jest.config.cjs decides, is also that of the servers in processes of their own.
delete process.env.SLIPWAY_PROFILE;
if (globalThis.slipwayProfile) process.env.SLIPWAY_PROFILE = globalThis.slipwayProfile;
