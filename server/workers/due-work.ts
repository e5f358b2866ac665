import { continueDueBuilds } from "../deployments/builds";
import { collectContents } from "../deployments/file-store";
import { completeDuePromotions } from "../deployments/promotion";
import { advanceDueReleases } from "../deployments/rolling-release";
import { deleteDueConfigurations } from "../integrations/store";
import { followDatabase } from "../platform/clock";
import { type Poller, startPoller } from "../platform/poller";
import type { Services } from "../platform/services";
import { hasPast, removePast } from "../store/retention";
import type { Unit } from "../store/store";
import {
  accountsWithBuilds,
  accountsWithConfigurations,
  accountsWithPromotions,
  accountsWithReleases,
} from "./due-store";

/** The interval between two searches for due work, in milliseconds. */
const intervalMs = 500;

/** Runs the jobs that are due. */
export async function runDueWork(services: Services): Promise<void> {
  const { store, clock } = services;
  await followDatabase(services);
  const now = clock.now();
  // Reads first, because usually nothing is due, so nothing must be written. Each account has its own transaction, so
  // that no account waits for the work of another one.
  const [builds, promotions, releases, configurations] = await store.read(async (tx) => [
    await accountsWithBuilds({ tx, now }),
    await accountsWithPromotions({ tx, now }),
    await accountsWithReleases({ tx, now }),
    await accountsWithConfigurations({ tx, now }),
  ]);
  const eachOf = (accounts: { id: string }[], work: (unit: Unit, account: string) => Promise<unknown>) =>
    Promise.all(accounts.map(({ id }) => store.write((tx) => work({ tx, now }, id), id)));
  await eachOf(builds, continueDueBuilds);
  await eachOf(promotions, completeDuePromotions);
  await eachOf(releases, advanceDueReleases);
  await eachOf(configurations, deleteDueConfigurations);
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
