import type { RecordedRequest } from "../recording-proxy";
import type { Author, ByHand } from "./author";
import type { Loss } from "./lost-answers";
import { deletedWith, type Objects, Owners, objectsOfRecorded, partsOf } from "./owners";
import { isReference, type Program, toCode } from "./program";
import { inOrder } from "./references";
import { Revisions } from "./revisions";
import type { Plan, RecordedResource } from "./run";
import { expectKept, unknownValues } from "./unknown-values";

/** How a program is carried out. */
export interface UpOptions {
  targets?: ReadonlySet<string> | undefined;
  /** It is previewed first, and only carried out when the preview passes. */
  isPreviewed?: boolean;
  /** How many steps are taken at once. Default: as many as the engine likes. */
  parallel?: number | undefined;
  /** The run is killed when it has changed the service as often. */
  killAfter?: number;
  /** Only changes by requests whose path has this count. */
  killAt?: string;
  /** The creates of several variables that are lost, by their number from 0. The run is to overcome that. */
  losses?: ReadonlyMap<number, Loss>;
}

/** A stack under an engine, and the service behind it. */
export interface TestStack {
  readonly state: readonly RecordedResource[];
  /** Each run checks the resources in the same order, so that the first refusal is the same. */
  readonly isOrdered: boolean;
  /** Begins a run, with processes of its own. */
  begin(): Promise<void>;
  /** @throws Error when the program is refused before anything is changed */
  preview(program: Program): Promise<Pick<Plan, "operations">>;
  /** @throws Error when not all of the program is carried out */
  up(program: Program, options: UpOptions): Promise<unknown>;
  /** Reads everything. */
  refresh(): Promise<unknown>;
  /** @throws Error when something differs, or is left to do, after a program was carried out */
  expectDone(program: Program): Promise<void>;
  objects(): Promise<Objects>;
  /** Everything that the service has. */
  snapshot(): Promise<object>;
  /** A request behind the program's back, which may be refused. @returns its status */
  request(path: string, body: object, method?: string): Promise<number>;
  /** All requests of the programs so far. */
  readonly requests: readonly RecordedRequest[];
}

/** The outcomes of all runs. */
export interface Counts {
  done: number;
  refused: number;
  adopted: number;
  recovered: number;
  killed: number;
}

export const noCounts = (): Counts => ({ done: 0, refused: 0, adopted: 0, recovered: 0, killed: 0 });

/**
 * A program that is edited over and over, and destroyed at last. Every preview that passes is carried out, and every
 * program that cannot be carried out is refused at preview. Nothing that a resource has may be lost, shared or left
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
  const revisions = new Revisions();
  /** Somebody has changed the value of a variable since the last refresh. */
  let isRotated = false;
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
      const before = structuredClone(author.program);
      const byHand = author.edit(stack.state);
      isWhole = author.chance(0.3) ? await runKilled(before) : await run(byHand);
    }
    await recover();
    author.program = [];
    if (!(await run([], false))) throw new Error("what is there cannot be destroyed");
  }

  /** @returns whether all of the program was carried out */
  async function run(byHand: ByHand[], isToFail = true): Promise<boolean> {
    await stack.begin();
    for (const { path, body, method } of byHand) {
      const answer = await stack.request(path, body, method);
      history.push(`// by hand: ${path} ${JSON.stringify(body)}: ${answer}`);
      isRotated ||= method === "PATCH";
    }
    owners.add(await stack.objects());
    const program = structuredClone(isToFail ? author.failing() : author.program);
    const targets = isToFail ? author.targets(program, stack.state) : undefined;
    const isFailing = program.length > author.program.length;
    if ((await planOf(author.program)) === undefined) return false;
    await stack.begin();
    const parallel = author.parallel();
    const losses = author.losses();
    if (losses.size > 0) history.push(`// lost: ${JSON.stringify([...losses])}`);
    history.push(`// up${targets ? ` --target ${[...targets].join(" ")}` : ""}`, toCode(program));
    const had = new Set(stack.state.map(({ name }) => name));
    const [unknown, seen] = [unknownValues(program, stack.state), stack.requests.length];
    const error = await stack.up(program, { targets, parallel, losses }).then(() => undefined, textOf);
    told(error);
    expectKept(unknown, stack.requests.slice(seen));
    counts[error === undefined ? "done" : "refused"] += 1;
    const isWhole = error === undefined && !targets;
    const names = new Set(stack.state.map(({ name }) => name));
    const aliases = program.filter(({ name }) => names.has(name)).flatMap(({ aliases = [] }) => aliases);
    const hasEnded = error === undefined;
    owners.check(stack.state, await stack.objects(), { isWhole, hasEnded, aliases });
    if (error !== undefined && !isFailing && !targets && !isLate(error, program, had))
      throw new Error(`the preview passes, and the update fails: ${error}`);
    if (!isWhole) return false;
    await expectWhole(program);
    return true;
  }

  /** @returns undefined when the program is refused, which then changes nothing */
  async function planOf(program: Program): Promise<Pick<Plan, "operations"> | undefined> {
    const before = await stack.snapshot();
    const state = JSON.stringify(stack.state);
    const otherOrder = inOrder(author.shuffled(program));
    const answer = await stack.preview(program).catch(textOf);
    if (typeof answer !== "string") {
      await expectSame(otherOrder, undefined);
      return answer;
    }
    const refusal = answer;
    history.push("// preview", toCode(program), `// ${refusal}`);
    refuseInternal(refusal);
    await expectSame(otherOrder, refusal);
    await stack.begin();
    const again = await stack.up(program, { isPreviewed: true }).then(() => undefined, textOf);
    if (again === undefined || (stack.isOrdered && kindOf(again) !== kindOf(refusal)))
      throw new Error(`an update is refused otherwise: ${again}`);
    if (JSON.stringify(stack.state) !== state) throw new Error("what is refused changes the state");
    if (JSON.stringify(await stack.snapshot()) !== JSON.stringify(before))
      throw new Error("what is refused changes the service");
    counts.refused += 1;
    return undefined;
  }

  /** The answer of a preview does not depend on the order of the resources, if only a preview can know it. */
  async function expectSame(program: Program, expected: string | undefined): Promise<void> {
    await stack.begin();
    const refusal = await stack.preview(program).then(() => undefined, textOf);
    const had = new Set(stack.state.map(({ name }) => name));
    if (
      (refusal === undefined) !== (expected === undefined) &&
      !isLate(`${refusal ?? expected}`, program, had)
    )
      throw new Error(`in another order, a preview ends otherwise: ${refusal}\n${toCode(program)}`);
  }

  async function expectWhole(program: Program): Promise<void> {
    // A refresh finds what others have written, which changes revisions.
    if (isRotated) {
      await refresh();
      await stack.begin();
      await stack.up(program, {});
      owners.check(stack.state, await stack.objects());
    }
    const declared = program.map(({ name }) => name).sort();
    const recorded = stack.state.map(({ name }) => name).sort();
    if (String(recorded) !== String(declared)) throw new Error(`the state has ${recorded}, not ${declared}`);
    await stack.begin();
    await stack.expectDone(program);
  }

  /**
   * A run is killed in its midst, and its program or the one before is run next.
   * @returns whether all of a program was carried out
   */
  async function runKilled(before: Program): Promise<boolean> {
    const killed = structuredClone(author.program);
    await stack.begin();
    owners.add(await stack.objects());
    const plan = await planOf(killed);
    if (!plan) return false;
    const [had, there] = [stack.state, await stack.objects()];
    const end = author.end(killed.some((one) => isBuilt(one, plan)));
    history.push(`// up, killed after ${end.killAfter} changes ${end.killAt ?? ""}`, toCode(killed));
    await stack.begin();
    const error = await stack
      .up(killed, { ...end, parallel: author.parallel() })
      .then(() => undefined, textOf);
    told(error);
    if (error === undefined) {
      owners.check(stack.state, await stack.objects());
      await expectWhole(killed);
      return true;
    }
    counts.killed += 1;
    expectNoneLost(killed, plan, had, there, await stack.objects());
    const isRefreshed = author.chance(0.5);
    if (isRefreshed) await refresh();
    const isSame = author.chance(0.5);
    author.program = isSame ? killed : before;
    const isWhole = await runAfter(isRefreshed);
    if (isSame) expectBuiltOnce(killed, plan, there, await stack.objects());
    if (isWhole) return true;
    await recover();
    return true;
  }

  /** @returns whether the program was carried out after a run that was killed */
  async function runAfter(isRefreshed: boolean): Promise<boolean> {
    const program = structuredClone(author.program);
    await stack.begin();
    if ((await planOf(program)) === undefined) return false;
    history.push(`// up, ${isRefreshed ? "" : "not "}refreshed`, toCode(program));
    await stack.begin();
    const had = new Set(stack.state.map(({ name }) => name));
    const error = await stack.up(program, { parallel: author.parallel() }).then(() => undefined, textOf);
    told(error);
    // A refresh finds changes that the state does not have.
    const isStale = !isRefreshed && /--refresh/.test(error ?? "");
    if (error !== undefined && !isStale && !isLate(error, program, had))
      throw new Error(`the preview passes, and the update fails: ${error}`);
    if (!isRefreshed || error !== undefined) return false;
    owners.begin(stack.state, await stack.objects());
    owners.check(stack.state, await stack.objects());
    await expectWhole(program);
    counts.done += 1;
    return true;
  }

  /**
   * Only objects of what was to be replaced or deleted may be gone; a domain on its way, or a rule whose note changes, is
   * made by the next run.
   */
  function expectNoneLost(
    program: Program,
    { operations }: Pick<Plan, "operations">,
    had: readonly RecordedResource[],
    before: Objects,
    there: Objects,
  ): void {
    /** The operation on a recorded resource, which the program may have under another name. */
    const operationOf = (recorded: string) => {
      const renamed = program.find(({ aliases = [] }) => aliases.includes(recorded));
      return operations[recorded] ?? operations[renamed?.name ?? ""];
    };
    const isDoomed = ({ name }: RecordedResource) => /^(delete|replace)$/.test(operationOf(name) ?? "");
    const doomed = new Set(had.filter(isDoomed).flatMap((one) => objectsOfRecorded(one).map(([key]) => key)));
    for (const [key, name] of deletedWith(had))
      if (name === undefined || operationOf(name) !== "delete") doomed.delete(key);
    // A change of a record gives it another id.
    const passed = ["EnvVars", "DnsRecord"];
    const changed = had.filter(({ type, name }) => passed.includes(type) && operationOf(name) === "update");
    for (const one of changed) for (const [key] of objectsOfRecorded(one)) doomed.add(key);
    const doomedIds = new Set([...doomed].map((key) => key.replace(/^\w+ /, "")));
    for (const key of before.keys()) {
      const isDoomedToo = doomed.has(key) || partsOf(key).some((part) => doomedIds.has(part));
      if (!there.has(key) && !/^(domain|bypass) /.test(key) && !isDoomedToo)
        throw new Error(`${key} is gone, which the killed run was to keep`);
    }
  }

  /**
   * The run after one that was killed goes on with the deployments that it finds. Of several for the production of a
   * project, only the one that is served goes on: another one that was built would not be served.
   */
  function expectBuiltOnce(
    program: Program,
    plan: Pick<Plan, "operations">,
    before: Objects,
    there: Objects,
  ): void {
    const built = program.filter((one) => isBuilt(one, plan));
    const planned = built.length + sharingProduction(built).length;
    const made = [...there.keys()].filter((key) => key.startsWith("deployment ") && !before.has(key)).length;
    if (made > planned) throw new Error(`${made} deployments are made, where ${planned} are planned`);
  }

  async function refresh(): Promise<void> {
    isRotated = false;
    await stack.begin();
    await stack.refresh();
    revisions.check(stack.state);
    owners.begin(stack.state, await stack.objects());
  }

  function told(error: string | undefined): void {
    if (error !== undefined) history.push(`// ${error}`);
    history.push(`// state: ${stack.state.map(({ name, id }) => `${name} ${id}`).join(", ")}`);
    revisions.check(stack.state);
    refuseInternal(error);
  }

  function refuseInternal(error: string | undefined): void {
    if (error !== undefined && /TypeError|ReferenceError|RangeError/.test(error)) throw new Error(error);
  }

  /** Returns to what the state has, which must always succeed. */
  async function recover(): Promise<void> {
    await refresh();
    author.goBack(stack.state);
    if (!(await run([], false))) throw new Error("what the state has cannot be carried out");
    counts.recovered += 1;
  }
}

/**
 * Whether only the update can know why it fails: the plugin learns in the step what the program ignores, and the id of
 * a project that the run makes is not known before.
 * @param had the resources that the state had
 */
function isLate(error: string, program: Program, had: ReadonlySet<string>): boolean {
  if (/Adopting it as declared would remove it|so none of them can be adopted/.test(error)) return true;
  // So do the values that the program ignores, where a new resource takes the key of another one.
  if (/whose changes the program ignores/.test(error)) return true;
  const newOnes = (kind: string) => program.filter(({ type, name }) => type === kind && !had.has(name));
  // Of several that are new, a preview does not know in which one an object is.
  if (newOnes("EdgeConfig").length > 1 && /both declare the item/.test(error)) return true;
  if (newOnes("SharedEnvVar").length > 1 && /both declare the link/.test(error)) return true;
  return newOnes("Project").length > 0 && refusalsOfNewProjects.some((refusal) => refusal.test(error));
}

/** Refusals of updates alone: they need the id of a new project. */
const refusalsOfNewProjects = [
  /The (variable|custom environment) .* already exists/,
  /both declare the (variable|custom environment|deployment|firewall bypass|project member|link|setting)/,
  /both declare the (membership|configuration|set of|route|feature|connection|access of|project of)/,
  /can(not)? be in (one group only|more than one group)|is the default application of/,
];

/** Deployments for the production of a project that has another one in the program. */
function sharingProduction(program: Program): Program {
  const production = program.filter(({ args }) => args.target === "production");
  const projectOf = ({ args: { project } }: Program[number]): string =>
    isReference(project) ? project.$ref : String(project);
  return production.filter((one) =>
    production.some((other) => other !== one && projectOf(other) === projectOf(one)),
  );
}

/** Whether a plan makes a deployment. */
const isBuilt = ({ type, name }: Program[number], { operations }: Pick<Plan, "operations">): boolean =>
  type === "Deployment" && /^(create|replace)$/.test(operations[name] ?? "");

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A refusal without the resources and objects that it names: the engine stops at the first that it meets. */
const kindOf = (refusal: string | undefined): string | undefined =>
  refusal?.includes("both declare")
    ? "both declare"
    : refusal?.replace(/^.*?(already|belongs|is to be)/s, "$1").slice(0, 40);
