import { execFile } from "node:child_process";
import { asOwned, type Held, heldText, type Recorded, recordedMark } from "../core/claims";
import { isPlain, type Plain } from "../core/values";
import { resourceOfType } from "../hosting";
import { isSecret } from "./wire";

/**
 * What the state of the stack holds, for a resource that adopts. The engine tells a plugin of one resource at a time,
 * so the CLI is asked for the stack as it is recorded. The engine records a step before it asks for it: an answer that
 * lacks the steps under way is of another stack, or of a backend that records later, and nothing is adopted by it.
 */

const exportTimeoutMs = 60_000;
/** No limit for the size of a state. */
const maxBuffer = 2 ** 31 - 1;

/** The URNs of the resources that are being created or changed. */
const underWay = new Set<string>();

/** Runs a step that the engine has recorded as pending. */
export async function recordedStep<T>(urn: string, step: () => Promise<T>): Promise<T> {
  underWay.add(urn);
  try {
    return await step();
  } finally {
    underWay.delete(urn);
  }
}

let asked: Promise<Held> | undefined;

/**
 * Returns the objects of the stack, read once per run.
 * @throws Error with the reason when they cannot be read
 */
export function held(): Promise<Held> {
  asked ??= ask().catch((error) => {
    asked = undefined;
    throw error;
  });
  return asked;
}

async function ask(): Promise<Held> {
  const steps = [...underWay];
  const [, stack, project] = /^urn:pulumi:([^:]+)::([^:]+)::/.exec(steps[0] ?? "") ?? [];
  if (stack === undefined) throw new Error("no stack is being updated");
  const { resources } = await stateOfRun(stack, steps).catch((error) =>
    // An inline program of the Automation API runs in its caller's folder, which is of another project or of none.
    // Backends without organizations, such as a folder, find the stack from anywhere by this name.
    stateOfRun(`organization/${project}/${stack}`, steps).catch(() => Promise.reject(error)),
  );
  // The objects of these were deleted, or let go by the option `retainOnDelete`.
  const isLeft = ({ pendingReplacement }: Plain): boolean => pendingReplacement === true;
  return {
    text: heldText(resources.filter((one) => !isLeft(one)).flatMap(recordedOf)),
    left: resources
      .filter(isLeft)
      .flatMap(recordedOf)
      .flatMap(({ outputs }) => recordedMark(outputs) ?? []),
  };
}

/** @throws Error when it is not the state in which these steps are under way */
async function stateOfRun(stack: string, steps: readonly string[]): Promise<State> {
  const state = stateIn(await exported(stack));
  if (steps.some((urn) => state.pending.has(urn))) return state;
  throw new Error(`what \`pulumi stack export --stack ${stack}\` prints is not the state of this run`);
}

/** Runs `pulumi stack export`, in which secrets stay encrypted. */
function exported(stack: string): Promise<string> {
  const args = ["stack", "export", "--stack", stack, "--non-interactive", "--color", "never"];
  const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  return new Promise((resolve, reject) => {
    const options = { env, maxBuffer, timeout: exportTimeoutMs };
    execFile("pulumi", args, options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const said = stderr.trim().split("\n").at(-1) || error.message;
      reject(new Error(`\`pulumi stack export --stack ${stack}\` failed: ${said}`));
    });
  });
}

interface State {
  resources: Plain[];
  /** The URNs of pending operations. */
  pending: ReadonlySet<unknown>;
}

function stateIn(text: string): State {
  const { deployment } = JSON.parse(text) as { deployment?: { [key: string]: unknown } };
  const listed = (key: string): Plain[] => {
    const list = deployment?.[key];
    return Array.isArray(list) ? list.filter(isPlain) : [];
  };
  const pending = listed("pending_operations").map(({ resource }) =>
    isPlain(resource) ? resource.urn : undefined,
  );
  return { resources: listed("resources"), pending: new Set(pending) };
}

/**
 * The recorded object of a resource of Slipway, from either host. What was imported is told from what is only read,
 * since the engine calls that external. @throws Error when it is encrypted
 */
function recordedOf({ urn, type, id, outputs, external }: Plain): Recorded[] {
  const kind = `${type}`.split(":").at(-1) ?? "";
  if (!/^(slipway:index|pulumi-nodejs:dynamic\/slipway):/.test(`${type}`) || !resourceOfType.has(kind))
    return [];
  const name = `${urn}`.split("::").slice(3).join("::");
  if (!isPlain(outputs) || external === true) return [];
  if (["at", "accountId", "projectId", "name", "records"].some((key) => isSecret(outputs[key]))) {
    throw new Error(`the state keeps what ${kind} "${name}" has as a secret`);
  }
  return [{ type: kind, name, outputs: asOwned(outputs, `${id}`) }];
}
