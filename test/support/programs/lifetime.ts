import type { Author, ByHand } from "./author";
import { type Objects, Owners } from "./owners";
import { type Program, toCode } from "./program";
import type { RecordedResource } from "./run";

/** A stack under an engine, and the service behind it. */
export interface TestStack {
  readonly state: readonly RecordedResource[];
  /** Begins a run, with processes of its own. */
  begin(): Promise<void>;
  /** @throws Error when the program is refused before anything is changed */
  preview(program: Program): Promise<unknown>;
  /** @throws Error when not all of the program is carried out */
  up(program: Program, targets: ReadonlySet<string> | undefined): Promise<unknown>;
  /** Reads everything. */
  refresh(): Promise<unknown>;
  /** @throws Error when something differs, or is left to do, after a program was carried out */
  expectDone(program: Program): Promise<void>;
  objects(): Promise<Objects>;
  /** A request behind the program's back, which may be refused. @returns its status */
  request(path: string, body: object): Promise<number>;
}

/** The outcomes of all runs. */
export interface Counts {
  done: number;
  refused: number;
  adopted: number;
  recovered: number;
}

/**
 * A program that is edited over and over, and destroyed at last. Nothing that a resource has may be lost, shared or left
 * behind.
 * @throws Error with the history of the runs
 */
export async function runLifetime(
  author: Author,
  edits: number,
  stack: TestStack,
  counts: Counts,
): Promise<void> {
  const history: string[] = [];
  const owners = new Owners();
  try {
    await edit();
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${history.join("\n")}`);
  }
  counts.adopted += owners.adoptions;

  async function edit(): Promise<void> {
    owners.add(await stack.objects());
    let isWhole = await run([]);
    for (let i = 0; i < edits; i++) {
      if (!isWhole && author.chance(0.5)) await recover();
      isWhole = await run(author.edit(stack.state));
    }
    await recover();
    author.program = [];
    if (!(await run([], false))) throw new Error("what is there cannot be destroyed");
  }

  /** @returns whether all of the program was carried out */
  async function run(byHand: ByHand[], isToFail = true): Promise<boolean> {
    await stack.begin();
    for (const { path, body } of byHand) {
      const answer = await stack.request(path, body);
      history.push(`// by hand: ${path} ${JSON.stringify(body)}: ${answer}`);
    }
    owners.add(await stack.objects());
    const program = structuredClone(isToFail ? author.failing() : author.program);
    const targets = isToFail ? author.targets(program, stack.state) : undefined;
    const isFailing = program.length > author.program.length;
    const refusal = await stack.preview(author.program).then(() => undefined, String);
    if (refusal !== undefined) {
      history.push("// preview", toCode(author.program), `// ${refusal}`);
      refuseInternal(refusal);
      counts.refused += 1;
      owners.check(stack.state, await stack.objects());
      return false;
    }
    await stack.begin();
    history.push(`// up${targets ? ` --target ${[...targets].join(" ")}` : ""}`, toCode(program));
    const error = await stack.up(program, targets).then(() => undefined, String);
    if (error !== undefined) history.push(`// ${error}`);
    history.push(`// state: ${stack.state.map(({ name, id }) => `${name} ${id}`).join(", ")}`);
    refuseInternal(error);
    counts[error === undefined ? "done" : "refused"] += 1;
    owners.check(stack.state, await stack.objects());
    // The plugin learns only in the step what the program ignores.
    const isLate = /Adopting it as declared would remove it|so none can be adopted/.test(error ?? "");
    if (error !== undefined && !isFailing && !targets && !isLate)
      throw new Error(`the preview passes, and the update fails: ${error}`);
    if (error !== undefined || targets) return false;
    const declared = program.map(({ name }) => name).sort();
    const recorded = stack.state.map(({ name }) => name).sort();
    if (String(recorded) !== String(declared)) throw new Error(`the state has ${recorded}, not ${declared}`);
    await stack.begin();
    await stack.expectDone(program);
    return true;
  }

  function refuseInternal(error: string | undefined): void {
    if (error !== undefined && /TypeError|ReferenceError|RangeError/.test(error)) throw new Error(error);
  }

  /** Returns to what the state has, which must always succeed. */
  async function recover(): Promise<void> {
    await stack.begin();
    await stack.refresh();
    author.goBack(stack.state);
    if (!(await run([], false))) throw new Error("what the state has cannot be carried out");
    counts.recovered += 1;
  }
}
