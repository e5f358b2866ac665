import { ifAllowed } from "../../provider/client/errors";
import {
  installationList,
  installationsOf,
  remoteInstallation,
  integrationProjectAccess as resource,
} from "../../provider/resources/integration-project-access";
import { type AccountKind, itemOf, placeholder, placeholderUrl } from "./kind";
import { listOperation, oneOperation } from "./operation";
import { ofProject } from "./recorded";

/** The projects that installations of integrations may access: the row of an installation has them. */
export const integrationAccess = {
  name: "installation project",
  owner: "account",
  resource,
  suffix: "access",
  weight: 44,
  section: "installations",
  async rows({ client, note, put, projects: read }) {
    const all = await ifAllowed(installationsOf(client));
    if (!all) return undefined;
    const owner = (await client.userId()) ?? "";
    for (const { integrationId, slug } of new Map(all.map((one) => [one.integrationId, one])).values()) {
      note(`the secret, the URLs and the scopes of the integration ${slug}`);
      put("integrations", {
        ...{ clientId: integrationId, clientSecret: placeholder, slug, owner, scopes: [] },
        redirectUrl: placeholderUrl("https://integration.invalid"),
      });
    }
    // The API returns the newest first.
    return [...all].reverse().map(({ id, integrationId: integration, projects }) => ({
      ...{ id, integration, scopes: [] },
      // A project that was not read has no row.
      ...(projects && { projects: projects.filter((project) => read.has(project)) }),
    }));
  },
  items: ({ id, projects }) =>
    (Array.isArray(projects) ? projects : []).map((project) =>
      // A report names the project beside it.
      itemOf({ id: `${project}/${id}`, name: id }, { projectId: String(project), fields: {} }),
    ),
  async discover({ client, add, allowed }) {
    const all = [...(await allowed("installations of integrations", installationsOf(client)))].reverse();
    for (const { id, slug, projects } of all)
      for (const project of projects ?? [])
        await add(resource, `${project}/${id}`, `${slug}-${(await client.project(project)).name}`);
  },
  recorded: { vercel_integration_project_access: ofProject(resource, "integration_id") },
  operations: {
    list: {
      ...listOperation("/v1/integrations/configurations", "installations", installationList, ""),
      query: { view: "account" },
    },
    one: oneOperation("/v1/integrations/configuration/{id}", "installation", remoteInstallation),
  },
} as const satisfies AccountKind;
