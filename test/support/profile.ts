import { type RunningServer, type StartOptions, startServer as start } from "../../server";

/**
 * The profile of the servers of this run. `jest.config.cjs` runs the tests that ask a server through the provider twice,
 * once for each profile: `npm test -- <files> --selectProjects hosted` selects the second.
 */
export const profile =
  (globalThis as { slipwayProfile?: NonNullable<StartOptions["profile"]> }).slipwayProfile ?? "specification";

/** Returns the answer of the profile of this run. */
export const byProfile = <T>(specification: T, hosted: T): T =>
  profile === "hosted" ? hosted : specification;

/** Starts a server in this process, with the profile of the run unless the test chooses one. */
export const startServer = (options: StartOptions = {}): Promise<RunningServer> =>
  start({ ...(profile === "hosted" && { profile }), ...options });
