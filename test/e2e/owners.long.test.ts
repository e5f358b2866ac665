import { objectsFor, teamOf } from "../support/programs/account";
import { Author } from "../support/programs/author";
import { CliStack, cliHosts } from "../support/programs/cli-stack";
import { noCounts, runLifetime } from "../support/programs/lifetime";
import { Workspace } from "../support/pulumi";
import { openRecordingProxy } from "../support/recording-proxy";
import { inFull } from "../support/slices";

/**
 * Programs that are edited over and over, through the real engine, in the long run. `test/provider/owners.test.ts` has
 * many more of them without it, and some of these in each run. The number of a program is its seed.
 */
const first = Number(process.env.SLIPWAY_TEST_SEED ?? 0);
const programs = Number(process.env.SLIPWAY_TEST_PROGRAMS ?? 50);
const seeds = Array.from({ length: programs }, (_, i) => first + i);
const edits = 5;
const counts = noCounts();
let ran = 0;

inFull.each(seeds)(
  "random edits of a program lose nothing, share nothing and leave nothing behind (seed %i)",
  async (seed) => {
    const world = await Workspace.start(objectsFor("ada"));
    expect((await world.server.control("POST", "/seed", teamOf("ada"))).status).toBe(200);
    await world.server.control("POST", "/builds", { buildMs: 0 });
    const proxy = await openRecordingProxy(world.server.url);
    try {
      // Alternately through either host.
      const host = cliHosts[seed % cliHosts.length] as (typeof cliHosts)[number];
      const stack = await CliStack.in(world, proxy, `seed-${seed}`, host);
      await runLifetime(new Author(seed), edits, stack, counts);
      ran += 1;
    } finally {
      await proxy.close();
      await world.stop();
    }
  },
  1_800_000,
);

// The programs would prove little if all of them were refused, or none recovered.
afterAll(() => {
  if (ran < seeds.length) return;
  console.info(`${ran} programs`, counts);
  expect(counts.done).toBeGreaterThanOrEqual(seeds.length);
  expect(counts.recovered).toBeGreaterThanOrEqual(seeds.length);
  for (const count of Object.values(counts)) expect(count).toBeGreaterThanOrEqual(seeds.length / 10);
});
