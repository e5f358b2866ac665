import { CompiledQuery, type DatabaseConnection, type Driver } from "kysely";

/** Kysely's driver where a unit has one connection to itself: nothing is ever waited for. */
export class OneConnection implements Driver {
  constructor(
    private readonly connection: DatabaseConnection,
    private readonly begin = "begin",
  ) {}

  async init(): Promise<void> {}
  async destroy(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.connection;
  }
  async releaseConnection(): Promise<void> {}
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(this.begin));
  }
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("commit"));
  }
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // A full disk or a lost connection has ended the transaction already: what is told is why, not that.
    await connection.executeQuery(CompiledQuery.raw("rollback")).catch(() => {});
  }
}
