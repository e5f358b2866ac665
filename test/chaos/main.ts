import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import type { Engine } from "./cluster";
import { reportOf } from "./report";
import { Run } from "./run";

const engines: readonly Engine[] = ["sqlite", "postgres"];

const { values } = parseArgs({
  options: {
    engine: { type: "string" },
    faults: { type: "string", default: "200" },
    writes: { type: "string", default: "100000" },
    seed: { type: "string" },
  },
});
const chosen = values.engine === undefined ? engines : engines.filter((name) => name === values.engine);
const numbers = [values.faults, values.writes, values.seed ?? String(randomInt(2 ** 31))];
if (chosen.length === 0 || !numbers.every((text) => /^\d{1,10}$/.test(text))) {
  console.error("chaos: --engine is sqlite or postgres; --faults, --writes and --seed are whole numbers.");
  process.exit(2);
}
const [faults = 0, writes = 0, seed = 0] = numbers.map(Number);

let opening: Promise<Run> | undefined;
let isInterrupted = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interrupt);

async function interrupt(): Promise<void> {
  if (isInterrupted) return;
  isInterrupted = true;
  console.error("chaos: ending the servers");
  await opening?.then((run) => run.close()).catch(() => {});
  process.exit(130);
}

async function main(): Promise<void> {
  for (const engine of chosen) {
    console.error(`chaos: ${faults} faults, ${writes} writes, ${engine}, seed ${seed}`);
    opening = Run.open({ engine, faults, writes, seed }, tell);
    const run = await opening;
    try {
      await run.storm();
      const outcome = await run.audit();
      console.log(`\n${reportOf(outcome)}\n`);
      if (outcome.ledger.findings.length > 0) process.exitCode = 1;
    } finally {
      if (!isInterrupted) await run.close();
    }
  }
}

function tell(line: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)}  ${line}\n`);
}

main().catch((error) => {
  if (isInterrupted) return;
  console.error(error);
  process.exitCode = 1;
});
