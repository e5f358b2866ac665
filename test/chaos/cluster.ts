import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { askKeeper, type Keeper, startKeeper } from "../support/postgres/keeper-client";
import { Receiver, signed } from "../support/receiver";
import type { Change, Found, Ledger, Recorded } from "./ledger";
import { type Answer, Replica, type Request } from "./replica";

export type Engine = "sqlite" | "postgres";

export const accounts = [0, 1, 2, 3] as const;
export type Account = (typeof accounts)[number];
const controlToken = "chaos-control";
const tokenOf = (account: Account): string => `chaos-token-${account}`;
const slugOf = (account: Account): string => `team-${account}`;
/** As events name the account. */
export const idOf = (account: Account): string => `team_chaos${account}`;
const changes: readonly Change[] = ["created", "updated", "deleted"];

/** One server on its own file, or two on a PostgreSQL that does not forget, and the receiver of their events. */
export class Cluster {
  /** Ids of the events that the receiver accepted, by account, in the order in which they came. */
  readonly accepted: readonly string[][] = accounts.map(() => []);
  private readonly secrets: string[] = [];

  private constructor(
    readonly folder: string,
    readonly replicas: readonly Replica[],
    readonly receiver: Receiver,
    readonly keeper: Keeper | undefined,
    /** Of PostgreSQL. */
    readonly address: string | undefined,
    readonly ledger: Ledger,
  ) {}

  static async open(engine: Engine, ledger: Ledger): Promise<Cluster> {
    const folder = mkdtempSync(path.join(tmpdir(), "slipway-chaos-"));
    const keeper = engine === "postgres" ? await startKeeper({ durable: true }) : undefined;
    const address = keeper && (await askKeeper(keeper.socket, "start"));
    const flags = ["--control-token", controlToken];
    const replicas: Replica[] = [];
    for (const name of address === undefined ? ["the server"] : ["the first server", "the second server"]) {
      replicas.push(await Replica.open(name, address ?? path.join(folder, "data"), flags));
    }
    const cluster = new Cluster(folder, replicas, new Receiver(), keeper, address, ledger);
    try {
      await cluster.begin();
      return cluster;
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  private async begin(): Promise<void> {
    const seed = path.join(this.folder, "seed.json");
    const teams = accounts.map((account) => ({
      id: idOf(account),
      slug: slugOf(account),
      members: [{ user: "ada", role: "OWNER" }],
    }));
    const tokens = accounts.map((account) => ({
      token: tokenOf(account),
      user: "ada",
      team: slugOf(account),
    }));
    writeFileSync(
      seed,
      JSON.stringify({ users: [{ username: "ada", email: "ada@example.com" }], teams, tokens }),
    );
    for (const [at, replica] of this.replicas.entries()) {
      await replica.start(at === 0 ? ["--seed", seed] : []);
      replica.onEnd = (said) => {
        this.ledger.report("failed", `${replica.name} ended by itself: ${said}`);
        replica.start().catch((error) => this.ledger.report("failed", String(error)));
      };
    }
    await this.receiver.start();
    this.receiver.answering = ({ path: target, raw, headers, body }) => {
      const account = Number(target.split("/").pop());
      if (headers["x-vercel-signature"] !== signed(raw, this.secrets[account] ?? "")) {
        this.ledger.report("failed", `event ${body.id} came with a wrong signature`);
      }
      this.accepted[account]?.push(body.id);
      // A long run has more of them than there is memory for.
      this.receiver.forget();
    };
    for (const account of accounts) {
      const url = `${this.receiver.url}/${account}`;
      const events = changes.map((change) => `project.env-variable.${change}`);
      const made = await this.ask(account, { method: "POST", path: "/v1/webhooks", body: { url, events } });
      if (made?.status !== 200) throw new Error(`no webhook: ${JSON.stringify(made)}`);
      this.secrets[account] = made.body.secret;
    }
  }

  /** Asks in the name of an account, by default the first server. */
  ask(account: Account, request: Omit<Request, "token">, at = 0): Promise<Answer | undefined> {
    const target = `${request.path}${request.path.includes("?") ? "&" : "?"}slug=${slugOf(account)}`;
    return this.at(at).send({ ...request, path: target, token: tokenOf(account) });
  }

  at(index: number): Replica {
    const replica = this.replicas[index % this.replicas.length];
    if (!replica) throw new Error("there is no server");
    return replica;
  }

  /** @returns undefined when no whole answer came; none of what there is when the project is not there */
  async variablesOf(account: Account, project: string, at: number): Promise<Found[] | undefined> {
    const answer = await this.ask(
      account,
      { method: "GET", path: `/v9/projects/${project}/env?decrypt=true` },
      at,
    );
    if (answer?.status === 404) return [];
    return answer?.status === 200 ? answer.body.envs : undefined;
  }

  /** The events of variables that the outbox has. */
  async events(): Promise<Recorded[]> {
    const found: Recorded[] = [];
    let until = "";
    do {
      const page = await this.at(0).send({
        method: "GET",
        path: `/_control/events?limit=100${until}`,
        token: controlToken,
      });
      if (page?.status !== 200) throw new Error(`no events: ${JSON.stringify(page)}`);
      for (const { id, accountId, sequence, type, payload } of page.body.events) {
        const change = changes.find((one) => type === `project.env-variable.${one}`);
        if (change) found.push({ id, account: accountId, sequence, variable: payload.envVarId, change });
      }
      until = page.body.pagination.next === null ? "" : `&until=${page.body.pagination.next}`;
    } while (until !== "");
    return found;
  }

  async untilReady(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.untilReady()));
  }

  /** Ends everything that belongs to it, and removes its files. */
  async close(): Promise<void> {
    for (const replica of this.replicas) await replica.close();
    await this.receiver.stop();
    await this.keeper?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
