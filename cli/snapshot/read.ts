import type { z } from "zod";
import type { Client } from "../../provider/client/client";
import { ApiError, ifAllowed, ifFound } from "../../provider/client/errors";
import {
  accountDomainsPath,
  deploymentPath,
  edgeConfigItemsPath,
  edgeConfigPath,
  edgeConfigTokensPath,
  projectMembersPath,
  projectPath,
  recordsPath,
  sharedEnvPath,
  variablePath,
  webhookPath,
} from "../../provider/client/paths";
import { accountOfUser } from "../../provider/client/responses";
import { inParallel } from "../../provider/core/parallel";
import { isOfService, readParts } from "../../provider/resources/dns-record/values";
import { bypassesOf } from "../../provider/resources/firewall-bypass";
import { isDefaultDomain } from "../../provider/resources/project-domain/records";
import { withLastRequest } from "../../provider/resources/promotion/promote";
import { teamRoles } from "../../provider/vocabulary";
import {
  bypassRow,
  deploymentRow,
  domainRow,
  edgeConfigRow,
  environmentRows,
  idOf,
  type Owner,
  placeholder,
  present,
  projectRow,
  type Sink,
  settingsOfTeam,
  variableRow,
} from "./rows";
import * as shapes from "./shapes";

export interface ReadOptions {
  /** Reads the values of variables, secrets and headers. Default: placeholders. */
  withValues?: boolean;
  /** Ids of further deployments. Deployments that do not exist are left out. */
  deployments?: readonly string[];
  /** Called with the number of projects, whenever more projects were read. */
  progress?: (projects: number) => void;
}

export interface Counts {
  projects: number;
  placeholders: number;
  /** The id of the user of the token. */
  user: string;
  /** The id of the team; undefined for a personal account. */
  team: string | undefined;
}

/** How many projects are read at the same time. */
const atOnce = 8;
const pageSize = "100";
const protectionAddon = "advanced-deployment-protection";
const plans = ["hobby", "pro", "enterprise"];
const roles: readonly string[] = teamRoles;

interface Person {
  id: string;
  username: string;
  email?: string | undefined;
  name?: string | undefined;
}

/**
 * Reads an account with GET requests only. Writes each object as a row of a seed document as soon as it is read, so
 * that only one page of projects and the ids of objects are in memory.
 * @throws ApiError, OutOfReach, MalformedAnswer
 */
export class AccountReader {
  readonly #people = new Map<string, Person>();
  readonly #projects = new Set<string>();
  readonly #deployments = new Set<string>();
  readonly #domains = new Set<string>();
  #written = 0;
  #placeholders = 0;
  #plan: string | undefined;
  #isProtected = false;
  #owner: Owner = { user: "" };
  #user = "";

  constructor(
    readonly client: Client,
    readonly sink: Sink,
    readonly options: ReadOptions = {},
  ) {}

  async read(): Promise<Counts> {
    const account = await this.#readAccount();
    this.#owner = account.owner;
    await this.#readProjects();
    for (const id of this.options.deployments ?? []) await this.#addDeployment(id);
    await this.#readAliases();
    await this.#readSharedVariables();
    await this.#readDnsRecords();
    await this.#readEdgeConfigs();
    await this.#readReceivers();
    account.write();
    for (const person of this.#people.values()) this.sink.put("users", account.userRow(person));
    return {
      projects: this.#written,
      placeholders: this.#placeholders,
      user: this.#user,
      team: "team" in account.owner ? account.owner.team : undefined,
    };
  }

  async #readAccount(): Promise<{ owner: Owner; write(): void; userRow(person: Person): object }> {
    const { user } = await this.#getOwn("/v2/user", shapes.user);
    this.#user = user.id;
    this.#people.set(user.id, user);
    // Without a team in the configuration, the API reads the account of the token, which may be a team too.
    const selected = this.client.settings.team ?? accountOfUser({ user });
    if (selected === user.id) {
      const plan = user.billing?.plan;
      const userRow = (person: Person): object =>
        personRow(person, person.id === user.id ? this.#account(plan, "hobby") : {});
      return { owner: { user: user.id }, write: () => {}, userRow };
    }
    const team = await this.#getOwn(`/v2/teams/${encodeURIComponent(selected)}`, shapes.team);
    const members: object[] = [];
    const listed = await ifAllowed(
      this.#all(`/v3/teams/${team.id}/members`, shapes.members, ({ members }) => members),
    );
    const { role: ownRole, createdAt: joinedAt } = team.membership ?? {};
    const own = { ...user, uid: user.id, role: ownRole, createdAt: joinedAt, confirmed: undefined };
    for (const { uid, username, email, name, role, createdAt, confirmed } of listed ?? [own]) {
      this.#people.set(uid, { id: uid, username, email, name });
      const known = roles.includes(role ?? "") ? role : "MEMBER";
      members.push(
        present({ user: uid, role: known, createdAt, confirmed: confirmed === false ? false : undefined }),
      );
    }
    if (!listed) this.#note("the members of the team");
    const policy = team.sensitiveEnvironmentVariablePolicy;
    const write = (): void =>
      this.sink.put(
        "teams",
        present({
          id: team.id,
          slug: team.slug,
          name: team.name,
          createdAt: team.createdAt,
          sensitiveEnvironmentVariablePolicy: policy,
          settings: settingsOfTeam(team),
          ...this.#account(team.billing?.plan, "pro"),
          members,
        }),
      );
    return { owner: { team: team.id }, write, userRow: (person) => personRow(person, {}) };
  }

  /** Reads the user or the team of the token. The token of an integration is limited to a team, and must name it. */
  async #getOwn<T>(path: string, shape: z.ZodType<T>): Promise<T> {
    const own = await ifAllowed(this.#get(path, shape, {}, null));
    return own ?? this.#get(path, shape);
  }

  /** The plan and the add-ons. @param told the plan that the API returned @param usual the plan to assume otherwise */
  #account(told: string | undefined, usual: string): object {
    const plan = [told, this.#plan].find((name) => plans.includes(name ?? ""));
    if (plan === undefined) this.#note(`the plan of the account: ${usual} is assumed`);
    const addons = this.#isProtected && plan === "pro" ? [protectionAddon] : undefined;
    if (!addons && (plan ?? usual) === "pro") this.#note("the add-ons of the account: none are assumed");
    return present({ plan: plan ?? usual, addons });
  }

  /** A project that changes meanwhile moves to the front of the list. The list is read until it has no new projects. */
  async #readProjects(): Promise<void> {
    for (let fresh = true; fresh; ) {
      fresh = false;
      for await (const page of this.#pages("/v9/projects", shapes.projects, { limit: pageSize })) {
        const unread = page.projects.filter(({ id }) => !this.#projects.has(id));
        if (unread.length === 0) break;
        fresh = true;
        for (const { id } of unread) this.#projects.add(id);
        // A project that is deleted meanwhile is left out.
        const read = await inParallel(unread, (project) => ifFound(this.#readProject(project)), atOnce);
        for (const write of read) write?.();
        this.options.progress?.(this.#written);
      }
    }
  }

  /** @returns a function that writes the rows */
  async #readProject(project: shapes.Project): Promise<() => void> {
    const { withValues = false } = this.options;
    const path = projectPath(project.id);
    const domains = await this.#all(`${path}/domains`, shapes.domains, (page) => page.domains, {
      limit: pageSize,
    });
    const variables = await this.#readVariables(project);
    const bypasses = await ifAllowed(bypassesOf(this.client, project.id));
    const isOfTeam = "team" in this.#owner;
    const members = isOfTeam
      ? await ifAllowed(
          this.#all(projectMembersPath(project.id), shapes.projectMembers, ({ members }) => members, {
            limit: pageSize,
          }),
        )
      : [];
    // The names of the last promotion. The list of domains also has domains that were added later.
    const { lastAliasRequest } = project.targets?.production
      ? await this.#get(path, shapes.project, withLastRequest)
      : project;
    const promoted = lastAliasRequest
      ? await this.#all(
          `${projectPath(project.id, "v1")}/promote/aliases`,
          shapes.promotionAliases,
          ({ aliases = [] }) => aliases,
        )
      : [];
    return () => {
      this.#written++;
      const note = (what: string): void => this.#note(what);
      this.#isProtected ||= project.passwordProtection !== undefined;
      this.sink.put(
        "projects",
        projectRow(this.#owner, { ...project, lastAliasRequest }, { withValues, note, promoted }),
      );
      for (const row of environmentRows(this.#owner, project)) this.sink.put("environments", row);
      for (const domain of domains) {
        this.#domains.add(domain.name);
        if (isDefaultDomain(domain.name, project.name)) {
          if (domain.redirect != null) note(`project ${project.name}: the redirect of ${domain.name}`);
          continue;
        }
        this.sink.put("domains", domainRow(this.#owner, project.id, domain));
      }
      for (const { variable, value } of variables) {
        const { lastEditedByDisplayName: username, updatedBy = variable.createdBy } = variable;
        if (updatedBy !== undefined && username !== undefined) this.#addPerson({ id: updatedBy, username });
        if (value === undefined && variable.type !== "system")
          this.#note(`project ${project.name}: the value of ${variable.key} (${variable.id})`);
        this.sink.put("env", variableRow(this.#owner, project.id, variable, value));
      }
      for (const rule of bypasses ?? [])
        this.sink.put("firewallBypasses", bypassRow(this.#owner, project.id, rule));
      if (!bypasses) this.#note(`project ${project.name}: its firewall bypasses`);
      // A member cannot be copied if the token cannot read the user, for example in the members of the team.
      for (const { uid, role, createdAt } of members ?? [])
        if (this.#people.has(uid)) {
          const row = { ...this.#owner, project: project.id, user: uid, role, createdAt };
          this.sink.put("projectMembers", present(row));
        }
      if (!members) this.#note(`project ${project.name}: its members`);
      const served = Object.values(project.targets ?? {});
      for (const deployment of [...(project.latestDeployments ?? []), ...served])
        if (deployment) this.#putDeployment(deployment);
    };
  }

  async #readVariables(
    project: shapes.Project,
  ): Promise<{ variable: shapes.Variable; value: string | undefined }[]> {
    const { withValues = false } = this.options;
    if (!withValues && project.env) return project.env.map((variable) => ({ variable, value: undefined }));
    if (project.env?.length === 0) return [];
    const query = withValues ? { decrypt: "true" } : {};
    const listed = await this.#all(
      `${projectPath(project.id)}/env`,
      shapes.variables,
      ({ envs }) => envs,
      query,
    );
    const read = async (variable: shapes.Variable) => ({
      variable,
      value: withValues ? await this.#valueOf(project.id, variable) : undefined,
    });
    return inParallel(listed, read, 2);
  }

  /** @returns undefined if the value cannot be read */
  async #valueOf(projectId: string, listed: shapes.Variable): Promise<string | undefined> {
    if (listed.type === "sensitive") return undefined;
    const isEncrypted = /^(encrypted|secret)$/.test(listed.type);
    const { value, decrypted = !isEncrypted } = listed;
    if (decrypted) return value === placeholder ? undefined : value;
    const path = variablePath(projectId, listed.id, "v1");
    const single = await ifAllowed(this.#get(path, shapes.oneVariable));
    return single?.decrypted === false || single?.value === placeholder ? undefined : single?.value;
  }

  #putDeployment(deployment: shapes.Deployment): void {
    const id = idOf(deployment);
    if (this.#deployments.has(id)) return;
    this.#deployments.add(id);
    this.#plan ??= deployment.plan;
    const { uid, username, email } = deployment.creator ?? {};
    if (uid !== undefined && username !== undefined) this.#addPerson({ id: uid, username, email });
    const creator = uid !== undefined && this.#people.has(uid) ? uid : undefined;
    this.sink.put("deployments", deploymentRow(this.#owner, deployment, creator));
  }

  /** @returns false when there is no such deployment */
  async #addDeployment(id: string): Promise<boolean> {
    if (this.#deployments.has(id)) return true;
    const found = await ifFound(this.#get(deploymentPath(id), shapes.deployment)).catch((error) => {
      if (error instanceof ApiError && error.status < 429) return undefined;
      throw error;
    });
    if (found) this.#putDeployment(found);
    return found !== undefined;
  }

  /** Leaves out the aliases that are domains of projects, because they were read with the projects. */
  async #readAliases(): Promise<void> {
    const query = { limit: pageSize };
    for await (const page of this.#pages("/v4/aliases", shapes.aliases, query)) {
      for (const { uid, alias, deploymentId, redirect, creator, createdAt, updatedAt } of page.aliases) {
        if (uid === alias || this.#domains.has(alias) || deploymentId === undefined) continue;
        if (!(await this.#addDeployment(deploymentId))) continue;
        const row = { id: uid, alias, deployment: deploymentId, redirect, creator: creator?.uid };
        this.sink.put("aliases", present({ ...this.#owner, ...row, createdAt, updatedAt }));
      }
    }
  }

  /** Only a team has shared variables. */
  async #readSharedVariables(): Promise<void> {
    if (!("team" in this.#owner)) return;
    const { team } = this.#owner;
    const { withValues = false } = this.options;
    const listed = await ifAllowed(
      this.#all(sharedEnvPath(), shapes.sharedVariables, ({ data }) => data, { limit: "50" }),
    );
    for (const { id, key, type, target, projectId = [], ...rest } of [...(listed ?? [])].reverse()) {
      const { applyToAllCustomEnvironments, comment, createdAt, updatedAt, createdBy, updatedBy } = rest;
      const isRead = withValues && type !== "sensitive";
      const single = isRead ? await ifAllowed(this.#get(sharedEnvPath(id), shapes.oneSharedVariable)) : null;
      const value = single?.decrypted === false || single?.value === placeholder ? undefined : single?.value;
      if (value === undefined) this.#note(`the value of the shared variable ${key} (${id})`);
      this.sink.put(
        "sharedEnv",
        present({
          ...{ team, id, key, value: value ?? placeholder, target },
          type: type === "sensitive" ? type : "encrypted",
          // A project that was not read has no row to link to.
          projects: projectId.filter((project) => this.#projects.has(project)),
          ...{ applyToAllCustomEnvironments, comment, createdBy, updatedBy, createdAt, updatedAt },
        }),
      );
    }
    if (!listed) this.#note("the shared variables of the team");
  }

  /** Reads the domains of the account and their DNS records, without the records that the service itself created. */
  async #readDnsRecords(): Promise<void> {
    const query = { limit: pageSize };
    const domains = await ifAllowed(
      this.#all(accountDomainsPath, shapes.accountDomains, (page) => page.domains, query),
    );
    for (const { name, verified, echMode, createdAt } of domains ?? []) {
      const mode = echMode === "disabled" ? echMode : undefined;
      this.sink.put("accountDomains", present({ ...this.#owner, name, verified, echMode: mode, createdAt }));
    }
    const read = async ({ name: domain }: { name: string }) => ({
      domain,
      records: await this.#all(recordsPath(domain), shapes.dnsRecords, (page) => page.records, query),
    });
    for (const { domain, records } of await inParallel(domains ?? [], read, atOnce)) {
      for (const { value, mxPriority, priority, ...record } of records) {
        const { id, name, type, ttl, comment, creator, createdAt, updatedAt } = record;
        if (isOfService(record)) continue;
        const parts = readParts(type, { value, mxPriority, priority });
        const row = { id, domain, name, type, ...parts, ttl, comment, creator, createdAt, updatedAt };
        this.sink.put("dnsRecords", present({ ...this.#owner, ...row }));
      }
    }
    if (!domains) this.#note("the domains of the account and their DNS records");
  }

  /** Notes every token, because the API does not return its value. */
  async #readEdgeConfigs(): Promise<void> {
    const configs = await ifAllowed(this.#get(edgeConfigPath(), shapes.edgeConfigs));
    const read = async (config: shapes.EdgeConfig) => ({
      config,
      items: await this.#get(edgeConfigItemsPath(config.id), shapes.edgeConfigItems),
      tokens: await this.#get(edgeConfigTokensPath(config.id), shapes.edgeConfigTokens),
    });
    // The API returns the newest first.
    for (const { config, items, tokens } of await inParallel([...(configs ?? [])].reverse(), read, atOnce)) {
      for (const { id, label } of tokens)
        this.#note(`the token ${label} (${id}) of the Edge Config ${config.slug}`);
      this.sink.put("edgeConfigs", edgeConfigRow(this.#owner, config, items, tokens));
    }
    if (!configs) this.#note("the Edge Configs of the account");
  }

  async #readReceivers(): Promise<void> {
    const webhooks = await ifAllowed(this.#get(webhookPath(), shapes.webhooks));
    for (const { id, url, events, projectIds, createdAt, updatedAt } of webhooks ?? []) {
      this.#note(`the secret of the webhook ${id}`);
      this.sink.put(
        "webhooks",
        present({ ...this.#owner, id, url, events, projectIds, createdAt, updatedAt }),
      );
    }
    if (!webhooks) this.#note("the webhooks of the account");
    const drains = await ifAllowed(this.#get("/v1/log-drains", shapes.logDrains));
    for (const drain of drains ?? []) this.#putDrain(drain);
    if (!drains) this.#note("the log drains of the account");
  }

  #putDrain(drain: z.infer<typeof shapes.logDrains>[number]): void {
    if (drain.url === undefined) return;
    const { withValues = false } = this.options;
    const headers = Object.entries(drain.headers ?? {}).map(([name, value]) => [
      name,
      withValues ? value : placeholder,
    ]);
    if (headers.some(([, value]) => value === placeholder))
      this.#note(`the headers of the log drain ${drain.id}`);
    this.sink.put(
      "logDrains",
      present({
        ...this.#owner,
        id: drain.id,
        name: drain.name ?? drain.id,
        url: drain.url,
        deliveryFormat: drain.deliveryFormat === "ndjson" ? "ndjson" : "json",
        projectIds: drain.projectIds,
        sources: drain.sources,
        environments: drain.environments ?? ["production", "preview"],
        headers: drain.headers && Object.fromEntries(headers),
        samplingRate: drain.samplingRate,
        createdAt: drain.createdAt,
        updatedAt: drain.updatedAt,
      }),
    );
  }

  /** Adds a user outside the team whose name an answer has. */
  #addPerson(person: Person): void {
    this.#people.set(person.id, { ...person, ...this.#people.get(person.id) });
  }

  #note(what: string): void {
    this.#placeholders++;
    this.sink.put("placeholders", what);
  }

  #get<T>(path: string, shape: z.ZodType<T>, query: Record<string, string> = {}, team?: null): Promise<T> {
    return this.client.send({ method: "GET", path, shape, query, ...(team === null && { team }) });
  }

  async *#pages<Page extends { pagination?: { next?: string | number | undefined } | undefined }>(
    path: string,
    shape: z.ZodType<Page>,
    query: Record<string, string> = {},
  ): AsyncGenerator<Page> {
    const read = new Set<string>();
    for (let until: string | undefined; ; ) {
      const page = await this.#get(path, shape, { ...query, ...(until !== undefined && { until }) });
      yield page;
      const next = page.pagination?.next;
      // Stops if the service repeats a page. Otherwise, the loop would not end.
      if (next === undefined || read.has(String(next))) return;
      until = String(next);
      read.add(until);
    }
  }

  async #all<T, Page extends { pagination?: { next?: string | number | undefined } | undefined }>(
    path: string,
    shape: z.ZodType<Page>,
    items: (page: Page) => T[],
    query: Record<string, string> = {},
  ): Promise<T[]> {
    const all: T[] = [];
    for await (const page of this.#pages(path, shape, query)) all.push(...items(page));
    return all;
  }
}

const personRow = ({ id, username, email, name }: Person, account: object): object =>
  present({ id, username, email: email || undefined, name, ...account });
