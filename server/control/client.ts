import type * as z from "zod";
import type { ScopeSetting } from "../integrations/rules";
import type { deployment, SeedDocument } from "../seed/document";
import type { fault } from "./faults";
import type { installBody } from "./routes/integrations";
import type { Snapshot } from "./routes/snapshot";

/** Sends a request to the control plane and gives the answer's body. @param path below `/_control` */
export type Send = (method: string, path: string, body?: unknown) => Promise<unknown>;

type Deployment = z.input<typeof deployment>;
type Fault = z.input<typeof fault>;

type Installation = z.input<typeof installBody>;
interface Installed {
  redirectUrl: string;
  code: string;
  configurationId: string;
}

/** Everything around the API that no request of it brings about, for tests. Each call rejects when it is refused. */
export interface ControlClient {
  /** Adds users, teams, tokens, projects, deployments and the rest of a seed document, whole or not at all. */
  seed(document: SeedDocument): Promise<void>;
  /** The whole state without secrets, in a stable order. */
  snapshot(): Promise<Snapshot>;
  /** Puts everything but the clock back to how the server started. */
  reset(): Promise<void>;
  /** Adds deployments as builds would, or changes known ones by their id. @returns their ids */
  deploy(...deployments: Deployment[]): Promise<string[]>;
  /** Publishes exactly these TXT records under a name; none removes them. */
  setTxt(name: string, ...values: string[]): Promise<void>;
  /** Moves the server's time on, and does what became due. @returns the new time */
  advanceClock(ms: number): Promise<number>;
  /** Has coming requests meet trouble. */
  addFaults(...faults: Fault[]): Promise<void>;
  clearFaults(): Promise<void>;
  /** Changes plan, add-ons and blocks of a team, by id or slug. */
  changeTeam(team: string, fields: Record<string, unknown>): Promise<void>;
  removeMember(team: string, user: string): Promise<void>;
  /** How promotions go from now on. `{}`: at once, and none of their names fails. */
  planPromotions(plan: { delayMs?: number; failAliases?: string[] }): Promise<void>;
  /**
   * Installs an integration, by slug or client id, as its account's person would in a browser.
   * @returns the code, and the redirect URL that carries it
   */
  install(integration: string, options: Installation): Promise<Installed>;
  /** The integration asks for another scope set, in all of its installations. */
  requestScopes(integration: string, ...scopes: ScopeSetting[]): Promise<void>;
  /** Confirms all scopes that are pending. */
  confirmScopes(installation: string): Promise<void>;
  /** Hands an installation over to another member of its team. */
  changeOwner(installation: string, user: string): Promise<void>;
  /** Re-activates a disabled installation. */
  enable(installation: string): Promise<void>;
  uninstall(installation: string): Promise<void>;
  /** Begins to move a project, by its id, to another account; writes to it are refused until that is complete. */
  startTransfer(project: string, to: { toTeam: string } | { toUser: string }): Promise<void>;
  completeTransfer(project: string): Promise<void>;
  /** The last requests, events and mail, newest first, at most 100. */
  requests(): Promise<Record<string, unknown>[]>;
  events(): Promise<Record<string, unknown>[]>;
  mail(): Promise<Record<string, unknown>[]>;
}

/** The client over whatever carries its requests. */
export function controlClient(send: Send): ControlClient {
  const list = async (name: string): Promise<Record<string, unknown>[]> => {
    const answer = (await send("GET", `/${name}?limit=100`)) as Record<string, Record<string, unknown>[]>;
    return answer[name] ?? [];
  };
  const segment = encodeURIComponent;
  return {
    seed: async (document) => void (await send("POST", "/seed", document)),
    snapshot: async () => (await send("GET", "/snapshot")) as Snapshot,
    reset: async () => void (await send("POST", "/reset")),
    async deploy(...deployments) {
      const answer = (await send("POST", "/deployments", deployments)) as { deployments: { id: string }[] };
      return answer.deployments.map(({ id }) => id);
    },
    async setTxt(name, ...values) {
      if (values.length === 0) await send("DELETE", `/dns/${segment(name)}`);
      else await send("PUT", `/dns/${segment(name)}`, { type: "TXT", values });
    },
    advanceClock: async (ms) => ((await send("POST", "/clock", { advanceMs: ms })) as { now: number }).now,
    addFaults: async (...faults) => void (await send("POST", "/faults", faults)),
    clearFaults: async () => void (await send("DELETE", "/faults")),
    changeTeam: async (team, fields) => void (await send("PATCH", `/teams/${segment(team)}`, fields)),
    removeMember: async (team, user) =>
      void (await send("DELETE", `/teams/${segment(team)}/members/${segment(user)}`)),
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
