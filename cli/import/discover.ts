import type { Client } from "../../provider/client/client";
import { ifAllowed } from "../../provider/client/errors";
import { environmentPath } from "../../provider/client/paths";
import * as responses from "../../provider/client/responses";
import type { Resource } from "../../provider/core/resource";
import { RunContext } from "../../provider/core/run-context";
import { attackChallengeMode, modeOf } from "../../provider/resources/attack-challenge-mode";
import { customEnvironment } from "../../provider/resources/custom-environment";
import { dnsRecord } from "../../provider/resources/dns-record";
import { edgeConfig } from "../../provider/resources/edge-config";
import { configsOf } from "../../provider/resources/edge-config/records";
import { edgeConfigItem, itemsOf } from "../../provider/resources/edge-config-item";
import { edgeConfigToken, tokensOf } from "../../provider/resources/edge-config-token";
import { envVar } from "../../provider/resources/env-var";
import { isOfIntegration } from "../../provider/resources/env-var/other-tools";
import { variablesOf } from "../../provider/resources/env-var/records";
import { bypassesOf, firewallBypass, listedOf } from "../../provider/resources/firewall-bypass";
import { logDrain } from "../../provider/resources/log-drain";
import { isLogDrain } from "../../provider/resources/log-drain/settings";
import { project } from "../../provider/resources/project";
import { projectDomain } from "../../provider/resources/project-domain";
import { isDefaultDomain } from "../../provider/resources/project-domain/records";
import { projectMember, membersOf as projectMembersOf } from "../../provider/resources/project-member";
import { promotion } from "../../provider/resources/promotion";
import { sharedEnvVar } from "../../provider/resources/shared-env-var";
import { sharedVariablesOf } from "../../provider/resources/shared-env-var/records";
import { teamMember } from "../../provider/resources/team-member";
import { teamOf as configuredTeam, membersOf } from "../../provider/resources/team-member/records";
import { webhook } from "../../provider/resources/webhook";
import { teamOf } from "../core/account";
import { UsageError } from "../core/errors";
import { type Discovered, declare, omittedSettings, uniqueName } from "./declare";
import { domainsOf, drainsOfAccount, listProjects, recordsOfAccount, webhooksOfAccount } from "./lists";
import { logicalName } from "./move";

export interface Discovery {
  found: Discovered[];
  /** Objects and inputs that cannot be declared, with the reasons. */
  notes: string[];
}

export interface DiscoveryOptions {
  /**
   * Projects (`web`), environments (`web/staging`), domains (`web/www.example.com`), variables (`web/KEY/target`),
   * DNS records (`example.com/rec_1`) and members of the team (`ada@example.com`).
   * Default: everything.
   */
  selection?: readonly string[];
  /** Also declares the deployment that serves production. */
  promotions?: boolean | undefined;
  /** Also declares the members of the team, and of its projects. */
  members?: boolean | undefined;
  progress?: (message: string) => void;
}

/**
 * Reads the objects of the account.
 * @choice Settings that equal the defaults of a new project are left out of the program.
 * @throws UsageError if a selection does not name an object, ApiError 404 if an object does not exist
 */
export async function discover(client: Client, options: DiscoveryOptions = {}): Promise<Discovery> {
  const { selection = [], promotions = false, members = false, progress = () => {} } = options;
  const run = new RunContext(client);
  const notes: string[] = [];
  const defaultDomains: string[] = [];
  const found = new Map<string, Discovered>();
  const taken = new Set<string>();

  const add = async (resource: Resource, id: string, name: string): Promise<void> => {
    const read = await resource.read(run, id, undefined);
    if (!read || found.has(`${resource.type} ${read.id}`)) return;
    const discovered = declare(resource, read, { name: uniqueName(name, taken), notes });
    if (discovered) found.set(`${resource.type} ${read.id}`, discovered);
  };

  const addProject = async (idOrName: string): Promise<void> => {
    const remote = await client.project(idOrName);
    progress(`reading ${remote.name}`);
    await add(project, remote.id, remote.name);
    notes.push(...omittedSettings(remote));
    for (const { id, slug } of await environmentsOf(client, remote.id)) {
      await add(customEnvironment, `${remote.id}/${id}`, `${remote.name}-${slug}`);
    }
    for (const { name } of await domainsOf(client, remote.id)) {
      if (isDefaultDomain(name, remote.name)) defaultDomains.push(name);
      else await add(projectDomain, `${remote.id}/${name}`, name);
    }
    const variables = await variablesOf(client, remote.id);
    for (const variable of [...variables].sort((a, b) => (a.key < b.key ? -1 : 1))) {
      if (isOfIntegration(variable)) {
        notes.push(
          `The variable ${variable.key} of ${remote.name} was left out, because an integration sets its value.`,
        );
        continue;
      }
      const isOnly = variables.filter(({ key }) => key === variable.key).length === 1;
      await add(envVar, `${remote.id}/${variable.id}`, nameOf(remote.name, variable, isOnly));
    }
    const bypasses = await ifAllowed(bypassesOf(client, remote.id));
    if (!bypasses)
      notes.push(`The token may not read the firewall bypasses of ${remote.name}, so they were left out.`);
    for (const rule of bypasses ?? []) {
      const { id } = listedOf(remote.id, rule);
      await add(firewallBypass, id, nameOfBypass(remote.name, rule));
    }
    if (members)
      for (const { uid, email, username } of (await projectMembersOf(client, remote.id)).reverse())
        await add(projectMember, `${remote.id}/${uid}`, `${remote.name}-${email ?? username ?? uid}`);
    if (modeOf(remote).enabled) await add(attackChallengeMode, remote.id, `${remote.name}-attack-challenge`);
    if (promotions && remote.targets?.production)
      await add(promotion, remote.id, `${remote.name}-production`);
  };

  const addMembers = async (): Promise<void> => {
    const all = await membersOf(client, await configuredTeam(client));
    // The API returns the newest first.
    for (const { email } of all.reverse()) await add(teamMember, email, email);
  };

  const addEdgeConfigs = async (): Promise<void> => {
    const configs = await ifAllowed(configsOf(client));
    if (!configs) notes.push("The token may not read Edge Configs, so they were left out.");
    // The API returns the newest first.
    for (const { id, slug } of [...(configs ?? [])].reverse()) {
      await add(edgeConfig, id, slug);
      for (const { key } of await itemsOf(client, id))
        await add(edgeConfigItem, `${id}/${key}`, `${slug}-${key}`);
      for (const token of [...(await tokensOf(client, id))].reverse()) {
        await add(edgeConfigToken, `${id}/${token.id}`, logicalName([slug, token.label]));
        notes.push(
          `EdgeConfigToken ${token.label} of ${slug}: its value cannot be read, so its outputs are null.`,
        );
      }
    }
  };

  for (const selected of selection) refuseUnnamed(selected);
  for (const selected of selection.length > 0 ? selection : await allProjects(client)) {
    const [project = "", key, target] = selected.split("/");
    if (key === undefined)
      await (project.includes("@") ? add(teamMember, project, project) : addProject(project));
    else if (target === undefined) {
      if (isRecord(selected)) {
        await add(dnsRecord, selected, selected.replace("/", "-"));
        continue;
      }
      // Names of domains contain a dot, slugs of environments do not.
      await (key.includes(".")
        ? add(projectDomain, selected, key)
        : add(customEnvironment, selected, `${project}-${key}`));
    } else await add(envVar, selected, selected.replaceAll("/", "-"));
  }
  const [example] = defaultDomains;
  if (example !== undefined)
    notes.push(
      `The default domains of projects, such as ${example}, were left out, because the service gives them to the projects.`,
    );
  if (members) await addMembers();
  if (selection.length > 0) return { found: [...found.values()], notes };
  const records = await ifAllowed(recordsOfAccount(client));
  if (!records) notes.push("The token may not read DNS records, so they were left out.");
  for (const { domain, id, name, type } of records ?? [])
    await add(dnsRecord, `${domain}/${id}`, `${name === "" ? domain : `${name}.${domain}`}-${type}`);
  if ((await teamOf(client)) !== undefined) {
    const shared = await ifAllowed(sharedVariablesOf(client));
    if (!shared) notes.push("The token may not read shared variables, so they were left out.");
    for (const one of [...(shared ?? [])].reverse()) {
      const isOnly = shared?.filter(({ key }) => key === one.key).length === 1;
      await add(sharedEnvVar, one.id, ["shared", one.key, ...(isOnly ? [] : (one.target ?? []))].join("-"));
    }
  }
  await addEdgeConfigs();
  const hooks = await ifAllowed(webhooksOfAccount(client));
  if (!hooks) notes.push("The token may not read webhooks, so they were left out.");
  for (const { id, url } of hooks ?? []) {
    const host = URL.canParse(url) ? new URL(url).hostname : id;
    await add(webhook, id, logicalName([host]));
    notes.push(`Webhook ${host} (${id}): its signing key cannot be read, so its output secret is null.`);
  }
  const drains = await ifAllowed(drainsOfAccount(client));
  if (!drains) notes.push("The token may not read drains, so they were left out.");
  for (const drain of drains ?? []) {
    const { id, name } = drain;
    if (isLogDrain(drain)) {
      await add(logDrain, id, logicalName([name]));
      notes.push(`LogDrain ${name}: its secret cannot be read, so it stays as it is until you set it.`);
    } else notes.push(`The drain ${name} (${id}) was left out, because it does not send logs over HTTP.`);
  }
  return { found: [...found.values()], notes };
}

/** True for the id of a DNS record, which begins with a domain instead of a project. */
const isRecord = (selected: string): boolean => /^[^/]+\.[^/]+\/rec_[^./]+$/.test(selected);

/** @throws UsageError for a selection such as `web//KEY` or `../web` */
function refuseUnnamed(selected: string): void {
  const parts = selected.split("/");
  if (!parts.some((part) => part === "" || part === "." || part === "..")) return;
  throw new UsageError(
    `${selected} does not name an object. Name a project (web), an environment (web/staging), a domain ` +
      "(web/www.example.com), a variable (web/KEY/production), a DNS record (example.com/rec_1) or a member (ada@example.com).",
  );
}

async function allProjects(client: Client): Promise<string[]> {
  const all = await listProjects(client, responses.projectList, (page) => page.projects);
  return all.map(({ id }) => id);
}

async function environmentsOf(client: Client, projectId: string): Promise<responses.CustomEnvironment[]> {
  const { environments } = await client.get(environmentPath(projectId), responses.customEnvironmentList);
  return environments;
}

/** The logical name of a bypass rule, such as `web-bypass-192.0.2.0-24`. */
const nameOfBypass = (project: string, { Ip }: responses.FirewallBypass): string =>
  `${project}-bypass-${(Ip ?? "").replace(/[^a-z0-9.]+/g, "-")}`;

const nameOf = (project: string, { key, target, gitBranch }: responses.Variable, isOnly: boolean): string =>
  [project, key, ...(isOnly ? [] : [...(target ?? []), gitBranch ?? []])]
    .flat()
    .join("-")
    .replaceAll("/", "-");
