import { randomBytes } from "node:crypto";
import type { ControlClient } from "./control/client";
import type { SeedDocument } from "./control/client-types";
import { controlOf } from "./control/in-process";
import * as development from "./seed/development-account";
import * as seeds from "./seed/document";
import { SeedError } from "./seed/error";
import { openServer } from "./server";

export type { ControlClient } from "./control/client";
export type { SeedDocument } from "./control/client-types";
export { controlAt } from "./control/over-http";
/** The development account as a seed: user `dev`, owner of the team `acme`, and its tokens, which everyone knows. */
export const developmentAccount: SeedDocument = development.developmentAccount;
/** Why a seed cannot have a row, for `slipway snapshot`; undefined if it can. The types are plain, without the schemas. */
export const problemOfRow: (
  section: string,
  row: unknown,
) => { path: readonly PropertyKey[]; message: string } | undefined = seeds.problemOfRow;
/** The settings in the row of a project whose values a seed does not know. */
export const unknownValuesIn: (project: { settings?: unknown }) => string[] = seeds.unknownValuesIn;

export interface StartOptions {
  /** Default 0: a free port. */
  port?: number;
  /** A folder for the data, or a `postgres://` address. Default: memory, so the data is lost when the server ends. */
  data?: string;
  /** Accounts and projects to start with, besides the development account. */
  seed?: SeedDocument;
  /** Creates the development account. Default: true. */
  developmentAccount?: boolean;
  /** The token of the control plane. Default: a random one, which `control` uses. */
  controlToken?: string;
  /** Answers as the specification says, or as the hosted API does where it differs. Default: specification. */
  profile?: "specification" | "hosted";
  /** Applies the rate limits of the public API. Default: no limits. */
  rateLimits?: boolean;
  /** Accepts, stores and returns unknown members of bodies. Default: they are refused. */
  lenient?: boolean;
  /** The key that encrypts secrets, 32 bytes in base64 or hex. Default: a new one, stored with the data. */
  key?: string;
  /** A file that holds the key. */
  keyFile?: string;
  /** The largest total size of uploaded files in a data folder, in bytes; 0 keeps none. Default: 10 GB. */
  filesLimit?: number;
  /** Where the server looks up TXT records. Default `embedded`: the records that `control.setTxt` published. */
  dns?: "embedded" | "system";
  /** The SMTP server: `smtp://host:25?from=me@example.com`. Default: mail is not sent; `control.mail` lists it. */
  smtp?: string;
  /** Host names of the control plane and the development account, besides `localhost` and IP addresses. */
  allowedHosts?: readonly string[];
  /** The level of the log on standard error, from `trace` to `fatal`. Default `silent`. */
  logLevel?: string;
}

export interface RunningServer {
  /** The address of the API, for `SLIPWAY_API_URL`. */
  url: string;
  /** A token of the development account: user `dev`, owner of the team `acme`. */
  token: string;
  /** The control plane: builds, DNS, the clock, faults. */
  control: ControlClient;
  /** The rows of the seed that the server does not have, and why. Only a copy of an account leaves out rows. */
  leftOut: readonly string[];
  /** Finishes the requests in progress, and ends the server. */
  close(): Promise<void>;
}

/**
 * Starts the reference API in this process, on the loopback address, with the development account.
 * @example
 * const server = await startServer();
 * // … run a program against server.url with server.token …
 * await server.close();
 */
export async function startServer({
  developmentAccount = true,
  ...options
}: StartOptions = {}): Promise<RunningServer> {
  const controlToken = options.controlToken ?? randomBytes(24).toString("hex");
  const server = await openServer({
    port: 0,
    data: "memory",
    logLevel: "silent",
    ...options,
    // Everyone knows the token of the development account, so the server answers only this machine.
    host: "127.0.0.1",
    controlToken,
    alwaysDevelopmentAccount: developmentAccount,
    seed: options.seed && parseSeed(options.seed),
  });
  const url = await server.listen().catch(async (error) => {
    await server.close();
    throw error;
  });
  return {
    url,
    token: development.developmentToken,
    control: controlOf(server.app, controlToken),
    leftOut: server.leftOut,
    close: () => server.close(),
  };
}

function parseSeed(document: SeedDocument) {
  const result = seeds.seedDocument.safeParse(document);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new SeedError(issue?.path.map(stepOf) ?? [], issue?.message ?? "not accepted");
}
const stepOf = (step: PropertyKey): string | number => (typeof step === "symbol" ? String(step) : step);
