import path from "node:path";
import { controlRoutes, missingControlPaths, serveControl } from "./control";
import { keepBodies } from "./control/body-log";
import { keepOldReads } from "./control/consistency";
import { controlOpenApi } from "./control/document";
import { injectFaults, isOwn, recordRequests } from "./control/faults";
import { controlState } from "./control/state";
import { notImplemented } from "./coverage";
import { dashboardOff, serveDashboard } from "./dashboard/plugin";
import { Sessions } from "./dashboard/sessions";
import { serveReads } from "./edge-configs/reads";
import { App } from "./http/app";
import { logRequests } from "./http/observers";
import { serveApi } from "./http/pipeline";
import type { Init } from "./init/init";
import { leniency } from "./lenient";
import { removeForgotten } from "./lenient/member-store";
import type { DevelopmentAccess } from "./ops/banner";
import { serveDocs } from "./ops/docs";
import { serveHealth } from "./ops/health";
import { serveMetrics } from "./ops/metrics";
import { isRoutine } from "./ops/routine";
import { traceRequests } from "./ops/traces";
import type { ServerOptions } from "./options";
import { type Clock, restoreClock, systemClock } from "./platform/clock";
import { embeddedZone, systemResolver } from "./platform/dns";
import { openEgress } from "./platform/egress";
import { openLog } from "./platform/log";
import { Profile } from "./platform/profile";
import type { Services } from "./platform/services";
import { StartError } from "./platform/start-error";
import { openVault } from "./platform/vault-key";
import { otherNames, routes } from "./routes";
import { applySeed } from "./seed/apply";
import {
  developmentAccess,
  developmentAccount,
  isLoopback,
  keepDevelopmentTokenAtHome,
  keepDevelopmentTokenFromPages,
} from "./seed/development-account";
import { SeedError } from "./seed/error";
import { isEmpty } from "./seed/store";
import { serveDeployments } from "./serving";
import { Contents, defaultFilesLimit } from "./store/contents";
import { Pacer } from "./store/pacer";
import { openPostgres } from "./store/postgres";
import { openSqlite } from "./store/sqlite";
import type { Store, Tx } from "./store/store";
import { startDueWork } from "./workers/due-work";
import { startOutgoing } from "./workers/outgoing";

/**
 * The time that deliveries and jobs may wait for the store after the last request was answered, in milliseconds.
 * Together with the time for open requests, it is below the 15 seconds that a supervisor allows.
 */
const storeMs = 3_000;

/** An open server. It answers injected requests, and after `listen` also requests over the network. */
export interface Server {
  readonly app: App;
  readonly services: Services;
  /** True if the store was empty at the start. */
  readonly isNew: boolean;
  /** The rows of the seed that were left out at the start, and why. */
  readonly leftOut: readonly string[];
  /** How to use the development account; undefined if the store has none. */
  readonly development: DevelopmentAccess | undefined;
  /** The path of a new link to the dashboard. The link opens one session. Undefined without a dashboard. */
  dashboardLink(): string | undefined;
  /** @returns the address @throws StartError when the port cannot be used */
  listen(): Promise<string>;
  /** Refuses new requests, finishes open ones, and closes the store. */
  close(): Promise<void>;
}

/**
 * Opens the store and wires a server over it.
 * @throws StartError or StoreError with one line that says what to do
 */
export async function openServer(options: ServerOptions & { init?: Init | undefined }): Promise<Server> {
  const { host = "127.0.0.1", port, data, logLevel = "info", logFormat = "json" } = options;
  const folder = data === "memory" || isPostgres(data) ? undefined : path.resolve(data);
  const smtp = checkSmtp(options.smtp);
  const pacer = new Pacer();
  const store = await openStore(data, folder, pacer);
  try {
    const log = openLog(logLevel, logFormat);
    const vault = await openVault(store, { key: options.key, keyFile: options.keyFile, folder, log });
    const clock = options.clock ?? systemClock();
    await restoreClock({ store, clock });
    const restore = (tx: Tx): Promise<Filled> => fillStore(tx, { clock, vault, log }, options, host);
    const { isNew, leftOut } = await store.write(restore);
    const sessions =
      options.dashboard === false ? undefined : new Sessions({ idleMs: options.dashboardIdleMs });
    const openDashboard = sessions && ((): string => `/#code=${sessions.issueCode()}`);
    const state = controlState({
      routes,
      restore,
      openDashboard,
      isServed: Boolean(options.controlToken),
    });
    const hosts = allowedNames(options, host);
    const lookupTxt = options.dns === "system" ? systemResolver() : embeddedZone(store);
    const lenient = options.lenient ? leniency({ vault, log }) : undefined;
    if (lenient) await store.write(removeForgotten);
    const egress = openEgress(options.privateReceivers ?? isLoopback(host));
    const contents = openContents(folder, options.filesLimit ?? defaultFilesLimit, clock);
    const profile = new Profile(options.profile ?? options.seed?.profile ?? "specification");
    const services = { profile, store, pacer, clock, vault, lookupTxt, egress, log, lenient, contents };
    const app = new App(services.log, pacer);
    const requestLevel = logFormat === "lines" ? "info" : "debug";
    if (["trace", "debug", requestLevel].includes(logLevel))
      app.observe(logRequests(log, requestLevel, isRoutine));
    if (options.serveDeployments ?? isLoopback(host)) serveDeployments(app, services, hosts);
    if (options.controlToken || sessions) {
      // Added before the faults, so that the log includes the answers that faults send.
      if (sessions) app.use(keepBodies(state.bodies, isOwn));
      app.use(injectFaults(services, state, app.routeOf));
      app.use(keepOldReads(services, state));
      app.observe(recordRequests(services, state));
    }
    if (options.controlToken) serveControl(app, services, { token: options.controlToken, hosts, state });
    app.missing(missingControlPaths(Boolean(options.controlToken)));
    if (sessions) {
      const onOpened = options.onDashboardOpened;
      serveDashboard(app, services, { state, sessions, routes, hosts, onOpened });
    }
    if (!sessions) app.missing(dashboardOff);
    options.init?.serve(app);
    serveHealth(app, services, () => options.init?.status.state ?? "done");
    serveMetrics(app, services);
    const flushSpans = traceRequests(app, log);
    serveReads(app, services);
    serveDocs(
      app,
      routes,
      () => controlOpenApi(controlRoutes),
      () => store.read(developmentAccess),
    );
    app.use(keepDevelopmentTokenFromPages(hosts));
    for (const [other, current] of Object.entries(otherNames)) app.addName(other, current);
    app.notImplemented(notImplemented);
    serveApi(app, routes, {
      services,
      strict: options.strict ?? false,
      limited: options.rateLimits ?? false,
    });
    const development = await store.read(developmentAccess);
    const work = startDueWork(services);
    const outgoing = startOutgoing(services, { smtp, receiverTimeMs: options.receiverTimeMs });
    app.observe(outgoing.answered);
    return {
      app,
      services,
      development,
      isNew,
      leftOut,
      dashboardLink: () => openDashboard?.(),
      listen: () => listen(app, host, port),
      async close() {
        await app.close();
        await flushSpans();
        const hung = setTimeout(() => store.abandon(), storeMs);
        await outgoing.stop();
        await work.stop();
        await store.close();
        clearTimeout(hung);
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** @choice File contents are kept only with a data folder, because several servers on one database share no folder. */
const openContents = (folder: string | undefined, limit: number, clock: Clock): Contents | undefined =>
  folder === undefined || limit === 0
    ? undefined
    : new Contents(path.join(folder, "files"), limit, () => clock.now());

function checkSmtp(smtp: string | undefined): string | undefined {
  if (smtp === undefined || (URL.canParse(smtp) && /^smtps?:$/.test(new URL(smtp).protocol))) return smtp;
  // The message does not repeat the value, which may hold a password.
  throw new StartError("--smtp takes an address such as smtp://127.0.0.1:25 or smtps://user:password@host.");
}

async function openStore(data: string, folder: string | undefined, pacer: Pacer): Promise<Store> {
  if (isPostgres(data)) return openPostgres(data, {}, pacer);
  if (/^[a-z]+:\/\//i.test(data)) {
    throw new StartError(
      `--data ${data.split(":")[0]}:// is not a store. Give a folder, memory, or postgres://….`,
    );
  }
  return openSqlite(folder, pacer);
}

const isPostgres = (data: string): boolean => /^postgres(ql)?:\/\//i.test(data);

interface Filled {
  /** True if the store was empty before. */
  isNew: boolean;
  /** The rows of the seed that were left out, and why. */
  leftOut: string[];
}

/** Fills the store before the first request, with the seed or the development account. */
async function fillStore(
  tx: Tx,
  services: Pick<Services, "clock" | "vault" | "log">,
  { seed, explainSeed, alwaysDevelopmentAccount }: ServerOptions,
  host: string,
): Promise<Filled> {
  const isNew = await isEmpty(tx);
  const leftOut: string[] = [];
  // A seed can conflict with changes that requests made since the first start, and a copy with rules of this server.
  // The server must start anyway.
  const leaveOut = (error: SeedError): void => {
    const { message } = explainSeed ? explainSeed(error) : error;
    leftOut.push(message);
    services.log.warn({ row: message }, "a row of the seed is left out");
  };
  if (alwaysDevelopmentAccount || (seed === undefined && isNew)) {
    await applySeed(tx, services, developmentAccount);
  }
  try {
    const isStrict = isNew && seed?.copyOf === undefined;
    if (seed) await applySeed(tx, services, seed, isStrict ? undefined : leaveOut);
  } catch (error) {
    throw error instanceof SeedError && explainSeed ? explainSeed(error) : error;
  }
  await keepDevelopmentTokenAtHome(tx, host);
  return { isNew, leftOut };
}

const allowedNames = ({ allowedHosts = [] }: ServerOptions, host: string): string[] =>
  [...allowedHosts, host].map((name) => name.toLowerCase());

async function listen(app: App, host: string, port: number): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw asStartError(error as NodeJS.ErrnoException, host, port);
  }
  const address = app.server.address();
  const taken = address !== null && typeof address === "object" ? address.port : port;
  return `http://${host.includes(":") ? `[${host}]` : host}:${taken}`;
}

function asStartError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case "EADDRINUSE":
      return new StartError(
        `Port ${port} on ${host} is in use. Stop what listens there, or choose another with --port (0 takes a free one).`,
      );
    case "EACCES":
      return new StartError(`Port ${port} may not be used by this user. Choose one above 1023 with --port.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new StartError(
        `${host} is not an address of this machine. Give one with --host, such as 127.0.0.1.`,
      );
    default:
      return error;
  }
}
