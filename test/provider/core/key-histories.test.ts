import fc from "fast-check";
import { Client } from "../../../provider/client/client";
import { ApiError } from "../../../provider/client/errors";
import { planKeys } from "../../../provider/core/key-check";
import { takeKeys } from "../../../provider/core/key-step";
import { ownerIdOf } from "../../../provider/core/ownership-record";
import { RunContext } from "../../../provider/core/run-context";
import { StackSnapshot } from "../../../provider/core/stack-snapshot";
import { holdKeys, type UniqueKeys } from "../../../provider/core/unique-keys";
import { digest } from "../../../provider/core/values";

/** Random histories of a stack, in memory: objects of a service whose names are unique, and runs of programs. */

const apiUrl = "http://127.0.0.1:1";
const names = ["A", "B", "C", "D", "E"];
const conflict = (name: string): ApiError => {
  const asked = { method: "POST", path: "/things" };
  return new ApiError({ asked, status: 409, code: "conflict", said: `${name} exists.` });
};

/** The declarations of a program: a name for each of its resources. `adopt` matters for a new one. */
type Program = Readonly<Record<string, { name: string; adopt: boolean }>>;

const program = fc.dictionary(
  fc.constantFrom("r1", "r2", "r3", "r4"),
  fc.record({ name: fc.constantFrom(...names), adopt: fc.boolean() }),
);
const programs = fc.array(program, { minLength: 1, maxLength: 4 });
/** Names of objects that no program has created. */
const unmanaged = fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 });

class World {
  readonly nameOf = new Map<string, string>();
  /** The objects in no stack. */
  readonly unmanaged: Set<string>;
  /** The state: the object of each resource. */
  readonly state = new Map<string, string>();
  #ids = 0;
  readonly unique: UniqueKeys = {
    ...{ noun: "the thing", choices: "another name", scope: "account" },
    of: ({ name }) => [`acme/${name}`],
    owners: async (_run, keys) => keys.flatMap((key) => this.idOf(key.slice("acme/".length)) ?? []),
    freeKeys: async (_run, id) => {
      const name = this.nameOf.get(id) ?? "";
      this.rename(id, `${name}-moving-${id}`);
      return async () => this.rename(id, name);
    },
  };

  constructor(unmanaged: readonly string[]) {
    this.unmanaged = new Set(unmanaged.map((name) => this.create(name)));
  }

  idOf = (name: string): string | undefined => [...this.nameOf].find(([, other]) => other === name)?.[0];

  create(name: string): string {
    return this.rename(`o${++this.#ids}`, name);
  }

  rename(id: string, name: string): string {
    if ((this.idOf(name) ?? id) !== id) throw conflict(name);
    this.nameOf.set(id, name);
    return id;
  }

  begin(): RunContext {
    const recorded = [...this.state].map(([name, id]) => ({ urn: urnOf(name), outputs: outputsOf(id) }));
    const snapshot = new StackSnapshot(recorded, ({ outputs: { id } }) => [digest(apiUrl) + digest(`${id}`)]);
    const client = new Client({ apiUrl, token: "token", team: "acme" });
    return new RunContext(client, { readSnapshot: async () => snapshot, readAgain: async () => snapshot });
  }
}

const urnOf = (resource: string): string => `urn:pulumi:dev::p::slipway:index:Thing::${resource}`;
const outputsOf = (id: string) => ({ id });

/** Checks a resource, and records its object in the run. @returns the reason for a refusal */
async function check(world: World, run: RunContext, resource: string, declared: Program[string]) {
  const id = world.state.get(resource);
  const previous = id === undefined ? {} : { name: world.nameOf.get(id) };
  const reason = await planKeys(run, world.unique, {
    ...{ previous, news: { ...declared }, urn: urnOf(resource), ignored: undefined },
    ...{ adopts: true, deletesFirst: false, isDeletedFirst: false, isReplaced: false },
  });
  if (id === undefined) return reason;
  holdKeys(run, world.unique, id, previous);
  if (!run.ownership.isDone(id)) run.ownership.assign(ownerIdOf(outputsOf(id)), [id]);
  return reason;
}

/** Creates, adopts or renames the object of a resource. */
async function apply(world: World, run: RunContext, resource: string, declared: Program[string]) {
  const id = world.state.get(resource);
  const existing = world.idOf(declared.name) ?? "";
  const isAdopted = id === undefined && declared.adopt && world.unmanaged.delete(existing);
  const attempt = async () =>
    id === undefined ? world.create(declared.name) : world.rename(id, declared.name);
  const made = isAdopted
    ? existing
    : await takeKeys(run, world.unique, { id, declared: { ...declared }, attempt });
  world.state.set(resource, made);
  run.ownership.assign(ownerIdOf(outputsOf(made)), [made]);
  run.ownership.finish([made]);
}

const shuffled = <T>(items: readonly T[], chance: () => number): T[] =>
  items
    .map((item) => ({ item, at: chance() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

/** A preview: all checks. @returns false if one refuses its resource */
async function isAccepted(world: World, program: Program, chance: () => number): Promise<boolean> {
  const run = world.begin();
  const reasons: unknown[] = [];
  for (const [name, declared] of shuffled(Object.entries(program), chance))
    reasons.push(await check(world, run, name, declared));
  return reasons.every((reason) => reason === undefined);
}

/** True if each name has one resource, and objects in no stack are at most adopted by new resources. */
function isPossible(world: World, program: Program): boolean {
  const declared = Object.values(program).map(({ name }) => name);
  const isFree = ([resource, { name, adopt }]: [string, Program[string]]): boolean =>
    !world.unmanaged.has(world.idOf(name) ?? "") || (adopt && !world.state.has(resource));
  return new Set(declared).size === declared.length && Object.entries(program).every(isFree);
}

/** An update: a step can come before the check of another resource. At the end, what the program lacks is deleted. */
async function up(world: World, program: Program, chance: () => number): Promise<void> {
  const run = world.begin();
  const waiting = shuffled(Object.entries(program), chance);
  const checked: typeof waiting = [];
  while (waiting.length + checked.length > 0) {
    const isCheck = waiting.length > 0 && (checked.length === 0 || chance() < 0.5);
    const [name, declared] = (isCheck ? waiting.pop() : checked.pop()) ?? raise("nothing is left");
    if (!isCheck) await apply(world, run, name, declared);
    else if ((await check(world, run, name, declared)) === undefined) checked.unshift([name, declared]);
    else throw new Error(`${name} was accepted by the preview, and is refused by the update`);
  }
  for (const [name, id] of world.state) {
    if (name in program) continue;
    world.nameOf.delete(id);
    world.state.delete(name);
  }
}

function raise(message: string): never {
  throw new Error(message);
}

const histories = { numRuns: process.env.SLIPWAY_TEST_LONG ? 100_000 : 2000 };

it("what a preview accepts, an update does in any order, and nothing else changes", async () => {
  let done = 0;
  const holds = fc.asyncProperty(
    programs,
    unmanaged,
    fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
    async (all, others, stream) => {
      const chance = (): number => stream.next().value;
      const world = new World(others);
      for (const program of all) {
        // The order of the checks does not matter.
        for (const _ of [1, 2])
          expect(await isAccepted(world, program, chance)).toBe(isPossible(world, program));
        if (!isPossible(world, program)) continue;
        const before = new Map(world.nameOf);
        const free = [...world.unmanaged];
        await up(world, program, chance);
        done++;
        const got = [...world.state].map(([name, id]) => [name, world.nameOf.get(id)]).sort();
        expect(got).toEqual(
          Object.entries(program)
            .map(([name, of]) => [name, of.name])
            .sort(),
        );
        expect(new Set(world.state.values()).size).toBe(world.state.size);
        for (const id of free) expect(world.nameOf.get(id)).toBe(before.get(id));
        expect(world.nameOf.size).toBe(world.state.size + world.unmanaged.size);
      }
    },
  );
  await fc.assert(holds, histories);
  expect(done).toBeGreaterThan(histories.numRuns / 2);
});
