import type { Plain } from "../../../provider/core/values";
import { firewallBypass } from "../../../provider/resources/firewall-bypass";
import { ofProject, own, projects } from "../fields/common";
import type { Harness } from "../stack";
import { life, type Operation, type Row, type Subject } from "../subject";

const path = "/v1/security/firewall/bypass";

/** Gives the project two domains. */
async function domains(w: Harness): Promise<Plain> {
  for (const name of ["www.example.com", "docs.example.com"])
    await w.curl("POST", "/v10/projects/web/domains", { name });
  return {};
}

const partsOf = (id: string): { projectId: string; domain: string; sourceIp: string } => {
  const [projectId = "", domain = "", ...rest] = id.split("/");
  return { projectId, domain, sourceIp: rest.join("/") };
};

const replaced: Omit<Row, "path" | "first" | "second" | "shown"> = {
  changed: "replace",
  cleared: /is missing/,
  drift: "no request of the API changes a rule",
};
const rule = { project: "web", domain: "www.example.com", sourceIp: "192.0.2.1" };

export const subject: Subject = {
  resource: firewallBypass,
  handler: "bypass",
  async prepare(w) {
    const known = await projects(w);
    await domains(w);
    return { given: { project: known.web, domain: "*", sourceIp: "192.0.2.1" }, known };
  },
  async look(w, id) {
    const { projectId, domain, sourceIp } = partsOf(id);
    const { result } = (await w.curl("GET", `${path}?projectId=${projectId}`)) as unknown as {
      result: Plain[];
    };
    const found = result.find((one) => one.Domain === domain && one.Ip === sourceIp);
    if (!found) throw new Error(`404: no rule ${id}`);
    return { Note: null, ...found };
  },
  async all({ server }) {
    const { firewallBypasses } = await server.control.snapshot();
    return firewallBypasses.map(({ domain, ip, note }) => ({ domain, ip, note }));
  },
  listed: {
    query: { project: "web" },
    names: ["* 192.0.2.0/24", "example.com 192.0.2.1"],
    async prepare(w) {
      const { id } = await w.curl("GET", "/v9/projects/web");
      const path = `/v1/security/firewall/bypass?projectId=${id}`;
      await w.curl("POST", path, { domain: "example.com", sourceIp: "192.0.2.1", note: "canary" });
      await w.curl("POST", path, { projectScope: true, sourceIp: "192.0.2.0/24" });
    },
  },
  managed: {
    inputs: (n) => ({ project: "prj_web", domain: "*", sourceIp: `192.0.2.${n}` }),
    changed: { note: "changed" },
  },
  rows: [
    ofProject,
    {
      ...replaced,
      path: "domain",
      first: "www.example.com",
      second: "*",
      shown: (Domain) => ({ Domain }),
    },
    {
      ...replaced,
      path: "sourceIp",
      first: "192.0.2.1",
      second: "192.0.2.0/24",
      shown: (Ip) => ({ Ip }),
    },
    {
      path: "note",
      first: "for people",
      second: "for machines",
      changed: "update",
      cleared: "update",
      shown: (Note = null) => ({ Note }),
      async drift(w, id) {
        const { projectId, ...target } = partsOf(id);
        await w.curl("DELETE", `${path}?projectId=${projectId}`, target);
        return w.curl("POST", `${path}?projectId=${projectId}`, { ...target, note: "by hand" });
      },
    },
    own("adopt", true, false),
  ],
  operations: [
    ...life(
      firewallBypass,
      () => ({ ...rule, note: "why" }),
      () => ({ ...rule, note: "why else" }),
      domains,
    ).map(
      (operation): Operation =>
        operation.name.endsWith(": update") ? { ...operation, isRecreated: true } : operation,
    ),
    {
      name: "FirewallBypass: replace",
      resource: firewallBypass,
      prepare: domains,
      before: () => rule,
      step: "up",
      inputs: () => ({ ...rule, domain: "docs.example.com", sourceIp: "192.0.2.0/24" }),
    },
    {
      name: "FirewallBypass: adopt",
      resource: firewallBypass,
      async prepare(w) {
        await domains(w);
        const { id } = await w.curl("GET", "/v9/projects/web");
        const { project: _, ...target } = rule;
        await w.curl("POST", `${path}?projectId=${id}`, { ...target, note: "why" });
        return {};
      },
      step: "up",
      inputs: () => ({ ...rule, note: "why", adopt: true }),
    },
  ],
};
