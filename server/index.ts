import { randomBytes } from "node:crypto";
import type { ControlClient } from "./control/client";
import { controlOf } from "./control/in-process";
import { developmentToken } from "./seed/development-account";
import { type SeedDocument, seedDocument } from "./seed/document";
import { SeedError } from "./seed/error";
import { openServer } from "./server";

export type { ControlClient } from "./control/client";
export type { SeedDocument } from "./seed/document";

export interface StartOptions {
  /** Default 0: a free port. */
  port?: number;
  /** A folder that keeps the data, or a `postgres://` address. Default: memory, and the data ends with the server. */
  data?: string;
  /** What there is besides the development account. */
  seed?: SeedDocument;
  /** Token of the control plane. Default: random; `control` knows it. */
  controlToken?: string;
  /** Answers 429 to who asks more often than the public API takes. Default: no limits. */
  rateLimits?: boolean;
  /** Takes, keeps and answers members of bodies that this server does not know. Default: they are refused. */
  lenient?: boolean;
  /** The key that secrets are sealed under, 32 bytes in base64 or hex. Default: a new one, kept with the data. */
  key?: string;
  /** A file that holds the key. */
  keyFile?: string;
  /** Where TXT records are looked up. Default `embedded`: what `control.setTxt` published. */
  dns?: "embedded" | "system";
  /** Where mail is sent: `smtp://host:25?from=me@example.com`. Without it, `control.mail` alone shows it. */
  smtp?: string;
  /** Names under which the control plane may be asked, besides `localhost` and plain addresses. */
  allowedHosts?: readonly string[];
  /** What is logged to standard error, from `trace` to `fatal`. Default `silent`. */
  logLevel?: string;
}

export interface RunningServer {
  /** Address of the API, for `SLIPWAY_API_URL`. */
  url: string;
  /** A token of the development account: user `dev`, owner of the team `acme`. */
  token: string;
  /** What stands around the API: builds, DNS, time, trouble. */
  control: ControlClient;
  /** Finishes the requests under way and ends the server. */
  close(): Promise<void>;
}

/**
 * Starts the reference API in this process, on the loopback address, with the development account.
 * @example
 * const server = await startServer();
 * // … run a program against server.url with server.token …
 * await server.close();
 */
export async function startServer(options: StartOptions = {}): Promise<RunningServer> {
  const controlToken = options.controlToken ?? randomBytes(24).toString("hex");
  const server = await openServer({
    port: 0,
    data: "memory",
    logLevel: "silent",
    ...options,
    // The development account's token is well known: it is for this machine alone.
    host: "127.0.0.1",
    controlToken,
    alwaysDevelopmentAccount: true,
    seed: options.seed && parseSeed(options.seed),
  });
  const url = await server.listen().catch(async (error) => {
    await server.close();
    throw error;
  });
  return {
    url,
    token: developmentToken,
    control: controlOf(server.app, controlToken),
    close: () => server.close(),
  };
}

function parseSeed(document: SeedDocument) {
  const result = seedDocument.safeParse(document);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new SeedError(issue?.path.map(stepOf) ?? [], issue?.message ?? "not accepted");
}
const stepOf = (step: PropertyKey): string | number => (typeof step === "symbol" ? String(step) : step);
