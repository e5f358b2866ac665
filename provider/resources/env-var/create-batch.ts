import type { Member } from "../../client/batches";
import type { Answer, Client, Request } from "../../client/client";
import {
  ApiError,
  concealed,
  type ItemFailure,
  isAmbiguous,
  isTransferring,
  MalformedAnswer,
} from "../../client/errors";
import { projectPath } from "../../client/paths";
import * as responses from "../../client/responses";
import type { Retries } from "../../client/retries";
import { pause } from "../../client/step-limits";
import type { RunContext } from "../../core/run-context";
import {
  bodyOfNew,
  createdOne,
  environmentsForCreate,
  keysOf,
  matchingVariables,
  type NewSettings,
  variablesWithoutValues,
} from "./records";

/** Variables of one project that are created at the same time share a request. Each create has its own outcome. */

/** A variable to create. */
export interface NewVariable {
  declared: NewSettings;
  /** The ids of variables that had these unique keys just before the create, and belong to others. */
  before: readonly string[];
  /** True when another resource of the run has the object with this id. */
  isOthers(id: string): boolean;
}

type NewMember = Member<NewVariable, responses.Variable>;

/** The largest batch size. @choice The specification has no limit. Pulumi's `--parallel` keeps batches smaller. */
const largest = 100;

/**
 * Creates a variable exactly once, together with other variables of its project.
 * @throws ApiError when this variable is refused
 */
export function createVariable(
  run: RunContext,
  projectId: string,
  variable: NewVariable,
): Promise<responses.Variable> {
  const batches = run.batches<NewVariable, responses.Variable>(`variables of ${projectId}`, {
    keysOf: ({ declared }) => keysOf(projectId, declared),
    perform: (members) => new VariableBatch(run.client, projectId).create(members),
    largest,
  });
  return batches.add(variable);
}

/** Creates a batch of variables of a project. */
class VariableBatch {
  readonly #path: string;

  constructor(
    private readonly client: Client,
    private readonly projectId: string,
  ) {
    this.#path = `${projectPath(projectId, "v10")}/env`;
  }

  async create(members: readonly NewMember[]): Promise<void> {
    const retries = this.client.retries();
    for (;;) {
      const sent = members.filter(({ step }) => step.begin());
      if (sent.length < 2) return this.#createEach(sent, false);
      const answer = await this.client
        .sendOnce(this.#requestFor(sent), retries)
        .catch((error: unknown) => ({ error }));
      if (!("error" in answer)) return this.#finish(sent, answer, retries);
      const { error } = answer;
      if (isAmbiguous(error)) return this.#recover(sent, error, retries);
      if (!(await this.#isToRepeat(sent, () => retries.pauseAfter(error, false))))
        return this.#refuse(sent, error);
    }
  }

  /** Creates each variable with a separate request, within its time limit. @param isRepeated as for `Client.create` */
  async #createEach(members: readonly NewMember[], isRepeated: boolean): Promise<void> {
    const creates = members.map(({ item, step }) => {
      const { declared } = item;
      const request: Request<responses.Variable> = {
        ...{ method: "POST", path: this.#path, body: bodyOfNew(declared), shape: createdOne },
        secrets: secretsOf([item]),
      };
      const look = async () => this.#ours(item, await variablesWithoutValues(this.client, this.projectId));
      return step.settleAlone(() => this.client.create({ request, look, existed: false, isRepeated }));
    });
    await Promise.all(creates);
  }

  #requestFor(members: readonly NewMember[]): Request<responses.VariablesCreated> {
    return {
      method: "POST",
      path: this.#path,
      body: members.map(({ item }) => bodyOfNew(item.declared)),
      shape: responses.variableCreated,
      repeatable: false,
      secrets: secretsOf(members.map(({ item }) => item)),
    };
  }

  /** Resolves or rejects each member with its part of the response. */
  async #finish(
    sent: readonly NewMember[],
    { data: { created, failed }, requestId }: Answer<responses.VariablesCreated>,
    retries: Retries,
  ): Promise<void> {
    const left = sent.filter(({ item: { declared }, step }) => {
      const [record] = matchingVariables([...created], {
        ...declared,
        ...environmentsForCreate(declared).environments,
      });
      if (record) step.resolve(record);
      return !record;
    });
    const secrets = [this.client.settings.token, ...secretsOf(sent.map(({ item }) => item))];
    const safe = failed.map(({ code, message, ...names }) => ({
      ...names,
      ...{ code: concealed(code, secrets), message: concealed(message, secrets) },
    }));
    const untold = this.#rejectEach(left, safe, requestId);
    if (untold.length === 0) return;
    // Each unresolved variable may have a failure, but these failures do not name a variable. Separate requests do.
    if (failed.length - (left.length - untold.length) >= untold.length)
      return this.#createEach(untold, false);
    const asked = { method: "POST", path: this.#path };
    await this.#recover(untold, new MalformedAnswer(asked, "created: lacks a variable"), retries);
  }

  /** After a lost response, looks up the created variables, and creates the rest. */
  async #recover(sent: readonly NewMember[], error: unknown, retries: Retries): Promise<void> {
    let existing: responses.Variable[];
    try {
      existing = await variablesWithoutValues(this.client, this.projectId);
    } catch (failure) {
      for (const { step } of sent) step.reject(failure);
      return;
    }
    const rest = sent.filter(({ item, step }) => {
      const found = this.#ours(item, existing);
      if (found) step.resolve(found);
      return !found;
    });
    if (await this.#isToRepeat(rest, () => retries.pauseAfter(error, true)))
      await this.#createEach(
        rest.filter(({ step }) => step.begin()),
        true,
      );
    else for (const { step } of rest) step.reject(error);
  }

  /** The variable that a request with a lost response has created; undefined if there is none, or more than one. */
  #ours(
    { declared, before, isOthers }: NewVariable,
    existing: responses.Variable[],
  ): responses.Variable | undefined {
    const [found, ...more] = matchingVariables(existing, declared);
    if (!found || more.length > 0 || before.includes(found.id)) return undefined;
    // Ignores a variable that another resource has created meanwhile.
    return isOthers(`${this.projectId}/${found.id}`) ? undefined : found;
  }

  /** Waits before the next attempt; false when none is left. @param pauseAfter throws when no attempt is left */
  async #isToRepeat(members: readonly NewMember[], pauseAfter: () => number): Promise<boolean> {
    let ms: number;
    try {
      ms = pauseAfter();
    } catch {
      return false;
    }
    for (const { step } of members) step.wait();
    // The wait ends early when the steps of all members have ended. The next attempt leaves these members out.
    await pause(ms).catch(() => {});
    return true;
  }

  /**
   * Rejects the members that a refusal names, and sends the others alone. A refusal that is not about variables rejects
   * all members.
   */
  async #refuse(sent: readonly NewMember[], error: unknown): Promise<void> {
    if (error instanceof ApiError && isAboutItems(error))
      return this.#createEach(this.#rejectEach(sent, error.failed, error.requestId), false);
    for (const { step } of sent) step.reject(error);
  }

  /** Rejects each member that a failure is about. @returns the others */
  #rejectEach(
    members: readonly NewMember[],
    failed: readonly ItemFailure[],
    requestId: string | undefined,
  ): NewMember[] {
    return members.filter((member) => {
      const [failure, ...more] = failed.filter((one) => isAbout(one, member));
      const others = members.filter((other) => other !== member && failure && isAbout(failure, other));
      if (!failure || more.length > 0 || others.length > 0) return true;
      const { code, message: said } = failure;
      const asked = { method: "POST", path: this.#path };
      member.step.reject(new ApiError({ asked, status: statusOf(failure), code, said, requestId }));
      return false;
    });
  }
}

const secretsOf = (variables: readonly NewVariable[]): string[] =>
  variables.flatMap(({ declared: { value } }) => value ?? []);

/** True if a refusal may be about some variables of a batch. Others are about the account, the token or the project. */
const isAboutItems = (error: ApiError): boolean =>
  ![401, 402, 404, 428, 429].includes(error.status) && !isTransferring(error);

/** True if a failure may be about a variable. A failure may name only the targets of the conflict. */
function isAbout({ key, target, gitBranch }: ItemFailure, { item: { declared } }: NewMember): boolean {
  const { target: sent = [] } = environmentsForCreate(declared).environments;
  return (
    key === declared.key &&
    (!target?.length || target.some((name) => sent.some((one) => one === name))) &&
    (gitBranch === undefined || gitBranch === declared.gitBranch)
  );
}

/** The status that a single request would have. @source Environment variables, POST /v10/projects/{idOrName}/env */
const statusOf = ({ code }: ItemFailure): number =>
  /conflict|exist|forbidden|permission/i.test(code) ? 403 : 400;
