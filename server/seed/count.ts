import { countRows } from "../store/rows";
import type { Tx } from "../store/store";
import { type Seed, sections } from "./document";
import type { Section } from "./section";

type SectionName = keyof typeof sections;
type Counted = Pick<Section<never>, "table" | "where">;

/** Counts the objects that a change adds, for each section of a seed. */
export async function countAdded(
  tx: Tx,
  seed: Seed,
  change: () => Promise<void>,
): Promise<Partial<Record<SectionName, number>>> {
  const names = (Object.keys(sections) as SectionName[]).filter((name) => seed[name] !== undefined);
  const count = async (): Promise<number[]> => {
    const counts: number[] = [];
    for (const name of names) {
      const { table, where = {} }: Counted = sections[name];
      counts.push(await countRows(tx, table, where));
    }
    return counts;
  };
  const before = await count();
  await change();
  const after = await count();
  return Object.fromEntries(names.map((name, at) => [name, (after[at] ?? 0) - (before[at] ?? 0)]));
}
