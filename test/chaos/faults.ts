import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { askKeeper } from "../support/postgres/keeper-client";
import { kill, treeOf } from "../support/process-tree";
import type { Relay } from "../support/relay";
import type { Cluster } from "./cluster";
import type { Replica } from "./replica";

/** Where a fault strikes, and what it draws at random: a number from `least` to `most`. */
interface Scene {
  cluster: Cluster;
  replica: Replica;
  draw(least: number, most: number): number;
}

export interface Fault {
  kind: string;
  /** Resolves when it is over; the servers may need longer. */
  strike(scene: Scene): Promise<void>;
}

/** How large a file may become stands for how much room is left, for a process. */
const canLimit = spawnSync("prlimit", ["--version"]).status === 0;

/** All that can be done to an engine on this machine. */
export function faultsOf({ address }: Pick<Cluster, "address">): Fault[] {
  return [
    ...common,
    ...(address === undefined ? [] : ofDatabase),
    ...(canLimit ? [address === undefined ? fullDisk : fullDiskOfDatabase] : []),
  ];
}

const common: Fault[] = [
  {
    kind: "server killed",
    async strike({ replica, draw }) {
      await replica.end("SIGKILL");
      await sleep(draw(0, 300));
      await replica.start();
    },
  },
  {
    kind: "server asked to end",
    async strike({ replica, cluster }) {
      const code = await replica.end("SIGTERM");
      if (code !== 0) cluster.ledger.report("failed", `${replica.name} ended with ${code} when asked to`);
      await replica.start();
    },
  },
  {
    kind: "server stopped for a while",
    async strike({ replica, draw }) {
      replica.signal("SIGSTOP");
      await sleep(draw(200, 2000));
      replica.signal("SIGCONT");
    },
  },
  {
    kind: "receiver fails",
    async strike({ cluster: { receiver }, draw }) {
      receiver.react = () => (draw(0, 1) < 0.5 ? 500 : "break");
      await sleep(draw(100, 1000));
      receiver.react = () => 200;
    },
  },
  ...ofConnections("connections of clients", ({ clients }) => clients),
];

const ofDatabase: Fault[] = [
  {
    kind: "database killed",
    strike: ({ cluster }) => crash(cluster),
  },
  {
    kind: "database stopped for a while",
    async strike({ cluster, draw }) {
      const all = databaseProcesses(cluster);
      for (const pid of all) kill(pid, "SIGSTOP");
      await sleep(draw(200, 2000));
      for (const pid of all) kill(pid, "SIGCONT");
    },
  },
  ...ofConnections("connections to the database", ({ database }) => database),
];

function ofConnections(what: string, relayOf: (replica: Replica) => Relay | undefined): Fault[] {
  return [
    {
      kind: `${what} cut`,
      async strike({ replica, draw }) {
        for (let times = draw(1, 6); times > 0; times--) {
          relayOf(replica)?.cut();
          await sleep(draw(0, 100));
        }
      },
    },
    {
      kind: `${what} slow`,
      async strike({ replica, draw }) {
        const relay = relayOf(replica);
        if (!relay) return;
        relay.delayMs = draw(5, 200);
        await sleep(draw(300, 1500));
        relay.delayMs = 0;
      },
    },
    {
      kind: `${what} silent, then cut`,
      async strike({ replica, draw }) {
        relayOf(replica)?.stall();
        await sleep(draw(300, 2000));
        relayOf(replica)?.cut();
      },
    },
  ];
}

/** Writes fail in the middle, or all of them. */
const fullDisk: Fault = {
  kind: "disk full",
  async strike({ cluster, replica, draw }) {
    const log = path.join(cluster.folder, "data/slipway.db-wal");
    limit(replica.pids, draw(0, (existsSync(log) ? statSync(log).size : 0) + 60_000));
    await sleep(draw(200, 700));
    limit(replica.pids, "unlimited");
  },
};

/** PostgreSQL that cannot write its log ends itself. */
const fullDiskOfDatabase: Fault = {
  kind: "disk of the database full",
  async strike({ cluster, draw }) {
    limit(databaseProcesses(cluster), draw(0, 12_000_000));
    await sleep(draw(300, 1000));
    await crash(cluster);
  },
};

async function crash({ keeper }: Cluster): Promise<void> {
  if (keeper) await askKeeper(keeper.socket, "crash");
}

function databaseProcesses({ address }: Cluster): number[] {
  const folder = decodeURIComponent(new URL(address ?? "").host);
  const [pid] = readFileSync(path.join(folder, "data/postmaster.pid"), "utf8").split("\n");
  return treeOf(Number(pid)).map((one) => one.pid);
}

function limit(pids: readonly number[], bytes: number | "unlimited"): void {
  const size = bytes === "unlimited" ? bytes : Math.floor(bytes);
  for (const pid of pids) {
    try {
      execFileSync("prlimit", ["--pid", String(pid), `--fsize=${size}:unlimited`], { stdio: "ignore" });
    } catch {
      // It has ended by itself.
    }
  }
}
