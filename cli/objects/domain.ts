import { z } from "zod";
import type { Client } from "../../provider/client/client";
import { projectPath } from "../../provider/client/paths";
import * as responses from "../../provider/client/responses";
import { projectDomain } from "../../provider/resources/project-domain";
import { isDefaultDomain } from "../../provider/resources/project-domain/records";
import { itemOfProject, type ProjectKind, pageSize } from "./kind";
import { listOperation, oneOperation } from "./operation";
import { ofProject } from "./recorded";
import { maybe, number, pagination, string, text, times } from "./shapes";

export const domainShape = z.looseObject({
  ...{ name: string, verified: z.boolean() },
  verification: maybe(z.array(z.looseObject({ type: string, value: string }))),
  ...{ gitBranch: text, customEnvironmentId: text, redirect: text, redirectStatusCode: number, ...times },
});
const domains = z.looseObject({ domains: z.array(domainShape), pagination });

/** All domains of a project. */
export const domainsOf = (client: Client, projectId: string): Promise<responses.Domain[]> =>
  client.list(`${projectPath(projectId)}/domains`, responses.domainList, (page) => page.domains, {
    limit: pageSize,
  });

export const domain = {
  name: "domain",
  owner: "project",
  resource: projectDomain,
  suffix: "domain",
  weight: 60,
  section: "domains",
  async rows(reading, project) {
    const query = { limit: pageSize };
    const all = await reading.client.listNow(
      `${projectPath(project.id)}/domains`,
      domains,
      (page) => page.domains,
      query,
    );
    return all.flatMap(
      ({ name, verified, verification, gitBranch, customEnvironmentId, redirect, ...rest }) => {
        reading.domains.add(name);
        if (isDefaultDomain(name, project.name)) {
          if (redirect != null) reading.note(`project ${project.name}: the redirect of ${name}`);
          return [];
        }
        const [, challenge] = /,([0-9a-f]{20})$/.exec(verification?.[0]?.value ?? "") ?? [];
        const { redirectStatusCode, createdAt, updatedAt } = rest;
        const target = { gitBranch, customEnvironmentId, redirect, redirectStatusCode };
        return [{ name, verified, challenge, ...target, createdAt, updatedAt }];
      },
    );
  },
  items(row) {
    const id = `${row.project}/${row.name}`;
    const isProduction = row.gitBranch === undefined && row.customEnvironmentId === undefined;
    return [itemOfProject(row, { key: id, id, isProduction })];
  },
  async discover({ client, add, defaultDomains }, project) {
    for (const { name } of await domainsOf(client, project.id)) {
      if (isDefaultDomain(name, project.name)) defaultDomains.push(name);
      else await add(projectDomain, `${project.id}/${name}`, name);
    }
  },
  recorded: {
    vercel_project_domain: ofProject(projectDomain, "domain"),
  },
  operations: {
    list: listOperation(
      "/v9/projects/{idOrName}/domains",
      "domains",
      responses.domainList,
      "domains",
      "createdAt",
    ),
    one: oneOperation("/v9/projects/{idOrName}/domains/{domain}", "domain", responses.domain, "name"),
  },
} as const satisfies ProjectKind;
