import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { developmentToken } from "../../server/seed/development-account";
import { furnishTeam, type Things } from "./authorization";
import { engine } from "./engine";
import { TestServer } from "./world";

/**
 * Gives each test of a file a server with the team `acme` and an object of each kind. On the embedded store, they are
 * made once, and each test gets a copy of the files.
 */
export function useFurnishedServer(): { world: TestServer; acme(): Things } {
  const world = new TestServer();
  let folder: string;
  let acme: Things;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "slipway-furnished-"));
    if (engine === "postgres") return;
    await world.open(join(folder, "first"));
    acme = await furnishTeam(world, "acme", developmentToken);
    await world.close();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(async () => {
    if (engine === "postgres") {
      await world.open("memory");
      acme = await furnishTeam(world, "acme", developmentToken);
    } else {
      cpSync(join(folder, "first"), join(folder, "copy"), { recursive: true });
      await world.open(join(folder, "copy"));
    }
  });
  afterEach(async () => {
    await world.close();
    rmSync(join(folder, "copy"), { recursive: true, force: true });
  });
  return { world, acme: () => acme };
}
