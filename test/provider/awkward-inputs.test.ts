import { ApiError } from "../../provider/client/errors";
import { PartialFailure } from "../../provider/core/partial-failure";
import { isPlain, type Plain } from "../../provider/core/values";
import { oneOf } from "../support/slices";
import { freshAccount } from "./fields/common";
import { inputsWith, type Schema, schemasOf, withKnown } from "./fields/paths";
import { type Harness, quietStep, type Stack, startHarness } from "./stack";
import type { Row, Subject } from "./subject";
import { subjects } from "./subjects";

/**
 * The form of a value: what the service refuses is refused at preview already, and what it takes is not. Each input
 * gets awkward values of its type. A preview that passes is carried out, and a refused one is sent past the check.
 */

/** Inputs that no request contains as they are, and inputs whose row another resource has too. */
const unsent =
  /\.(adopt|timeoutMs|onDestroy|onDelete|waitForDns|waitUntilReady|triggers|directory|prebuilt|rotation)$|^Deployment\.target$|^Project\.protectionBypass$|^(?!EnvVar\.).*\.project$/;

/** Refusals of the service that are about what exists, not about the form of a value. */
const ofState =
  /webhook for the repository|is not a member of the team|The project has no domain|names no environment|no route has the id|has no production domain|is still running after/;

/** Where the provider asks for more than the service does, and why. */
const stricter: readonly [inputs: RegExp, why: string][] = [
  [
    /^(ProjectDomain|DomainVerification|FirewallBypass|DnsRecord|DeploymentProtectionException)\./,
    "names are as the service returns them",
  ],
  [/^(EdgeConfigItem\.description|Deployment\.ref)$|\.slugs$/, "an empty text stands for nothing"],
  [/^FeatureFlag.*\.(description|label)$/, "an empty text stands for nothing"],
  [
    /^FeatureFlagSegment\.(in|ex)clude\.\*(\.\*)?$/,
    "an entity without attributes or values stands for nothing",
  ],
  [/^ProjectRoute\.description$/, "an empty text stands for nothing"],
  [
    /^TraceDrain\.samplingRules(\[\]\.requestPath)?$/,
    "a list without items, and an empty text, are left out",
  ],
  [/^BulkRedirects\.redirects$/, "a redirect is found by its source"],
  [/^Deployment\.files$/, "a path that is there twice is counted twice"],
  [/^TeamConfig\.slug$/, "the slug that selects the team does not change in a run"],
  [/^Project\.deployHooks/, "the service cuts white space off, and the hook would not be found again"],
  [/^EnvVars\.variables$/, "a map in JavaScript has no member __proto__"],
  [/^Deployment\.environment\.\*$/, "as long as the value of any variable"],
  [/^FirewallConfig\.(rules|ipRules)$/, "a rule is found by its name, or its address and host"],
  [
    /^ProjectRoute\.route\.(has|missing|transforms|transforms\[\]\.(args|env))$/,
    "a list without items is left out",
  ],
  [/^(Log|Trace|AuditLog)Drain\.(samplingRate|secret)$/, "a share, and a key that nobody can guess"],
];

const beyond = 65_537;

function texts(usual: string, { maxLength: most }: Schema): unknown[] {
  const long = (length: number): string => usual.padEnd(length, "a");
  return [
    ...[
      "",
      " ",
      "a b",
      "..",
      "__proto__",
      ` ${usual}`,
      `${usual} `,
      `${usual}\n`,
      `${usual}\u0007`,
      `${usual}é`,
    ],
    ...[
      usual.toUpperCase(),
      `-${usual}`,
      `_${usual}`,
      `.${usual}`,
      `${usual}.`,
      `${usual}/`,
      `a/../${usual}`,
    ],
    ...(most === undefined ? [long(beyond)] : [long(most), long(most + 1)]),
  ];
}

function numbers({ minimum = 0, maximum = 0 }: Schema): unknown[] {
  return [minimum, minimum - 1, minimum + 0.5, maximum, maximum + 1, 2 ** 53];
}

function lists([first, ...rest]: unknown[], { maxItems: most = 1000, items = {} }: Schema): unknown[] {
  const repeated = [most, most + 1].map((count) => Array(count).fill(first));
  const others = typeof first === "string" ? texts(first, items).map((text) => [text, ...rest]) : [];
  return [[], [first, ...rest, first], [null], ...repeated, ...others];
}

function objects(usual: Plain, { additionalProperties: values }: Schema): unknown[] {
  const [[name, value] = ["", undefined], ...rest] = Object.entries(usual);
  const without = Object.keys(usual).map((key) => ({ ...usual, [key]: undefined }));
  if (!isPlain(values)) return [{}, ...without];
  const named = texts(name, {}).map((text) => Object.fromEntries([[text, value], ...rest]));
  const many = [11, 1001].map((count) => Array.from({ length: count }, (_, at) => [`${name}${at}`, value]));
  return [{}, ...named, ...many.map((entries) => Object.fromEntries(entries))];
}

function awkwardValues(usual: unknown, schema: Schema): unknown[] {
  if (typeof usual === "string") return [null, ...texts(usual, schema)];
  if (typeof usual === "number") return [null, ...numbers(schema)];
  if (Array.isArray(usual)) return [null, ...lists(usual, schema)];
  return isPlain(usual) ? [null, ...objects(usual, schema)] : [null];
}

const quick: Record<string, Plain> = {
  Deployment: { waitUntilReady: false },
  DomainVerification: { timeoutMs: 0 },
  ProjectDomain: { timeoutMs: 0 },
  Promotion: { timeoutMs: 1000 },
};

/** Of so many inputs of a resource, one is tried. */
const share = 8;

let w: Harness;
beforeAll(async () => {
  w = await startHarness();
});
afterAll(() => w.close());

it.each(subjects.map((subject) => [subject.resource.type, subject] as const))(
  "%s refuses at preview the forms that the service refuses, and no others",
  async (_type, subject) => {
    const schemas = schemasOf(subject.resource);
    const findings: string[] = [];
    for (const row of oneOf(share, subject.rows)) {
      const name = `${subject.resource.type}.${row.path}`;
      if (!unsent.test(name))
        findings.push(...(await findingsOf(subject, row, schemas[row.path] ?? {}, name)));
    }
    expect(findings).toEqual([]);
  },
);

async function findingsOf(subject: Subject, row: Row, schema: Schema, name: string): Promise<string[]> {
  const findings: string[] = [];
  const start = () => begin(subject, row, schema);
  let one = await start();
  const accepted: number[] = [];
  for (const at of one.values.keys()) {
    const refusal = await one.preview(at);
    if (refusal === undefined) accepted.push(at);
    if (refusal === undefined || isOfType(refusal) || stricter.some(([inputs]) => inputs.test(name)))
      continue;
    const answer = await one.create(at);
    if (answer === undefined)
      findings.push(
        `${name} ${one.shown(at)}: is refused, although the service takes it: ${messageOf(refusal)}`,
      );
    if (answer === undefined || answer instanceof PartialFailure) one = await start();
  }
  for (const at of accepted) {
    const answer = await one.up(at);
    if (answer === undefined) continue;
    if (isOfForm(answer))
      findings.push(`${name} ${one.shown(at)}: passes the preview, and then: ${messageOf(answer)}`);
    one = await start();
  }
  return findings;
}

/** An account in which the values for a row can be tried. They are named by their place, because some contain ids. */
async function begin({ resource, prepare }: Subject, row: Row, schema: Schema) {
  await freshAccount(w);
  const prepared = await prepare(w);
  const inputsOf = inputsWith({ ...row, given: { ...quick[resource.type], ...row.given } }, prepared);
  const client = w.another();
  const usual = withKnown(row.first, prepared.known ?? {});
  const values = awkwardValues(usual, schema);
  const finish = (value: unknown): Plain =>
    resource.complete(client.settings, {}, resource.normalize(inputsOf(value)));
  const newStack = (): Stack => {
    const stack = w.stack(resource, "it");
    stack.use(client);
    return stack;
  };
  let project: Stack | undefined;
  return {
    values,
    shown: (at: number) => (JSON.stringify(values[at]) ?? "nothing").slice(0, 80),
    preview: (at: number) => outcomeOf(newStack().preview(finish(values[at]))),
    /** Sends a value past the check. */
    create: (at: number) => outcomeOf(resource.create(w.runOf(client), quietStep, finish(values[at]))),
    async up(at: number): Promise<unknown> {
      const inputs = finish(values[at]);
      // One project gets all the values in turn: to make a project for each of them would take long.
      if (resource.type === "Project" && !project) {
        project = newStack();
        await project.up(finish(usual));
      }
      const stack = project ?? newStack();
      const answer = await outcomeOf(stack.up(inputs));
      if (!project && answer === undefined) await stack.destroy();
      // An unknown value of a list that the service may add to is a warning, and the service decides.
      return (await resource.warnings(inputs)).some((text) => /does not know/.test(text))
        ? undefined
        : answer;
    },
  };
}

/** The value is missing, or of another type: the types of the SDK have said so before. */
const isOfType = (refusal: unknown): boolean =>
  /is missing|must be an? |must be one of/.test(messageOf(refusal));

const outcomeOf = (step: Promise<unknown>): Promise<unknown> =>
  step.then(
    () => undefined,
    (error: unknown) => error,
  );

function isOfForm(error: unknown): boolean {
  const reason = error instanceof PartialFailure ? error.cause : error;
  if (!(reason instanceof ApiError)) return !ofState.test(String(reason));
  return /^4(00|1\d|22)$/.test(`${reason.status}`) && !ofState.test(reason.message);
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 200);
