import { setTimeout as sleep } from "node:timers/promises";
import { randomFrom } from "../support/random";
import { type Account, accounts, type Cluster } from "./cluster";
import type { Intent, Ledger, Write } from "./ledger";
import type { Answer } from "./replica";

/** After so many requests a writer goes on in another project, so that lists stay short. */
const writesPerProject = 150;
const pauseMs = 20;
/** Between two reads of a reader. */
const readPauseMs = 15;

/** State that writers and readers share. */
export interface Work {
  cluster: Cluster;
  ledger: Ledger;
  isOver(): boolean;
}

interface Variable {
  key: string;
  id: string;
}

const successes = { created: 201, updated: 200, deleted: 200 } as const;

/** Writes variables of projects of its own, one request after the other, and tells the ledger. */
export class Writer {
  /** Of its project: those that were acknowledged last, and not deleted. */
  private known: Variable[] = [];
  private project: string | undefined;
  private left = 0;
  private count = 0;
  private readonly random: () => number;

  constructor(
    private readonly number: number,
    seed: number,
    private readonly work: Work,
  ) {
    this.random = randomFrom(seed * 1000 + number);
  }

  get account(): Account {
    return accounts[this.number % accounts.length] ?? 0;
  }

  async run(): Promise<void> {
    while (!this.work.isOver()) {
      const project = this.left > 0 ? this.project : await this.begin();
      if (project === undefined) continue;
      this.left -= 1;
      const drawn = this.random();
      if (this.known.length < 5 || drawn < 0.5) await this.create(project, 1);
      else if (drawn < 0.6) await this.create(project, 3);
      else if (drawn < 0.85) await this.edit(project, this.draw());
      else await this.remove(project, this.draw());
    }
  }

  /** @returns the name of a new project; undefined: no server made one, or said so */
  private async begin(): Promise<string | undefined> {
    const name = `w${this.number}-${this.count++}`;
    const answer = await this.ask({ method: "POST", path: "/v10/projects", body: { name } });
    if (answer?.status !== 200) {
      if (answer && answer.status < 500) this.work.ledger.report("refused", `${name}: ${textOf(answer)}`);
      await this.awaitServer();
      return undefined;
    }
    this.project = name;
    this.known = [];
    this.left = writesPerProject;
    return name;
  }

  /** Takes a variable out of those that are known: it comes back once its change is acknowledged. */
  private draw(): Variable {
    const [variable] = this.known.splice(Math.floor(this.random() * this.known.length), 1);
    if (!variable) throw new Error("no variable is known");
    return variable;
  }

  private async create(project: string, number: number): Promise<void> {
    const keys = Array.from({ length: number }, () => `KEY_${this.count++}`);
    const value = `value-${this.count}`;
    const items = keys.map((key) => ({ key, value, type: "encrypted", target: ["production"] }));
    const body = items.length > 1 ? items : items[0];
    const request = { method: "POST", path: `/v10/projects/${project}/env`, body } as const;
    const answer = await this.change({ project, change: "created", keys, value }, request);
    if (answer) this.known.push(...[answer.body.created].flat());
  }

  private async edit(project: string, { key, id }: Variable): Promise<void> {
    const value = `edited-${this.count++}`;
    const request = { method: "PATCH", path: `/v9/projects/${project}/env/${id}`, body: { value } } as const;
    if (await this.change({ project, change: "updated", keys: [key], value }, request)) {
      this.known.push({ key, id });
    }
  }

  private async remove(project: string, { key, id }: Variable): Promise<void> {
    const request = { method: "DELETE", path: `/v9/projects/${project}/env/${id}` } as const;
    await this.change({ project, change: "deleted", keys: [key], value: null }, request);
  }

  /** @returns the answer that acknowledges the change */
  private async change(intent: Intent, request: Parameters<Writer["ask"]>[0]): Promise<Answer | undefined> {
    const { ledger } = this.work;
    const write: Write = ledger.begin(intent);
    const answer = await this.ask(request);
    if (answer?.status === successes[intent.change]) {
      const made: Variable[] = [answer.body.created ?? []].flat();
      ledger.acknowledge(
        write,
        intent.keys.map((key) => made.find((one) => one.key === key)?.id ?? ""),
      );
      return answer;
    }
    if (answer && answer.status < 500) {
      ledger.refuse(write, textOf(answer));
      return undefined;
    }
    ledger.doubt();
    await this.awaitServer();
    return undefined;
  }

  private ask(request: Parameters<Cluster["ask"]>[1]): Promise<Answer | undefined> {
    return this.work.cluster.ask(this.account, request, this.at);
  }

  /** The server that it asks; another one when that does not answer. */
  private at = 0;

  private async awaitServer(): Promise<void> {
    do {
      await sleep(pauseMs);
      this.at += 1;
    } while (!this.work.isOver() && !(await this.work.cluster.at(this.at).isReady()));
  }
}

const textOf = ({ status, body }: Answer): string => `${status} ${JSON.stringify(body)}`;

/** Reads projects that are written, from any server, and has the ledger judge what it sees. */
export async function read(number: number, seed: number, { cluster, ledger, isOver }: Work): Promise<void> {
  const random = randomFrom(seed * 1000 + 500 + number);
  for (let at = number; !isOver(); at++) {
    await sleep(readPauseMs);
    const { written } = ledger;
    // The last ones are being written.
    const project = written[Math.max(0, written.length - 1 - Math.floor(random() * 20))];
    if (project === undefined) continue;
    const judge = ledger.beginRead(project);
    const found = await cluster.variablesOf(accountOf(project), project, at);
    if (found) judge(found);
  }
}

/** Whose a writer's project is. */
export const accountOf = (project: string): Account =>
  accounts[Number(/^w(\d+)-/.exec(project)?.[1]) % accounts.length] ?? 0;
