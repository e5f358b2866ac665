import { isLong } from "../support/slices";
import { accountOf } from "./clients";
import { type Breach, breaches } from "./ledger";
import { type Outcome, type Plan, Run } from "./run";

let run: Run | undefined;

afterEach(async () => {
  await run?.close();
  run = undefined;
});

async function open(plan: Plan): Promise<Run> {
  run = await Run.open(plan);
  return run;
}

/** The required outcome of a run, from the seed that it names. */
function expectWhole({ plan, struck, ledger, events }: Outcome): void {
  const faults = [...struck.values()].reduce((sum, { times }) => sum + times, 0);
  expect({ ...plan, findings: ledger.findings.slice(0, 20) }).toEqual({ ...plan, findings: [] });
  expect(faults).toBe(plan.faults);
  expect(ledger.acknowledged).toBeGreaterThanOrEqual(plan.writes);
  expect(ledger.reads).toBeGreaterThan(0);
  expect(events).toBeGreaterThanOrEqual(plan.writes);
}

/** @param short begins with what matters most */
const seedOf = (short: number): number => (isLong ? Date.now() % 2 ** 31 : short);

it.each([
  ["one server on its file loses nothing, whatever happens to it", "sqlite", 1, 6, 400],
  ["two servers on one PostgreSQL lose nothing, whatever happens to them and to it", "postgres", 146, 4, 300],
] as const)(
  "%s",
  async (_, engine, seed, faults, writes) => {
    const running = await open({
      engine,
      seed: seedOf(seed),
      faults: isLong ? 200 : faults,
      writes: isLong ? 100_000 : writes,
    });
    await running.storm();
    expectWhole(await running.audit());
  },
  3 * 3_600_000,
);

it("the ledger finds lost writes and missing events", async () => {
  const running = await open({ engine: "sqlite", seed: 1, faults: 0, writes: 100 });
  await running.storm();
  const { cluster, ledger } = running;
  const [project = ""] = ledger.written;
  const [lost] = (await cluster.variablesOf(accountOf(project), project, 0)) ?? [];
  const path = `/v9/projects/${project}/env/${lost?.id}`;
  expect((await cluster.ask(accountOf(project), { method: "DELETE", path }))?.status).toBe(200);
  const outcome = await running.audit();
  const found: Breach[] = outcome.ledger.findings.map(({ breach }) => breach);
  // It is gone, and its event tells of a change that nobody made.
  expect(found).toEqual(["lost", "repeated"]);
  expect(Object.keys(breaches)).toEqual(expect.arrayContaining(found));
}, 120_000);
