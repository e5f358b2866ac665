import { account } from "../support/programs/account";
import { Author } from "../support/programs/author";
import { CliStack } from "../support/programs/cli-stack";
import { runLifetime } from "../support/programs/lifetime";
import { Workspace } from "../support/pulumi";

/**
 * Programs that are edited over and over, through the real engine: `test/provider/owners.test.ts` has many more of them
 * without it. The number of a program is its seed.
 */
const isLong = process.env.SLIPWAY_TEST_LONG !== undefined;
const first = Number(process.env.SLIPWAY_TEST_SEED ?? 0);
const seeds = Array.from({ length: isLong ? 50 : 1 }, (_, i) => first + i);
const edits = isLong ? 5 : 2;
const counts = { done: 0, refused: 0, adopted: 0, recovered: 0 };
let ran = 0;

it.each(seeds)(
  "random edits of a program lose nothing, share nothing and leave nothing behind (seed %i)",
  async (seed) => {
    const { gitProviders, projects, domains } = account;
    const world = await Workspace.start({ gitProviders, projects, domains });
    try {
      await runLifetime(new Author(seed), edits, await CliStack.in(world, `seed-${seed}`), counts);
      ran += 1;
    } finally {
      await world.stop();
    }
  },
  1_800_000,
);

// The programs would prove little if all of them were refused, or none recovered.
afterAll(() => {
  if (ran < seeds.length) return;
  expect(counts.done).toBeGreaterThanOrEqual(seeds.length);
  expect(counts.recovered).toBeGreaterThanOrEqual(seeds.length);
  if (isLong)
    for (const count of Object.values(counts)) expect(count).toBeGreaterThanOrEqual(seeds.length / 4);
});
