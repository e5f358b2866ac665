import type { z } from "zod";
import { ApiError, concealed, isConflict } from "../../client/errors";
import { projectPath } from "../../client/paths";
import * as responses from "../../client/responses";
import type { Operation } from "../../core/definition";
import type { valueSource } from "../../core/value-source";
import type { envTargets, envTypes } from "../../vocabulary";
import { bodyOfNew, matchingVariables, variablesWithoutValues } from "../env-var/records";

/** A declared variable with the defaults applied. Undeclared settings are not managed. */
export interface Wanted {
  value?: string | undefined;
  valueFrom?: z.output<typeof valueSource> | undefined;
  type?: (typeof envTypes)[number] | undefined;
  target: (typeof envTargets)[number][];
  gitBranch?: string | undefined;
  comment?: string | undefined;
  customEnvironmentIds?: string[] | undefined;
}

/** The created variables, and the reason why others were not created. @source wire-shapes 4 */
const result = responses.variableCreated.transform(({ created, failed }) => ({ created, reason: failed[0] }));

/**
 * Creates variables with one request, which may create only some of them.
 * @param made called with each created variable
 * @returns the reason why other variables were not created, with their keys; undefined if all were created
 * @throws when the outcome is unknown for all variables
 */
export async function createAll(
  operation: Pick<Operation<never, never>, "client" | "isOthers">,
  projectId: string,
  wanted: Readonly<Record<string, Wanted>>,
  made: (key: string, remote: responses.Variable) => void,
): Promise<ApiError | undefined> {
  const { client } = operation;
  const path = `${projectPath(projectId, "v10")}/env`;
  const all = Object.entries(wanted);
  const secrets = all.flatMap(([, { value }]) => value ?? []);
  const find = async (stale: boolean): Promise<(readonly [string, responses.Variable])[]> => {
    const existing = await variablesWithoutValues(client, projectId, stale);
    return all.flatMap(([key, one]) =>
      matchingVariables(existing, { ...one, key }).map((found) => [key, found] as const),
    );
  };
  const before = new Set((await find(true)).map(([, { id }]) => id));
  const isOurs = ([, { id }]: readonly [string, responses.Variable]): boolean =>
    !before.has(id) && !operation.isOthers(`${projectId}/${id}`);
  /** Variables that did not exist before and that no other resource has created are ours. */
  const look = async () => {
    const created = (await find(false)).filter(isOurs).map(([, found]) => found);
    return created.length > 0 ? { created, reason: undefined } : undefined;
  };
  const body = all.map(([key, one]) => bodyOfNew({ ...one, key }));
  const request = { method: "POST", path, body, shape: result, secrets } as const;
  let answer: z.output<typeof result>;
  try {
    answer = await client.create({ request, look, existed: false });
  } catch (error) {
    if (isConflict(error)) return error;
    throw error;
  }
  for (const remote of answer.created) if (Object.hasOwn(wanted, remote.key)) made(remote.key, remote);
  const missing = all.map(([key]) => key).filter((key) => !answer.created.some((one) => one.key === key));
  if (missing.length === 0) return undefined;
  const { code = "ENV_CONFLICT", message } = answer.reason ?? {};
  const said = concealed(message ?? "they exist already", secrets);
  const asked = { method: "POST", path };
  return new ApiError({ asked, status: 403, code: concealed(code, secrets), said });
}
