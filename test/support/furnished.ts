import { developmentToken } from "../../server/seed/development-account";
import { furnishTeam, type Things } from "./authorization";
import { TestServer } from "./world";

const furnished = "furnished";

/**
 * Gives each test of a file a server with the team `acme` and an object of each kind: they are made once, and saved as
 * a state, which is loaded before each test.
 */
export function useFurnishedServer(): { world: TestServer; acme(): Things } {
  const world = new TestServer();
  let acme: Things;
  beforeAll(async () => {
    await world.open("memory");
    acme = await furnishTeam(world, "acme", developmentToken);
    await world.control.saveState(furnished);
  });
  beforeEach(() => world.control.loadState(furnished));
  // A failure of the server fails the test.
  afterEach(() => world.throwFailure());
  afterAll(() => world.close());
  return { world, acme: () => acme };
}
