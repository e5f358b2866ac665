import type { ScopeSetting } from "../access/scopes";
import type { Deployment, Fault, Installation, SeedDocument, Snapshot } from "./client-types";

/** Sends a request to the control plane and returns the body of the answer. @param path below `/_control` */
export type Send = (method: string, path: string, body?: unknown) => Promise<unknown>;

interface Installed {
  redirectUrl: string;
  code: string;
  configurationId: string;
}

/** A client of the control plane, for tests. It simulates events outside the API. Refused calls reject. */
export interface ControlClient {
  /** Adds users, teams, tokens, projects, deployments and everything else of a seed document, in one transaction. */
  seed(document: SeedDocument): Promise<void>;
  /** Returns the whole state without secrets, in a stable order. */
  snapshot(): Promise<Snapshot>;
  /** Resets everything but the clock to the state after the start. */
  reset(): Promise<void>;
  /** Saves all data under a name. The clock, faults and plans are no part of it. */
  saveState(name: string): Promise<void>;
  /** Replaces all data by those that were saved under a name. */
  loadState(name: string): Promise<void>;
  /** Adds deployments as builds would, or changes existing ones by their ids. @returns their ids */
  deploy(...deployments: Deployment[]): Promise<string[]>;
  /** Replaces the TXT records of a name in the embedded zone. */
  setTxt(name: string, ...values: string[]): Promise<void>;
  /** Replaces the records of a name and type in the embedded zone. An empty array removes them. */
  setRecords(name: string, type: "A" | "CNAME" | "TXT", values: readonly string[]): Promise<void>;
  /** Advances the server's clock, and runs the work that becomes due. @returns the new time */
  advanceClock(ms: number): Promise<number>;
  /** Injects faults into the next requests. */
  addFaults(...faults: Fault[]): Promise<void>;
  clearFaults(): Promise<void>;
  /** Sets how many milliseconds reads may be old after a write, in the profile `hosted`. 0: none. */
  setConsistency(plan: { staleMs: number }): Promise<void>;
  /** Changes the plan, add-ons and blocks of a team, by id or slug. */
  changeTeam(team: string, fields: Record<string, unknown>): Promise<void>;
  removeMember(team: string, user: string): Promise<void>;
  /**
   * Sets how the next builds go. With `{}`, each build takes a second and succeeds.
   * @param plan `buildMs`: the time of a build, of which it is QUEUED for a quarter, INITIALIZING for a quarter and
   *   BUILDING for the rest. `skipIgnored`: cancels the builds of projects with a `commandForIgnoringBuildStep`
   */
  planBuilds(plan: {
    block?: { code?: string; reason?: string; link?: string };
    buildMs?: number;
    error?: { code?: string; message?: string };
    skipIgnored?: boolean;
  }): Promise<void>;
  /** Sets how the next promotions go. With `{}`, promotions finish at once and no alias fails. */
  planPromotions(plan: { delayMs?: number; failAliases?: string[] }): Promise<void>;
  /**
   * Installs an integration, by slug or client id, as a user would in a browser.
   * @returns the code, the redirect URL that contains the code, and the installation's id
   */
  install(integration: string, options: Installation): Promise<Installed>;
  /** Changes the scopes that an integration requests, in all of its installations. */
  requestScopes(integration: string, ...scopes: ScopeSetting[]): Promise<void>;
  /** Confirms all pending scopes. */
  confirmScopes(installation: string): Promise<void>;
  /** Transfers the ownership of an installation to another member of its team. */
  changeOwner(installation: string, user: string): Promise<void>;
  /** Enables a disabled installation. */
  enable(installation: string): Promise<void>;
  uninstall(installation: string): Promise<void>;
  /** Starts the transfer of a project (by id) to another account. Until it ends, writes to the project are refused. */
  startTransfer(project: string, to: { toTeam: string } | { toUser: string }): Promise<void>;
  completeTransfer(project: string): Promise<void>;
  /** The last 100 requests, newest first. `events` and `mail` work alike. */
  requests(): Promise<Record<string, unknown>[]>;
  events(): Promise<Record<string, unknown>[]>;
  mail(): Promise<Record<string, unknown>[]>;
}

/** Makes a client that sends its requests with `send`. */
export function controlClient(send: Send): ControlClient {
  const list = async (name: string): Promise<Record<string, unknown>[]> => {
    const answer = (await send("GET", `/${name}?limit=100`)) as Record<string, Record<string, unknown>[]>;
    return answer[name] ?? [];
  };
  const segment = encodeURIComponent;
  const setRecords: ControlClient["setRecords"] = async (name, type, values) => {
    if (values.length === 0) await send("DELETE", `/dns/${segment(name)}?type=${type}`);
    else await send("PUT", `/dns/${segment(name)}`, { type, values });
  };
  return {
    seed: async (document) => void (await send("POST", "/seed", document)),
    snapshot: async () => (await send("GET", "/snapshot")) as Snapshot,
    saveState: async (name) => void (await send("PUT", `/states/${segment(name)}`)),
    loadState: async (name) => void (await send("POST", `/states/${segment(name)}/load`)),
    reset: async () => void (await send("POST", "/reset")),
    async deploy(...deployments) {
      const answer = (await send("POST", "/deployments", deployments)) as { deployments: { id: string }[] };
      return answer.deployments.map(({ id }) => id);
    },
    setTxt: (name, ...values) => setRecords(name, "TXT", values),
    setRecords,
    advanceClock: async (ms) => ((await send("POST", "/clock", { advanceMs: ms })) as { now: number }).now,
    addFaults: async (...faults) => void (await send("POST", "/faults", faults)),
    setConsistency: async (plan) => void (await send("POST", "/consistency", plan)),
    clearFaults: async () => void (await send("DELETE", "/faults")),
    changeTeam: async (team, fields) => void (await send("PATCH", `/teams/${segment(team)}`, fields)),
    removeMember: async (team, user) =>
      void (await send("DELETE", `/teams/${segment(team)}/members/${segment(user)}`)),
    planBuilds: async (plan) => void (await send("POST", "/builds", plan)),
    planPromotions: async (plan) => void (await send("POST", "/promotions", plan)),
    install: async (integration, options) =>
      (await send("POST", `/integrations/${segment(integration)}/install`, options)) as Installed,
    requestScopes: async (integration, ...scopes) =>
      void (await send("POST", `/integrations/${segment(integration)}/scopes`, { scopes })),
    confirmScopes: async (id) => void (await send("POST", `/installations/${segment(id)}/confirm-scopes`)),
    changeOwner: async (id, user) =>
      void (await send("POST", `/installations/${segment(id)}/owner`, { user })),
    enable: async (id) => void (await send("POST", `/installations/${segment(id)}/enable`)),
    uninstall: async (id) => void (await send("POST", `/installations/${segment(id)}/remove`)),
    startTransfer: async (project, to) =>
      void (await send("POST", `/projects/${segment(project)}/transfer`, to)),
    completeTransfer: async (project) =>
      void (await send("POST", `/projects/${segment(project)}/transfer/complete`)),
    requests: () => list("requests"),
    events: () => list("events"),
    mail: () => list("mail"),
  };
}
