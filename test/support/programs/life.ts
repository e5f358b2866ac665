import type { Author, ByHand } from "./moves";
import { type Objects, Owners } from "./owners";
import { type Program, toCode } from "./program";
import type { Held } from "./run";

/** A stack under an engine, and the service that it is of. */
export interface Surroundings {
  readonly state: readonly Held[];
  /** Begins a run, with processes of its own. */
  begin(): Promise<void>;
  /** @throws Error when not all of the program is carried out */
  up(program: Program, targets: ReadonlySet<string> | undefined): Promise<unknown>;
  /** Reads everything. */
  refresh(): Promise<unknown>;
  /** @throws Error when something differs, or is left to do, after a program was carried out */
  expectDone(program: Program): Promise<void>;
  there(): Promise<Objects>;
  /** A request behind the program's back, which may be refused. @returns its status */
  request(path: string, body: object): Promise<number>;
}

/** What became of all runs. */
export interface Counts {
  done: number;
  refused: number;
  adopted: number;
  mended: number;
}

/**
 * A program that is edited over and over, and destroyed at last. Nothing that a resource has may be lost, shared or left
 * behind.
 * @throws Error that tells the story
 */
export async function live(
  author: Author,
  edits: number,
  around: Surroundings,
  counts: Counts,
): Promise<void> {
  const story: string[] = [];
  const owners = new Owners();
  try {
    await edit();
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${story.join("\n")}`);
  }
  counts.adopted += owners.adoptions;

  async function edit(): Promise<void> {
    owners.add(await around.there());
    let isWhole = await run([]);
    for (let i = 0; i < edits; i++) {
      if (!isWhole && author.chance(0.5)) await mend();
      isWhole = await run(author.edit(around.state));
    }
    await mend();
    author.program = [];
    if (!(await run([], false))) throw new Error("what is there cannot be destroyed");
  }

  /** @returns whether all of the program was carried out */
  async function run(byHand: ByHand[], isToFail = true): Promise<boolean> {
    await around.begin();
    for (const { path, body } of byHand) {
      const answer = await around.request(path, body);
      story.push(`// by hand: ${path} ${JSON.stringify(body)}: ${answer}`);
    }
    owners.add(await around.there());
    const program = structuredClone(isToFail ? author.failing() : author.program);
    const targets = isToFail ? author.targets(program, around.state) : undefined;
    story.push(`// up${targets ? ` --target ${[...targets].join(" ")}` : ""}`, toCode(program));
    const error = await around.up(program, targets).then(() => undefined, String);
    if (error !== undefined) story.push(`// ${error}`);
    story.push(`// state: ${around.state.map(({ name, id }) => `${name} ${id}`).join(", ")}`);
    if (error !== undefined && /TypeError|ReferenceError|RangeError/.test(error)) throw new Error(error);
    counts[error === undefined ? "done" : "refused"] += 1;
    owners.check(around.state, await around.there());
    if (error !== undefined || targets) return false;
    const declared = program.map(({ name }) => name).sort();
    const recorded = around.state.map(({ name }) => name).sort();
    if (String(recorded) !== String(declared)) throw new Error(`the state has ${recorded}, not ${declared}`);
    await around.begin();
    await around.expectDone(program);
    return true;
  }

  /** Goes back to what the state has, which always is to be had. */
  async function mend(): Promise<void> {
    await around.begin();
    await around.refresh();
    author.goBack(around.state);
    if (!(await run([], false))) throw new Error("what the state has cannot be carried out");
    counts.mended += 1;
  }
}
