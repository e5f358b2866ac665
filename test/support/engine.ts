/**
 * Where the stores of this test are. `jest.config.cjs` runs every test of the server twice, once for each
 * engine: `npx jest <files> --selectProjects slipway` leaves out the second.
 */
export const engine = (globalThis as { slipwayEngine?: "sqlite" | "postgres" }).slipwayEngine ?? "sqlite";
