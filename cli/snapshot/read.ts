// Longer than other files: one reader, whose methods share what is known of the account.
import type { z } from "zod";
import type { Client } from "../../provider/client/client";
import { ApiError, ifAllowed, ifFound } from "../../provider/client/errors";
import { deploymentPath, projectPath, teamPath } from "../../provider/client/paths";
import { accountOfUser, type Page } from "../../provider/client/responses";
import { inParallel } from "../../provider/core/parallel";
import type { Plain } from "../../provider/core/values";
import { canaryOf, releaseOf } from "../../provider/resources/promotion/rolling-release";
import { withLastRequest } from "../../provider/resources/promotion/running";
import { teamRoles } from "../../provider/vocabulary";
import { kinds, type Section } from "../objects";
import { aliasList } from "../objects/alias";
import { type Deployment, deploymentRow, deploymentShape, idOf } from "../objects/deployment";
import {
  atOnce,
  leftOutText,
  type Owner,
  type Person,
  pageSize,
  partOf,
  present,
  type Reading,
  unreadText,
} from "../objects/kind";
import { type Project, projectList, projectRow, projectShape, promotionAliases } from "../objects/project";
import { heldRow, labelOf } from "./held";
import * as shapes from "./shapes";
import { settingsOfTeam } from "./team-settings";

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

/** Takes the rows of a snapshot as they are read. */
export interface Sink {
  put(section: Section, row: unknown): void;
}

const protectionAddon = "advanced-deployment-protection";
const plans = ["hobby", "pro", "enterprise"];
const roles: readonly string[] = teamRoles;

/**
 * Reads an account with GET requests only. Writes each object as a row of a seed document as soon as it is read, so
 * that only one page of projects and the ids of objects are in memory.
 * @throws ApiError, OutOfReach, MalformedAnswer
 */
export class AccountReader implements Reading {
  readonly #people = new Map<string, Person>();
  /** The names of all projects that were listed, by id. */
  readonly names = new Map<string, string>();
  /** The ids of the projects that the snapshot has. */
  readonly projects = new Set<string>();
  readonly domains = new Set<string>();
  readonly #members = new Set<string>();
  /** Whether the snapshot has the deployment with an id. */
  readonly #deployments = new Map<string, boolean>();
  /** The deployments that rolling releases roll out. */
  readonly #canaries: string[] = [];
  #written = 0;
  #placeholders = 0;
  #plan: string | undefined;
  #isProtected = false;
  owner: Owner = { user: "" };
  #user = "";

  constructor(
    readonly client: Client,
    readonly sink: Sink,
    readonly options: ReadOptions = {},
  ) {}

  get withValues(): boolean {
    return this.options.withValues ?? false;
  }

  async read(): Promise<Counts> {
    const account = await this.#readAccount();
    this.owner = account.owner;
    await this.#readProjects();
    for (const id of [...(this.options.deployments ?? []), ...this.#canaries]) await this.#addDeployment(id);
    await this.#readAliases();
    await this.#readObjects();
    account.write();
    for (const person of this.#people.values()) this.#write("users", account.userRow(person));
    return {
      projects: this.#written,
      placeholders: this.#placeholders,
      user: this.#user,
      team: "team" in account.owner ? account.owner.team : undefined,
    };
  }

  async #readAccount(): Promise<{ owner: Owner; write(): void; userRow(person: Person): Plain }> {
    const { user } = await this.#getOwn("/v2/user", shapes.user);
    this.#user = user.id;
    this.#people.set(user.id, user);
    // Without a team in the configuration, the API reads the account of the token, which may be a team too.
    const selected = this.client.settings.team ?? accountOfUser({ user });
    if (selected === user.id) {
      const plan = user.billing?.plan;
      const userRow = (person: Person): Plain =>
        personRow(person, person.id === user.id ? this.#account(plan, "hobby") : {});
      return { owner: { user: user.id }, write: () => {}, userRow };
    }
    const team = await this.#getOwn(teamPath(selected), shapes.team);
    const members: object[] = [];
    const listed = await ifAllowed(
      this.client.listNow(`/v3/teams/${team.id}/members`, shapes.members, ({ members }) => members),
    );
    const { role: ownRole, createdAt: joinedAt } = team.membership ?? {};
    const own = { ...user, uid: user.id, role: ownRole, createdAt: joinedAt, confirmed: undefined };
    for (const { uid, username, email, name, role, createdAt, confirmed } of listed ?? [own]) {
      this.#people.set(uid, { id: uid, username, email, name });
      this.#members.add(uid);
      const known = roles.includes(role ?? "") ? role : "MEMBER";
      members.push(
        present({ user: uid, role: known, createdAt, confirmed: confirmed === false ? false : undefined }),
      );
    }
    if (!listed) this.note(unreadText("the members of the team"));
    const policy = team.sensitiveEnvironmentVariablePolicy;
    const write = (): void =>
      void this.#write(
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
    const own = await ifAllowed(this.get(path, shape, {}, null));
    return own ?? this.get(path, shape);
  }

  /** The plan and the add-ons. @param told the plan that the API returned @param usual the plan to assume otherwise */
  #account(told: string | undefined, usual: string): Plain {
    const plan = [told, this.#plan].find((name) => plans.includes(name ?? ""));
    if (plan === undefined) this.note(`the plan of the account: ${usual} is assumed`);
    const addons = this.#isProtected && plan === "pro" ? [protectionAddon] : undefined;
    if (!addons && (plan ?? usual) === "pro") this.note("the add-ons of the account: none are assumed");
    return present({ plan: plan ?? usual, addons });
  }

  /** A project that changes meanwhile moves to the front of the list. The list is read until it has no new projects. */
  async #readProjects(): Promise<void> {
    for (let fresh = true; fresh; ) {
      fresh = false;
      for await (const page of this.#pages("/v9/projects", projectList, { limit: pageSize })) {
        const unread = page.projects.filter(({ id }) => !this.names.has(id));
        if (unread.length === 0) break;
        fresh = true;
        for (const { id, name } of unread) this.names.set(id, name);
        // A project that is deleted meanwhile is left out.
        const read = await inParallel(unread, (project) => ifFound(this.#readProject(project)), atOnce);
        for (const write of read) write?.();
        this.options.progress?.(this.#written);
      }
    }
  }

  /** @returns a function that writes the rows */
  async #readProject(project: Project): Promise<() => void> {
    const path = projectPath(project.id);
    // Projects are read in parallel. Notes and people get the order of the projects.
    const effects: (() => void)[] = [];
    const reading: Reading = {
      ...{
        client: this.client,
        owner: this.owner,
        withValues: this.withValues,
        get: this.get,
        put: this.put,
      },
      ...{ projects: this.projects, domains: this.domains },
      note: (what) => void effects.push(() => this.note(what)),
      addPerson: (person) => void effects.push(() => this.addPerson(person)),
    };
    for (const kind of kinds) {
      if (kind.owner !== "project" || !("rows" in kind)) continue;
      const rows = await kind.rows(reading, project);
      effects.push(() => this.#putRows(kind.section, rows, { project: project.id }));
      if (!rows) reading.note(unreadText(partOf(kind, project)));
    }
    // The names of the last promotion. The list of domains also has domains that were added later.
    const { lastAliasRequest } = project.targets?.production
      ? await this.get(path, projectShape, withLastRequest)
      : project;
    const promoted = lastAliasRequest
      ? await this.client.listNow(
          `${projectPath(project.id, "v1")}/promote/aliases`,
          promotionAliases,
          ({ aliases = [] }) => aliases,
        )
      : [];
    const release = await releaseOf(this.client, project);
    const canary = canaryOf(release);
    if (canary !== undefined) this.#canaries.push(canary);
    return () => {
      this.#isProtected ||= project.passwordProtection !== undefined;
      const { withValues, note } = this;
      const row = projectRow({ ...project, lastAliasRequest }, { withValues, note, promoted, release });
      const held = heldRow("projects", present({ ...this.owner, ...row }), this);
      // The rows of its objects need the row of the project.
      if (!held) return;
      this.#written++;
      this.projects.add(project.id);
      const served = Object.values(project.targets ?? {});
      for (const deployment of [...(project.latestDeployments ?? []), ...served])
        if (deployment) this.#putDeployment(deployment);
      this.sink.put("projects", { ...held, production: this.#productionOf(held) });
      for (const effect of effects) effect();
    };
  }

  /** The deployment that serves production, if the snapshot has it. */
  #productionOf({ name, production }: Plain): unknown {
    if (typeof production !== "string" || this.#deployments.get(production) !== false) return production;
    this.note(leftOutText(`the production of project ${name}`, `the deployment ${production} is left out`));
    return null;
  }

  #putDeployment(deployment: Deployment): void {
    const id = idOf(deployment);
    if (this.#deployments.has(id)) return;
    this.#plan ??= deployment.plan;
    const { uid, username, email } = deployment.creator ?? {};
    if (uid !== undefined && username !== undefined) this.addPerson({ id: uid, username, email });
    const creator = uid !== undefined && this.#people.has(uid) ? uid : undefined;
    this.#deployments.set(id, this.put("deployments", deploymentRow(deployment, creator)));
  }

  /** @returns whether the snapshot has the deployment; undefined if there is no such deployment */
  async #addDeployment(id: string): Promise<boolean | undefined> {
    if (this.#deployments.has(id)) return this.#deployments.get(id);
    const found = await ifFound(this.get(deploymentPath(id), deploymentShape)).catch((error) => {
      if (error instanceof ApiError && error.status < 429) return undefined;
      throw error;
    });
    if (found) this.#putDeployment(found);
    return this.#deployments.get(id);
  }

  /** Leaves out the aliases that are domains of projects, because they were read with the projects. */
  async #readAliases(): Promise<void> {
    const query = { limit: pageSize };
    for await (const page of this.#pages("/v4/aliases", aliasList, query)) {
      for (const { uid, alias, deploymentId, redirect, creator, createdAt, updatedAt } of page.aliases) {
        if (uid === alias || this.domains.has(alias) || deploymentId === undefined) continue;
        const hasDeployment = await this.#addDeployment(deploymentId);
        if (hasDeployment === false)
          this.note(leftOutText(`the alias ${alias}`, `its deployment ${deploymentId} is left out`));
        if (!hasDeployment) continue;
        const row = { id: uid, alias, deployment: deploymentId, redirect, creator: creator?.uid };
        this.put("aliases", { ...row, createdAt, updatedAt });
      }
    }
  }

  /** Reads the objects of the account, without those that it cannot have. */
  async #readObjects(): Promise<void> {
    for (const kind of kinds) {
      if (kind.owner === "project" || !("rows" in kind)) continue;
      if (kind.owner === "team" && !("team" in this.owner)) continue;
      const rows = await kind.rows(this);
      this.#putRows(kind.section, rows);
      if (!rows) this.note(unreadText(partOf(kind, undefined)));
    }
  }

  #putRows(section: Section, rows: readonly Plain[] = [], place: Plain = {}): void {
    for (const row of rows) {
      // A member of a project must be a member of the team that the token may read.
      if (row.user === undefined || this.#members.has(String(row.user)))
        this.put(section, { ...place, ...row });
      else
        this.note(
          leftOutText(
            labelOf(section, { ...place, ...row }, this.names),
            "the members of the team do not include the user",
          ),
        );
    }
  }

  readonly addPerson = (person: Person): void => {
    this.#people.set(person.id, { ...person, ...this.#people.get(person.id) });
  };

  readonly note = (what: string): void => {
    this.#placeholders++;
    this.sink.put("placeholders", what);
  };

  /** Writes a row of an object of the account, or of an integration, which has no account. @returns false if a seed cannot have the row */
  readonly put = (section: Section, row: Plain): boolean =>
    this.#write(section, section === "integrations" ? row : { ...this.owner, ...row });

  #write(section: Section, row: Plain): boolean {
    const held = heldRow(section, present(row), this);
    if (held) this.sink.put(section, held);
    return held !== undefined;
  }

  readonly get = <T>(
    path: string,
    shape: z.ZodType<T>,
    query: Record<string, string> = {},
    team?: null,
  ): Promise<T> => this.client.send({ method: "GET", path, shape, query, ...(team === null && { team }) });

  async *#pages<P extends Page>(
    path: string,
    shape: z.ZodType<P>,
    query: Record<string, string> = {},
  ): AsyncGenerator<P> {
    const read = new Set<string>();
    for (let until: string | undefined; ; ) {
      const page = await this.get(path, shape, { ...query, ...(until !== undefined && { until }) });
      yield page;
      const next = page.pagination?.next;
      // Stops if the service repeats a page. Otherwise, the loop would not end.
      if (next === null || next === undefined || read.has(String(next))) return;
      until = String(next);
      read.add(until);
    }
  }
}

const personRow = ({ id, username, email, name }: Person, account: Plain): Plain =>
  present({ id, username, email: email || undefined, name, ...account });
