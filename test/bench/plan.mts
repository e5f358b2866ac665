/** How much is measured, and from what seed requests are drawn. */
export interface Plan {
  seed: number;
  connections: number;
  /** Rounds that count; the one before them warms up. */
  rounds: number;
  durationMs: number;
  projects: number;
  /** The size that the first of two is compared with. */
  manyProjects: number;
  starts: number;
  /** Requests of the run that shows whether memory grows. */
  longRun: number;
  /** Its figures mean nothing, and are not kept. */
  isRehearsal: boolean;
}

export const wholePlan = (seed: number): Plan => ({
  seed,
  connections: 32,
  rounds: 5,
  durationMs: 2000,
  projects: 10_000,
  manyProjects: 100_000,
  starts: 15,
  longRun: 1_000_000,
  isRehearsal: false,
});

/** Shows that everything runs, in less than a minute; its figures mean nothing. */
export const quickPlan = (seed: number): Plan => ({
  seed,
  connections: 32,
  rounds: 1,
  durationMs: 100,
  projects: 200,
  manyProjects: 1000,
  starts: 2,
  longRun: 5000,
  isRehearsal: true,
});
