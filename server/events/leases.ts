import { sql } from "kysely";
import { newId } from "../platform/ids";
import { prepared, type Store, type Tx } from "../store/store";

/**
 * Who works on a row. Servers that share a database lease rows from each other; a lease of a server that was
 * killed ends by itself. One server alone keeps in mind what it works on, and writes nothing.
 */
export interface Leases {
  /** Takes rows that are due and nobody's. @param busy those that this worker has already */
  claim(now: number, limit: number, busy: Iterable<string>): Promise<string[]>;
  /** Within a transaction: whether the row is still ours. If so, it is locked, and ours for longer. */
  hold(tx: Tx, id: string): Promise<boolean>;
  /** Within the transaction that ends the work. */
  release(tx: Tx, id: string): Promise<void>;
}

type Leased = "receivers" | "mail";

/** Longer than one attempt can take. */
const leaseMs = 60_000;
/** The database's clock: the servers' own may differ. */
const databaseNow = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;

export function leases(store: Store, table: Leased): Leases {
  return store.engine === "postgres" ? sharedLeases(store, table) : ownLeases(store, table);
}

function ownLeases(store: Store, table: Leased): Leases {
  return {
    async claim(now, limit, busy) {
      const own = [...busy];
      const rows = await store.read(async (tx) => {
        // Most of the time nothing is due, and nothing busy.
        const [any] = await anyDue[table](tx, { now });
        return any === undefined ? [] : due(tx, table, now, limit, own).execute();
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
      const rows = await store.write(
        (tx) =>
          tx
            // Materialized: as a subquery, a plan may run it once for each row, and lease more than `limit`.
            .with(
              (cte) => cte("due").materialized(),
              () =>
                due(tx, table, now, limit, [...busy])
                  .where((eb) => eb.or([eb("lease", "is", null), eb("leased_until", "<", databaseNow)]))
                  .forUpdate()
                  .skipLocked(),
            )
            .updateTable(table)
            .set({ lease, leased_until: until })
            .where("id", "in", (eb) => eb.selectFrom("due").select("due.id"))
            .returning("id")
            .execute(),
        // Servers skip what another has just locked, instead of waiting for it.
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

function due(tx: Tx, table: Leased, now: number, limit: number, busy: string[]) {
  const rows = tx
    .selectFrom(table)
    .select("id")
    .where("next_attempt_at", "<=", now)
    .orderBy("next_attempt_at")
    .orderBy(sql.ref(table === "mail" ? "sequence" : "id"))
    .limit(limit);
  return busy.length === 0 ? rows : rows.where("id", "not in", busy);
}
