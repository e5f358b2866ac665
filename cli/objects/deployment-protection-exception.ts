import { ifAllowed } from "../../provider/client/errors";
import {
  exceptionsOf,
  deploymentProtectionException as resource,
} from "../../provider/resources/deployment-protection-exception";
import { alias } from "./alias";
import { itemOfProject, type ProjectKind } from "./kind";
import { objectOf, within } from "./recorded";

/** A public alias or URL of a protected project. A snapshot has no links and no access of single users. */
export const deploymentProtectionException = {
  name: "deployment protection exception",
  owner: "project",
  resource,
  suffix: "exception",
  weight: 36,
  section: "protectionExceptions",
  async rows({ client }, project) {
    const names = await ifAllowed(exceptionsOf(client, project.id));
    return names?.map(({ alias: name, protectionBypass }) => ({
      alias: name,
      createdBy: protectionBypass?.["*"]?.createdBy ?? undefined,
      createdAt: protectionBypass?.["*"]?.createdAt ?? undefined,
    }));
  },
  items(row) {
    const id = `${row.project}/${row.alias}`;
    return [itemOfProject(row, { key: id, id, name: String(row.alias) })];
  },
  async discover({ client, add, allowed }, project) {
    const what = `the deployment protection exceptions of ${project.name}`;
    for (const { alias: name } of await allowed(what, exceptionsOf(client, project.id)))
      await add(resource, `${project.id}/${name}`, `${project.name}-exception-${name}`);
  },
  recorded: {
    vercel_deployment_protection_exception: (one) => [
      objectOf(one, resource, within(one, `${one.values.alias}`)),
    ],
  },
  operations: { list: alias.operations.list },
} as const satisfies ProjectKind;
