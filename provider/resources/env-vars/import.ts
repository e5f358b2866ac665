import type { Client } from "../../client/client";
import type * as responses from "../../client/responses";
import type { ReadResult } from "../../core/definition";
import { same } from "../../core/values";
import { defaults } from "../env-var/inputs";
import { isOfIntegration, reasonOfIntegration } from "../env-var/other-tools";
import { find, variablesOf } from "../env-var/records";
import { type Inputs, type Outputs, type Records, type Variables, wantedOf } from "./inputs";
import { recordOf } from "./ledger";

/**
 * Finds variables by `project/KEY,OTHER_KEY`, or all variables of a project by `project`, without those
 * of integrations.
 * @throws Error for a missing key, and for a key of several variables, which need an EnvVar each
 */
export async function findTogether(client: Client, id: string): Promise<ReadResult<Inputs, Outputs>> {
  const [project = "", named] = id.split("/");
  const { id: projectId, accountId } = await client.identify(project);
  const listed = await variablesOf(client, projectId);
  const isNamed = (key: string): boolean => named?.split(",").includes(key) ?? false;
  const others = listed.filter(isOfIntegration);
  const [refused] = others.filter(({ key }) => isNamed(key));
  if (refused) throw new Error(reasonOfIntegration(refused));
  const all = listed.filter((variable) => !isOfIntegration(variable));
  const keys = named === undefined ? [...new Set(all.map(({ key }) => key))] : named.split(",");
  const found = await Promise.all(
    keys.map(async (key): Promise<[string, responses.Variable]> => {
      const [one, ...more] = all.filter((variable) => variable.key === key);
      if (!one) throw new Error(`The project ${project} has no variable ${key}.`);
      if (more.length > 0) {
        throw new Error(
          `The project ${project} has ${more.length + 1} variables ${key}, but EnvVars can manage only one variable for each key. ` +
            `Import each of these variables as an EnvVar, and the others with the id ${project}/KEY,OTHER_KEY.`,
        );
      }
      return [key, (await find(client, `${projectId}/${one.id}`)).remote];
    }),
  );
  const variables: Variables = Object.fromEntries(found.map(([key, one]) => [key, declarationOf(key, one)]));
  const records: Records = Object.fromEntries(found.map(([key, one]) => [key, recordOf(one)]));
  return {
    id: projectId,
    accountId,
    inputs: { project: projectId, variables },
    outputs: { projectId, records },
  };
}

const readableValue = ({ type, value }: responses.Variable): string | undefined =>
  type === "sensitive" || type === "system" ? undefined : (value ?? undefined);

/** Declares a variable without defaults and without a value that cannot be read. */
function declarationOf(key: string, remote: responses.Variable): Variables[string] {
  const { type, target: targets, customEnvironmentIds: environments, gitBranch, comment } = remote;
  const value = readableValue(remote);
  const target = (targets ?? []) as Inputs["target"];
  const settings = {
    ...(value !== undefined && { value }),
    ...(type !== defaults.type && { type: type as NonNullable<Inputs["type"]> }),
    ...(environments?.length && { customEnvironmentIds: environments }),
    ...(gitBranch != null && { gitBranch }),
    ...(comment && { comment }),
  };
  const usual = wantedOf({ variables: { [key]: settings } })[key]?.target;
  const whole = same(usual, target) ? settings : { ...settings, target };
  return value !== undefined && Object.keys(whole).length === 1 ? value : whole;
}
