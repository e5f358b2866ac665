import { continueDueBuilds } from "../deployments/builds";
import { collectContents } from "../deployments/file-store";
import { completeDuePromotions } from "../deployments/promotion";
import { duePromotions } from "../deployments/promotion-store";
import { dueBuilds } from "../deployments/store";
import { deleteDueConfigurations, hasDueConfigurations } from "../integrations/store";
import { followDatabase } from "../platform/clock";
import { type Poller, startPoller } from "../platform/poller";
import type { Services } from "../platform/services";
import { hasPast, removePast } from "../store/retention";

/** The interval between two searches for due work, in milliseconds. */
const intervalMs = 500;

/** Runs the jobs that are due. */
export async function runDueWork(services: Services): Promise<void> {
  const { store, clock } = services;
  await followDatabase(services);
  const now = clock.now();
  // Reads first, because usually nothing is due, so nothing must be written.
  const [promotion, build, configuration] = await store.read(async (tx) => [
    await duePromotions({ tx, now }).limit(1).executeTakeFirst(),
    await dueBuilds({ tx, now }).limit(1).executeTakeFirst(),
    await hasDueConfigurations({ tx, now }),
  ]);
  if (build) await store.write((tx) => continueDueBuilds({ tx, now }));
  if (promotion) await store.write((tx) => completeDuePromotions({ tx, now }));
  if (configuration) await store.write((tx) => deleteDueConfigurations({ tx, now }));
  while (await store.read((tx) => hasPast({ tx, now }))) {
    await store.write((tx) => removePast({ tx, now }), "retention");
  }
  await collectContents(services);
}

/** Runs due jobs until it is stopped. */
export const startDueWork = (services: Services): Poller =>
  startPoller({
    run: () => runDueWork(services),
    failure: "due work failed",
    log: services.log,
    everyMs: intervalMs,
  });
