/** The most variables of projects that are read together, unless a single project has more. */
const mostVariables = 500;

/**
 * Groups the projects of a list. The related rows of a group are read together, which saves statements. Between two
 * groups, the server can answer other requests.
 */
export function* groupByVariables<R extends { env_totals: string }>(rows: readonly R[]): Generator<R[]> {
  let group: R[] = [];
  let count = 0;
  for (const row of rows) {
    const own = countOf(row);
    if (group.length > 0 && count + own > mostVariables) {
      yield group;
      group = [];
      count = 0;
    }
    group.push(row);
    count += own;
  }
  if (group.length > 0) yield group;
}

/** The number of a project's variables. A variable of several environments counts several times. */
function countOf({ env_totals }: { env_totals: string }): number {
  if (env_totals === "{}") return 0;
  const targets: Record<string, Record<string, [count: number, size: number]>> = JSON.parse(env_totals);
  const branches = Object.values(targets).flatMap((target) => Object.values(target));
  return branches.reduce((sum, [count]) => sum + count, 0);
}
