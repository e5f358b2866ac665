import fc from "fast-check";
import { engine } from "../support/engine";
import { Model, type Side } from "../support/model/model";
import { kinds, type Step } from "../support/model/requests";
import { expectedOf, visible } from "../support/model/visible";
import { type Answer, TestServer } from "../support/world";

/** Requests take longer on PostgreSQL, so that its slice is smaller. */
const sequences = process.env.SLIPWAY_TEST_LONG ? 1000 : engine === "postgres" ? 10 : 60;
const world = new TestServer();
const tokens: string[] = [];
/** Counts of answers by request, over all sequences. */
const seen = new Map<string, Set<string>>();
let sequence = 0;

beforeAll(async () => {
  await world.open("memory");
}, 60_000);
afterAll(() => world.close());

/** Accounts and domain names that no other sequence uses: each begins with nothing. */
async function begin(): Promise<Model> {
  const own = `s${sequence++}`;
  const slugs = [`${own}-a`, `${own}-b`] as const;
  for (const side of [0, 1] as const) tokens[side] = await world.team(slugs[side]);
  const apexOf = new Map(["", "www.", "*."].map((name) => [`${name}${own}.com`, `${own}.com`]));
  apexOf.set(`www.${own}.co.uk`, `${own}.co.uk`);
  return new Model(slugs, apexOf);
}

function send(model: Model, { side, method, path, body, query }: Step): Promise<Answer> {
  if (side === undefined) return world.askControl(method, path, body);
  return world.call(method, path, {
    token: tokens[side] ?? null,
    team: model.slugs[side],
    ...(body === undefined ? {} : { body }),
    ...(query ? { query } : {}),
  });
}

/** One thing that happens, to the server and to the model. */
class Happening implements fc.AsyncCommand<Model, null> {
  private said = "";

  constructor(
    private readonly kind: string,
    private readonly step: (model: Model) => Step,
  ) {}

  check(): boolean {
    return true;
  }

  async run(model: Model): Promise<void> {
    const step = this.step(model);
    this.said = `${step.side ?? "control"} ${step.method} ${step.path} ${JSON.stringify(step.body ?? "")}`;
    const { status, code, effect } = step.expected;
    const answer = await send(model, step);
    expect({ status: answer.status, code: answer.body?.error?.code }).toEqual({ status, code });
    const outcomes = seen.get(this.kind) ?? new Set();
    seen.set(this.kind, outcomes.add(code ? `${status} ${code}` : String(status)));
    effect?.(answer.body);
  }

  toString(): string {
    return this.said || this.kind;
  }
}

const happenings = fc.commands(
  [
    fc.oneof(
      ...kinds.map(([kind, weight, steps]) => ({
        weight,
        arbitrary: steps.map((step) => new Happening(kind, step)),
      })),
    ),
  ],
  { size: "max", maxCommands: 80 },
);

const project = ["404 not_found", "409 conflict"];
const variable = ["BAD_REQUEST", "KEY_INVALID_CHARACTERS", "KEY_INVALID_LENGTH", "KEY_RESERVED"].map(
  (code) => `400 ${code}`,
);
/** The outcomes that 60 sequences must reach: sequences that stop reaching a rule test nothing. */
const outcomes: Record<string, string[]> = {
  create: ["200", "400 bad_request", "409 conflict"],
  update: ["200", "400 bad_request", ...project],
  remove: ["204", ...project],
  pause: ["200", "400 bad_request"],
  startTransfer: ["200", "400 bad_request", ...project],
  completeTransfer: ["200", ...project],
  addDomain: [
    ...["200", "400 bad_request", "400 existing_project_domain", "400 invalid_domain"],
    ...["409 domain_already_in_use", ...project],
  ],
  updateDomain: ["200", "400 bad_request", ...project],
  removeDomain: ["200", ...project],
  verify: [
    ...["200", "400 bad_request", "400 existing_project_domain", "400 mismatched_txt_record"],
    ...["400 missing_txt_record", "404 not_found"],
  ],
  createVariables: ["201", "400 MISSING_TARGET", "403 ENV_CONFLICT", ...variable, ...project],
  editVariable: [
    ...["200", "400 MISSING_TARGET", "400 NOT_DECRYPTABLE", "403 ENV_CONFLICT"],
    ...[...variable, ...project],
  ],
  removeVariable: ["200", ...project],
};

test("projects, domains, variables and transfers of two accounts behave as a model of them", async () => {
  const agrees = fc.asyncProperty(happenings, async (commands) => {
    const model = await begin();
    await fc.asyncModelRun(() => ({ model, real: null }), commands);
    for (const side of [0, 1] satisfies Side[]) {
      expect(await visible(world, tokens[side] ?? "", model.slugs[side])).toEqual(expectedOf(model, side));
    }
  });
  await fc.assert(agrees, { seed: 3, numRuns: sequences, endOnFailure: false });
  if (sequences < 60) return;
  const reached = Object.keys(outcomes).map((kind) => [kind, [...(seen.get(kind) ?? [])].sort()]);
  const expected = Object.entries(outcomes).map(([kind, all]) => [kind, [...all].sort()]);
  expect(Object.fromEntries(reached)).toEqual(Object.fromEntries(expected));
}, 3_600_000);
