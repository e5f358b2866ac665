import { connect } from "node:net";
import { openRelay, type Relay } from "../relay";

/** A proxy between a server, on its near side, and its PostgreSQL. */
export interface DatabaseProxy extends Relay {
  /** The database's address through the proxy. */
  readonly url: string;
}

/** @param address where PostgreSQL listens: a folder that holds its socket, as the host */
export async function openProxy(address: string): Promise<DatabaseProxy> {
  const folder = decodeURIComponent(new URL(address).host);
  const relay = await openRelay(() => connect(`${folder}/.s.PGSQL.5432`));
  const url = new URL(address);
  url.host = `127.0.0.1:${relay.port}`;
  return Object.assign(relay, { url: url.href });
}
