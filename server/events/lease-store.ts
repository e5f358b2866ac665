import { type ExpressionWrapper, type expressionBuilder, type SqlBool, sql } from "kysely";
import { newId } from "../platform/ids";
import { databaseNow } from "../store/meta";
import { prepared, type Store, type Tx, type Unit } from "../store/store";
import type { Database } from "../store/tables";

/**
 * Gives each row to one worker. Servers that share a database lease rows, and the lease of a killed server expires.
 * A server with its own store keeps the ids of its rows in memory and writes nothing.
 */
export interface Leases {
  /**
   * Leases up to `limit` due rows that no other worker has leased, and returns their ids. At most `accountShare`
   * receivers of an account are leased at a time.
   * @param busy ids of the rows that this worker is processing
   */
  claim(now: number, limit: number, busy: Iterable<string>): Promise<string[]>;
  /** Within a transaction: true when this worker still holds the row, which is then locked and its lease extended. */
  hold(tx: Tx, id: string): Promise<boolean>;
  /** Ends the lease, within the transaction that records the outcome. */
  release(tx: Tx, id: string): Promise<void>;
}

type Leased = "receivers" | "mail";

/** How many receivers of an account are served at the same time, by all servers together. */
export const accountShare = 4;

/** How long a lease lasts, in milliseconds. It is longer than an attempt can take. */
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
        return any === undefined ? [] : due({ tx, now }, table, { limit, busy: own }).execute();
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
      // Copied, because the transaction may run again, and an iterator can be read only once.
      const own = [...busy];
      const rows = await store.write(
        (tx) =>
          tx
            // Materialized, because PostgreSQL may run a subquery once per row, and would then lease more than `limit`
            // rows.
            .with(
              (cte) => cte("due").materialized(),
              () =>
                tx
                  .selectFrom(table)
                  .select("id")
                  .where("id", "in", due({ tx, now }, table, { limit, busy: own, lease }))
                  // Checked again, because another server may have leased the row since.
                  .where((eb) => eb.not(isLeasedElsewhere(eb, lease)))
                  .forUpdate()
                  .skipLocked(),
            )
            .updateTable(table)
            .set({ lease, leased_until: until })
            .where("id", "in", (eb) => eb.selectFrom("due").select("due.id"))
            .returning("id")
            .execute(),
        // The lock key is the lease, so that a claim does not wait for the claims of other servers.
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

interface Claim {
  limit: number;
  busy: string[];
  /** The worker's lease; undefined if no other worker uses the store. */
  lease?: string;
}

function due(unit: Unit, table: Leased, claim: Claim) {
  return table === "mail" ? dueMail(unit, claim) : dueReceivers(unit, claim);
}

const dueMail = ({ tx, now }: Unit, claim: Claim) =>
  tx
    .selectFrom("mail")
    .select("id")
    .where("next_attempt_at", "<=", now)
    .where((eb) => eb.not(isTaken(eb, claim)))
    .orderBy("next_attempt_at")
    .orderBy("sequence")
    .limit(claim.limit);

/** Receivers that are being served are still due. They rank first in their account, so that its share counts them. */
function dueReceivers({ tx, now }: Unit, claim: Claim) {
  const ranked = tx
    .selectFrom("receivers")
    .select(["id", "next_attempt_at"])
    .select((eb) => [
      isTaken(eb, claim).as("is_taken"),
      eb.fn
        .agg<number>("row_number")
        .over((over) =>
          over
            .partitionBy("account_id")
            .orderBy(isTaken(eb, claim), "desc")
            .orderBy("next_attempt_at")
            .orderBy("id"),
        )
        .as("place"),
    ])
    .where("next_attempt_at", "<=", now);
  return tx
    .selectFrom(ranked.as("ranked"))
    .select("id")
    .where((eb) => eb.not(eb.ref("is_taken")))
    .where("place", "<=", accountShare)
    .orderBy("next_attempt_at")
    .orderBy("id")
    .limit(claim.limit);
}

type Builder = ReturnType<typeof expressionBuilder<Database, Leased>>;
type Condition = ExpressionWrapper<Database, Leased, SqlBool>;

const isTaken = (eb: Builder, { busy, lease }: Claim): Condition =>
  eb.or([
    ...(busy.length > 0 ? [eb("id", "in", busy)] : []),
    ...(lease === undefined ? [] : [isLeasedElsewhere(eb, lease)]),
  ]);

/**
 * True when another worker has leased the row. If the database failed during a delivery, this worker's own lease can be
 * left over. The worker then claims the row again.
 */
const isLeasedElsewhere = (eb: Builder, lease: string): Condition =>
  eb.and([eb("lease", "is not", null), eb("lease", "!=", lease), eb("leased_until", ">=", databaseNow)]);
