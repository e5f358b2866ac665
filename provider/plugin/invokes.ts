import { type InvokeRequest, InvokeResponse } from "@pulumi/pulumi/proto/provider_pb";
import { Client } from "../client/client";
import type { Settings } from "../client/config";
import type { Plain } from "../core/values";
import * as lookups from "../lookups";
import { tokenStart } from "./resources";
import { plain, received, secret, sent } from "./wire";

/** The lookups as functions of the package. Lists are wrapped in an object, since functions return objects. */
const functions: Record<string, (client: Client, args: Plain, say: Say) => Promise<object>> = {
  getProject: (client, { project }) => lookups.findProject(client, String(project)),
  getProjects: async (client, { search }) => ({
    projects: await lookups.findProjects(client, search === undefined ? undefined : String(search)),
  }),
  getProjectDomains: async (client, { project }) => ({
    domains: await lookups.findDomains(client, String(project)),
  }),
  getEnvVars: async (client, { project }) => ({
    variables: (await lookups.findVariables(client, String(project))).map(({ value, ...rest }) => ({
      ...rest,
      value: secret(value),
    })),
  }),
  getPromoteAliases: async (client, { project }) => ({
    aliases: await lookups.findPromoteAliases(client, String(project)),
  }),
  getCustomEnvironment: (client, { project, environment }) =>
    lookups.findCustomEnvironment(client, { project: String(project), environment: String(environment) }),
  getDeployment: (client, args, say) =>
    lookups.findDeployment(
      client,
      { ...args, project: String(args.project) } as lookups.DeploymentQuery,
      say,
    ),
};

const clients = new Map<string, Client>();

/** Tells the user what a look-up waits for. */
type Say = (message: string) => void;

export async function invoke(
  request: InvokeRequest,
  settings: () => Settings,
  say: Say,
): Promise<InvokeResponse> {
  const token = request.getTok();
  const look = token.startsWith(tokenStart) ? functions[token.slice(tokenStart.length)] : undefined;
  if (!look) throw new Error(`slipway has no function ${token}.`);
  const result = await look(lookupClient(settings()), plain(received(request.getArgs())), say);
  return new InvokeResponse().setReturn(sent({ ...result }));
}

/** A client without a cache, since another provider of the program may write meanwhile. */
function lookupClient(settings: Settings): Client {
  const key = JSON.stringify(settings);
  const client = clients.get(key) ?? new Client(settings, { freshMs: 0 });
  clients.set(key, client);
  return client;
}
