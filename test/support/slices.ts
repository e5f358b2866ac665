import { step } from "./step";

/** `npm run test:long` runs in full what `npm test` runs in slices. */
export const isLong = process.env.SLIPWAY_TEST_LONG !== undefined;

/** For tests of the long run alone, in place of `it`. */
export const inFull = isLong ? it : it.skip;

/** For parts of a test that the long run alone has, in place of `step`. */
export const stepInFull: typeof step = isLong ? step : async () => undefined as never;

/** The first case of each kind; all of them in the long run. It suits tables of cases of which each kind is alike. */
export function firstOfEach<C>(cases: readonly C[], kindOf: (one: C) => unknown): C[] {
  const seen = new Set<unknown>();
  return cases.filter((one) => isLong || (!seen.has(kindOf(one)) && seen.add(kindOf(one))));
}

/**
 * One of so many cases, another one in each run, by its seed; all of them in the long run. It suits tables whose cases
 * prove the same of different objects.
 */
export const oneOf = <C>(share: number, cases: readonly C[]): C[] =>
  cases.filter((_, at) => isLong || (at + Math.abs(jest.getSeed())) % share === 0);

/** One of the hosts, the last; both in the long run. It suits tests of what the hosts have in common. */
export const someHosts = <H>(hosts: readonly H[]): H[] => (isLong ? [...hosts] : hosts.slice(-1));

/**
 * Shares the tests of a `describe.each` over hosts out among the hosts: each runs through one of them, and in the long
 * run through all. Use it in place of `it`.
 * @param declare how those that run are declared, such as `it.concurrent`
 */
export function sharedOut<H>(
  hosts: readonly H[],
  host: H,
  declare: (title: string, test: () => Promise<void>) => void = it,
): (title: string, test: () => Promise<void>) => void {
  let next = hosts.indexOf(host);
  return (title, test) => {
    const runs = isLong || next % hosts.length === 0;
    next += 1;
    (runs ? declare : it.skip)(title, test);
  };
}
