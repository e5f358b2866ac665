import { z } from "zod";
import { ifAllowed } from "../../provider/client/errors";
import { sharedEnvPath } from "../../provider/client/paths";
import * as responses from "../../provider/client/responses";
import { inParallel } from "../../provider/core/parallel";
import { sharedEnvVar } from "../../provider/resources/shared-env-var";
import { sharedVariablesOf } from "../../provider/resources/shared-env-var/records";
import { sharedEnvVarLink } from "../../provider/resources/shared-env-var-link";
import { type AccountKind, atOnce, type Importable, itemOf, placeholder } from "./kind";
import { listOperation, oneOperation } from "./operation";
import { knownValue, objectOf, ofProject, textIn } from "./recorded";
import { boolean, pagination, string, text, texts, times } from "./shapes";
import { readValue, variableItem } from "./variable";

const shape = z.looseObject({
  ...{
    id: string,
    key: string,
    value: text,
    type: string,
    decrypted: boolean,
    target: texts,
    projectId: texts,
  },
  ...{ applyToAllCustomEnvironments: boolean, comment: text, createdBy: text, updatedBy: text, ...times },
});
const list = z.looseObject({ data: z.array(shape), pagination });

export const sharedVariable = {
  name: "shared variable",
  owner: "team",
  resource: sharedEnvVar,
  suffix: "shared",
  weight: 50,
  section: "sharedEnv",
  async rows({ client, get, note, withValues, projects }) {
    const listed = await ifAllowed(
      client.listNow(sharedEnvPath(), list, ({ data }) => data, { limit: "50" }),
    );
    const decryptedValue = async ({ id, type }: z.infer<typeof shape>) =>
      withValues && type !== "sensitive"
        ? readValue(await ifAllowed(get(sharedEnvPath(id), shape)))
        : undefined;
    // The API returns the newest first.
    const read = async (one: z.infer<typeof shape>) => ({ ...one, value: await decryptedValue(one) });
    const found = listed && (await inParallel([...listed].reverse(), read, atOnce));
    return found?.map(({ id, key, value, type, target, projectId = [], ...rest }) => {
      const { applyToAllCustomEnvironments, comment, createdAt, updatedAt, createdBy, updatedBy } = rest;
      if (value === undefined) note(`the value of the shared variable ${key} (${id})`);
      return {
        ...{ id, key, value: value ?? placeholder, target },
        type: type === "sensitive" ? type : "encrypted",
        // A project that was not read has no row to link to.
        projects: projectId.filter((project) => projects.has(project)),
        ...{ applyToAllCustomEnvironments, comment, createdBy, updatedBy, createdAt, updatedAt },
      };
    });
  },
  items: (row) => [itemOf(row, variableItem(row))],
  secret: ["value"],
  async discover({ client, add, allowed }) {
    const all = await allowed("shared variables", sharedVariablesOf(client));
    for (const { id, key, target } of [...all].reverse()) {
      const isOnly = all.filter((other) => other.key === key).length === 1;
      await add(sharedEnvVar, id, ["shared", key, ...(isOnly ? [] : (target ?? []))].join("-"));
    }
  },
  recorded: {
    vercel_shared_environment_variable(resource) {
      const { values } = resource;
      const known = { value: knownValue(values) };
      const shared = objectOf(resource, sharedEnvVar, textIn(values, "id"), { known });
      return [Array.isArray(values.project_ids) ? shared : { ...shared, unmanaged: ["projectIds"] }];
    },
  },
  operations: {
    list: listOperation("/v1/env", "shared variables", responses.sharedVariableList, "data"),
    one: oneOperation("/v1/env/{id}", "shared variable", responses.sharedVariable),
  },
} as const satisfies AccountKind;

/** The link of a shared variable with a project, which is a field of the variable. */
export const sharedVariableLink = {
  resource: sharedEnvVarLink,
  suffix: "link",
  recorded: {
    vercel_shared_environment_variable_project_link: ofProject(
      sharedEnvVarLink,
      "shared_environment_variable_id",
    ),
  },
} as const satisfies Importable;
