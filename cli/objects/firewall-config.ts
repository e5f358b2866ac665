import type { z } from "zod";
import { ifAllowed } from "../../provider/client/errors";
import { find, firewallConfig as resource } from "../../provider/resources/firewall-config";
import { configurationList, isEmpty, remoteConfig } from "../../provider/resources/firewall-config/form";
import { fieldsOf, itemOfProject, type ProjectKind, present } from "./kind";
import { listOperation } from "./operation";
import { objectOf, textIn } from "./recorded";
import { number, string, text } from "./shapes";

const shape = remoteConfig.extend({ id: string, version: number, updatedAt: text });

/** A snapshot has the active configuration. Older versions and the draft are not read. */
export const firewallConfig = {
  name: "firewall configuration",
  owner: "project",
  resource,
  suffix: "firewall",
  weight: 36,
  section: "firewallConfigs",
  async rows({ client }, project) {
    const found = await ifAllowed(find(client, project.id).then((config) => (config ? [config] : [])));
    return found?.map((config) => {
      const { id, version, updatedAt, firewallEnabled, crs, managedRules, rules, ips } = shape.parse(config);
      return present({
        ...{ id, version, firewallEnabled, crs, rules, ips },
        managedRules: managedRules && setsOf(managedRules),
        botIdEnabled: config.botIdEnabled,
        logHeaders: config.logHeaders,
        updatedAt: updatedAt === undefined ? undefined : Date.parse(updatedAt),
      });
    });
  },
  items({ version: _, ...row }) {
    const id = `${row.project}/firewall`;
    return [itemOfProject(row, { key: id, id, name: "firewall", fields: fieldsOf(row) })];
  },
  async discover({ client, add, allowed }, project) {
    const found = find(client, project.id).then((config) => (config && !isEmpty(config) ? [config] : []));
    for (const _ of await allowed(`the firewall of ${project.name}`, found))
      await add(resource, project.id, `${project.name}-firewall`);
  },
  recorded: {
    vercel_firewall_config: (one) => [objectOf(one, resource, textIn(one.values, "project_id"))],
  },
  operations: {
    list: listOperation(
      "/v1/security/firewall/config",
      "firewall configurations",
      configurationList,
      "versions",
    ),
  },
} as const satisfies ProjectKind;

/** The sets without the people who changed them. */
const setsOf = (sets: NonNullable<z.infer<typeof remoteConfig>["managedRules"]>) =>
  Object.fromEntries(
    Object.entries(sets).map(([id, { active, action }]) => [
      id,
      present({ active, action: action ?? undefined }),
    ]),
  );
