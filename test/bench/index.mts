import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { benchBuilds } from "./builds.mts";
import { benchDashboard } from "./dashboard.mts";
import { benchDeploy } from "./deploy.mts";
import { benchPeers } from "./peers.mts";
import { type Plan, quickPlan, wholePlan } from "./plan.mts";
import { benchPostgres } from "./postgres.mts";
import { benchProvider } from "./provider.mts";
import { benchProviderPeers } from "./provider-peers.mts";
import { machine, writeMeasured } from "./report.mts";
import { benchServer } from "./server.mts";
import { benchSize } from "./size.mts";

/** The parts of the bench. Each returns its table, as Markdown. */
const parts: Record<string, (plan: Plan) => Promise<string>> = {
  server: benchServer,
  postgres: benchPostgres,
  size: benchSize,
  peers: benchPeers,
  providers: benchProviderPeers,
  provider: benchProvider,
  deploy: benchDeploy,
  dashboard: benchDashboard,
};

const { values, positionals } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    seed: { type: "string" },
    against: { type: "string" },
  },
  allowPositionals: true,
});
const { against } = values;
/** The peers are servers and providers. */
const named = positionals.flatMap((name) => (name === "peers" ? [name, "providers"] : [name]));
const chosen = named.length > 0 ? named : Object.keys(parts);
const unknown = chosen.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  console.error(`bench: no part ${unknown.join(", ")}. There are: ${Object.keys(parts).join(", ")}.`);
  process.exit(2);
}
const seed = values.seed === undefined ? randomInt(2 ** 32) : Number(values.seed);
const plan = (values.quick ? quickPlan : wholePlan)(seed);
console.error(`bench: requests are drawn from the seed ${seed}`);
if (against !== undefined) {
  console.log(`\n${await benchBuilds(plan, against)}\n\n${machine()} Seed ${seed}.`);
  process.exit();
}
for (const name of chosen) {
  const measured = await parts[name]?.(plan);
  if (measured === undefined) continue;
  const text = `${measured}\n\n${machine()} Seed ${seed}.`;
  if (!plan.isRehearsal) writeMeasured(name, text);
  console.log(`\n${text}\n`);
}
