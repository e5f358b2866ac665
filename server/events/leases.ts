import { sql } from "kysely";
import { newId } from "../platform/ids";
import { databaseNow } from "../store/meta";
import { prepared, type Store, type Tx, type Unit } from "../store/store";

/**
 * Gives each row to one worker. Servers that share a database lease rows; the lease of a killed server expires.
 * A server alone on its store keeps its rows in memory and writes nothing.
 */
export interface Leases {
  /** Takes due rows that no other worker holds. @param busy ids of the rows that this worker is at work on */
  claim(now: number, limit: number, busy: Iterable<string>): Promise<string[]>;
  /** Within a transaction: true when this worker still holds the row, which is then locked and its lease extended. */
  hold(tx: Tx, id: string): Promise<boolean>;
  /** Ends the lease, within the transaction that records the outcome. */
  release(tx: Tx, id: string): Promise<void>;
}

type Leased = "receivers" | "mail";

/** Longer than an attempt can take, in milliseconds. */
const leaseMs = 60_000;

export function leases(store: Store, table: Leased): Leases {
  return store.engine === "postgres" ? sharedLeases(store, table) : ownLeases(store, table);
}

function ownLeases(store: Store, table: Leased): Leases {
  return {
    async claim(now, limit, busy) {
      const own = [...busy];
      const rows = await store.read(async (tx) => {
        // Mostly nothing is due. This query is cheaper than a claim.
        const [any] = await anyDue[table](tx, { now });
        return any === undefined ? [] : due({ tx, now }, table, limit, own).execute();
      });
      return rows.map(({ id }) => id);
    },
    hold: async () => true,
    release: async () => {},
  };
}

function sharedLeases(store: Store, table: Leased): Leases {
  const lease = newId("row");
  const until = sql<number>`${databaseNow} + ${sql.lit(leaseMs)}`;
  return {
    async claim(now, limit, busy) {
      // Once, since the unit may be run again.
      const own = [...busy];
      const rows = await store.write(
        (tx) =>
          tx
            // Materialized, since a plan may run a subquery once per row and lease more than `limit`.
            .with(
              (cte) => cte("due").materialized(),
              () =>
                due({ tx, now }, table, limit, own)
                  .where((eb) =>
                    // What this worker leased and is not busy with, it lost hold of when the database failed.
                    eb.or([
                      eb("lease", "is", null),
                      eb("lease", "=", lease),
                      eb("leased_until", "<", databaseNow),
                    ]),
                  )
                  .forUpdate()
                  .skipLocked(),
            )
            .updateTable(table)
            .set({ lease, leased_until: until })
            .where("id", "in", (eb) => eb.selectFrom("due").select("due.id"))
            .returning("id")
            .execute(),
        // Skips rows that another server has just locked, instead of waiting for them.
        lease,
      );
      return rows.map(({ id }) => id);
    },
    async hold(tx, id) {
      const row = await tx
        .updateTable(table)
        .set({ leased_until: until })
        .where("id", "=", id)
        .where("lease", "=", lease)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },
    async release(tx, id) {
      await tx
        .updateTable(table)
        .set({ lease: null, leased_until: 0 })
        .where("id", "=", id)
        .where("lease", "=", lease)
        .execute();
    },
  };
}

const anyDueIn = (table: Leased) =>
  prepared((tx, p: { now: number }) =>
    tx.selectFrom(table).select("id").where("next_attempt_at", "<=", p.now).limit(sql.lit(1)),
  );
const anyDue = { receivers: anyDueIn("receivers"), mail: anyDueIn("mail") };

function due({ tx, now }: Unit, table: Leased, limit: number, busy: string[]) {
  const rows = tx
    .selectFrom(table)
    .select("id")
    .where("next_attempt_at", "<=", now)
    .orderBy("next_attempt_at")
    .orderBy(sql.ref(table === "mail" ? "sequence" : "id"))
    .limit(limit);
  return busy.length === 0 ? rows : rows.where("id", "not in", busy);
}
