import { z } from "zod";
import { ifAllowed } from "../../provider/client/errors";
import { projectPath, variablePath } from "../../provider/client/paths";
import * as responses from "../../provider/client/responses";
import { inParallel } from "../../provider/core/parallel";
import type { Plain } from "../../provider/core/values";
import { envVar } from "../../provider/resources/env-var";
import { isOfIntegration } from "../../provider/resources/env-var/other-tools";
import { variablesOf } from "../../provider/resources/env-var/records";
import {
  type Item,
  itemOfProject,
  type ProjectAnswer,
  type ProjectKind,
  placeholder,
  type Reading,
} from "./kind";
import { listOperation, oneOperation } from "./operation";
import { knownValue, listIn, type ManagedObject, objectOf, type RecordedResource, textIn } from "./recorded";
import { boolean, maybe, pagination, string, text, texts, times } from "./shapes";

export const variableShape = z.looseObject({
  ...{ id: string, key: string, value: text, type: string, decrypted: boolean },
  target: maybe(z.union([string.transform((name) => [name]), z.array(string)])),
  ...{ gitBranch: text, comment: text, customEnvironmentIds: texts, configurationId: text },
  ...{ createdBy: text, updatedBy: text, lastEditedByDisplayName: text, ...times },
});
type Variable = z.infer<typeof variableShape>;
const variables = z.union([
  z.looseObject({ envs: z.array(variableShape), pagination }),
  variableShape.transform((only) => ({ envs: [only], pagination: undefined })),
]);

export interface ProjectWithVariables extends ProjectAnswer {
  env?: Variable[] | undefined;
}

export const variable = {
  name: "variable",
  owner: "project",
  resource: envVar,
  suffix: "variable",
  weight: 50,
  section: "env",
  async rows(reading, project: ProjectWithVariables) {
    return (await readVariables(reading, project)).map(({ variable, value }) => {
      const { id, key, type, target, customEnvironmentIds, gitBranch, comment } = variable;
      const { configurationId, createdBy, updatedBy, createdAt, updatedAt } = variable;
      const { lastEditedByDisplayName: username } = variable;
      const editor = updatedBy ?? createdBy;
      if (editor !== undefined && username !== undefined) reading.addPerson({ id: editor, username });
      if (value === undefined && type !== "system")
        reading.note(`project ${project.name}: the value of ${key} (${id})`);
      return {
        ...{ id, key, type, ...(type !== "system" && { value: value ?? placeholder }), target },
        ...{ customEnvironmentIds, gitBranch, comment, configurationId },
        ...{ createdBy, updatedBy, createdAt, updatedAt },
      };
    });
  },
  items: (row) => [itemOfProject(row, variableItem(row))],
  secret: ["value"],
  async discover({ client, add, note }, project) {
    const all = await variablesOf(client, project.id);
    for (const one of [...all].sort((a, b) => (a.key < b.key ? -1 : 1))) {
      if (isOfIntegration(one)) {
        note(
          `The variable ${one.key} of ${project.name} was left out, because an integration sets its value.`,
        );
        continue;
      }
      const isOnly = all.filter(({ key }) => key === one.key).length === 1;
      const places = isOnly ? [] : [...(one.target ?? []), one.gitBranch ?? []];
      const name = [project.name, one.key, ...places].flat().join("-").replaceAll("/", "-");
      await add(envVar, `${project.id}/${one.id}`, name);
    }
  },
  recorded: {
    vercel_project_environment_variable: (resource) => [recordedVariable(resource, resource.values)],
    vercel_project_environment_variables: (resource) =>
      recordedVariables(resource, "variables", textIn(resource.values, "project_id")),
  },
  operations: {
    list: listOperation("/v9/projects/{idOrName}/env", "variables", responses.variableList, "envs"),
    one: oneOperation("/v1/projects/{idOrName}/env/{id}", "variable", responses.variable),
  },
} as const satisfies ProjectKind;

async function readVariables(
  reading: Reading,
  project: ProjectWithVariables,
): Promise<{ variable: Variable; value: string | undefined }[]> {
  const { withValues } = reading;
  if (!withValues && project.env) return project.env.map((variable) => ({ variable, value: undefined }));
  if (project.env?.length === 0) return [];
  const query = withValues ? { decrypt: "true" } : {};
  const listed = await reading.client.listNow(
    `${projectPath(project.id)}/env`,
    variables,
    ({ envs }) => envs,
    query,
  );
  const read = async (variable: Variable) => ({
    variable,
    value: withValues ? await decryptedValue(reading, project.id, variable) : undefined,
  });
  return inParallel(listed, read, 2);
}

/** @returns undefined if the value cannot be read */
async function decryptedValue(
  reading: Reading,
  projectId: string,
  listed: Variable,
): Promise<string | undefined> {
  if (listed.type === "sensitive") return undefined;
  const isEncrypted = /^(encrypted|secret)$/.test(listed.type);
  const { value, decrypted = !isEncrypted } = listed;
  if (decrypted) return value === placeholder ? undefined : value;
  return readValue(await ifAllowed(reading.get(variablePath(projectId, listed.id, "v1"), variableShape)));
}

/** The value in the answer about one variable; undefined if it cannot be read. */
export const readValue = (
  single: { value?: string | undefined; decrypted?: boolean | undefined } | null | undefined,
): string | undefined =>
  single?.decrypted === false || single?.value === placeholder ? undefined : single?.value;

/** The name of a variable with its targets, and whether production has the variable. */
export function variableItem({ key, target, gitBranch }: Plain): Pick<Item, "name" | "isProduction"> {
  const targets = Array.isArray(target) ? target : [];
  const places = [...targets, ...(gitBranch ? [String(gitBranch)] : [])];
  return {
    name: places.length === 0 ? String(key) : `${key} (${places.join(", ")})`,
    isProduction: targets.includes("production"),
  };
}

/** The object of a variable. States of old providers have no id: then key, environment and branch identify it. */
function recordedVariable(
  resource: RecordedResource,
  variable: Plain,
  { project = textIn(resource.values, "project_id") ?? "", names = [] as string[] } = {},
): ManagedObject {
  const key = textIn(variable, "key") ?? "";
  const branch = textIn(variable, "git_branch");
  const natural = [key, ...environmentsIn(variable).slice(0, 1), ...(branch ? [branch] : [])].join("/");
  const id = `${project}/${textIn(variable, "id") ?? natural}`;
  return objectOf(resource, envVar, id, { known: { value: knownValue(variable) }, names });
}

const environmentsIn = ({ target, custom_environment_ids: custom }: Plain): string[] =>
  [target, custom].flatMap((names) => (Array.isArray(names) ? names.map(String) : []));

/** The variables of a list. If a key occurs several times, the resource names contain the environments. */
export function recordedVariables(resource: RecordedResource, member: string, project = ""): ManagedObject[] {
  const all = listIn(resource.values, member);
  return all.map((one) => {
    const key = textIn(one, "key") ?? "";
    const isOnly = all.filter((other) => other.key === one.key).length === 1;
    const branch = textIn(one, "git_branch");
    const environments = [...environmentsIn(one), ...(branch ? [branch] : [])];
    return recordedVariable(resource, one, { project, names: [key, ...(isOnly ? [] : environments)] });
  });
}
