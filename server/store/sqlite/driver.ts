import { CompiledQuery, type DatabaseConnection, type Driver } from "kysely";

/** A driver for Kysely on a single connection, which it never waits for. */
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
    // After a full disk or a lost connection the transaction is over already. The first error is the one to report.
    await connection.executeQuery(CompiledQuery.raw("rollback")).catch(() => {});
  }
}
