import { ifAllowed } from "../../provider/client/errors";
import {
  bypassesOf,
  listedOf,
  firewallBypass as resource,
  ruleList,
} from "../../provider/resources/firewall-bypass";
import { itemOfProject, type ProjectKind } from "./kind";
import { listOperation } from "./operation";
import { objectOf, within } from "./recorded";

const timeOf = (text: string | null | undefined): number | undefined =>
  text == null ? undefined : Date.parse(text);

export const firewallBypass = {
  name: "firewall bypass",
  owner: "project",
  resource,
  suffix: "bypass",
  weight: 35,
  section: "firewallBypasses",
  async rows({ client }, project) {
    const rules = await ifAllowed(bypassesOf(client, project.id));
    return rules?.map((rule) => ({
      domain: rule.IsProjectRule ? "*" : rule.Domain,
      sourceIp: rule.Ip,
      note: rule.Note || undefined,
      actor: rule.ActorId,
      createdAt: timeOf(rule.CreatedAt),
      updatedAt: timeOf(rule.UpdatedAt),
      expiresAt: rule.ExpiresAt ?? undefined,
    }));
  },
  items(row) {
    const { project, domain, sourceIp } = row;
    const id = `${project}/${domain}/${sourceIp}`;
    return [itemOfProject(row, { key: id, id, name: `${domain} ${sourceIp}` })];
  },
  async discover({ client, add, allowed }, project) {
    const what = `the firewall bypasses of ${project.name}`;
    for (const rule of await allowed(what, bypassesOf(client, project.id))) {
      const address = (rule.Ip ?? "").replace(/[^a-z0-9.]+/g, "-");
      await add(resource, listedOf(project.id, rule).id, `${project.name}-bypass-${address}`);
    }
  },
  recorded: {
    vercel_firewall_bypass: (one) => [
      objectOf(one, resource, within(one, `${one.values.domain}/${one.values.source_ip}`)),
    ],
  },
  operations: {
    list: listOperation("/v1/security/firewall/bypass", "firewall bypasses", ruleList, "result"),
  },
} as const satisfies ProjectKind;
