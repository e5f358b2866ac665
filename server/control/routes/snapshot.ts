import type { Unit } from "../../store/store";
import { controlKey } from "../locks";
import { controlRoute } from "../route";
import { allRows } from "../store";

/** Returns all data in a stable order, without secrets. Servers with the same data return the same snapshot. */
const getSnapshot = controlRoute({
  method: "GET",
  path: "/snapshot",
  operationId: "snapshot",
  summary: "Returns all data in a stable order, without secrets.",
  handle: ({ services }) =>
    services.store.read((tx) => snapshot({ tx, now: services.clock.now() }), controlKey),
});

const snapshot = async ({ tx, now }: Unit) => ({ now, ...(await allRows(tx)) });

export type Snapshot = Awaited<ReturnType<typeof snapshot>>;

export const snapshotRoutes = [getSnapshot];
