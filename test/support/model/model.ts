import type { Answer } from "../world";
import { type Draft, refuseInvalid, type Variable } from "./variable";

/**
 * The API in maps and lists: a second reading of the specification, without a line of the server. Each method says how
 * a request is answered. Its changes follow once the answer has arrived, since the answer has the ids.
 */

export type Side = 0 | 1;

export interface Outcome {
  status: number;
  code?: string;
  /** The changes of the request. */
  effect?: (body: Answer["body"]) => void;
}

const refused = (status: number, code: string): Outcome => ({ status, code });
const unknown = refused(404, "not_found");
const wrong = refused(400, "bad_request");
const moving = refused(409, "conflict");

export interface Domain {
  name: string;
  apex: string;
  verified: boolean;
  redirect: string | null;
  redirectStatusCode: number | null;
  gitBranch: string | null;
  /** The required content of its TXT record; undefined when it was verified from the beginning. */
  challenge: string | undefined;
}
type DomainTarget = Partial<Pick<Domain, "redirect" | "redirectStatusCode" | "gitBranch">>;

export interface Project {
  id: string;
  side: Side;
  name: string;
  framework: string | null;
  paused: boolean;
  autoAssign: boolean;
  linked: boolean;
  movingTo: Side | undefined;
  /** Greater than that of every project that was changed before. */
  changed: number;
  /** Both in the order of their making. */
  domains: Domain[];
  variables: Variable[];
}

export interface Fields {
  name?: string;
  framework?: string | null;
  autoAssignCustomDomains?: boolean;
}

const validName = (name: string): boolean => /^[a-z0-9._-]{1,100}$/.test(name) && !name.includes("---");
const validFramework = (name: string | null | undefined): boolean =>
  name == null || ["nextjs", "astro"].includes(name);

export class Model {
  projects: Project[] = [];
  /** TXT values by name. */
  readonly zone = new Map<string, string[]>();
  private changes = 0;

  /** @param apexOf the registrable domain of each valid name that is used */
  constructor(
    readonly slugs: readonly [string, string],
    readonly apexOf: ReadonlyMap<string, string>,
  ) {}

  find(side: Side, key: string): Project | undefined {
    const own = this.projects.filter((one) => one.side === side);
    return own.find(({ id }) => id === key) ?? own.find(({ name }) => name === key);
  }

  private isTaken(side: Side, name: string, except?: Project): boolean {
    return this.projects.some((one) => one !== except && one.side === side && one.name === name);
  }

  create(
    side: Side,
    { name, framework, linked }: { name: string; framework?: string; linked: boolean },
  ): Outcome {
    if (!validName(name) || !validFramework(framework)) return wrong;
    if (this.isTaken(side, name)) return refused(409, "conflict");
    return {
      status: 200,
      effect: ({ id }) =>
        this.projects.push({
          id,
          side,
          name,
          framework: framework ?? null,
          paused: false,
          autoAssign: true,
          linked,
          movingTo: undefined,
          changed: ++this.changes,
          domains: [],
          variables: [],
        }),
    };
  }

  update(side: Side, key: string, fields: Fields): Outcome {
    if ((fields.name !== undefined && !validName(fields.name)) || !validFramework(fields.framework))
      return wrong;
    const project = this.find(side, key);
    if (!project) return unknown;
    if (fields.name !== undefined && this.isTaken(side, fields.name, project))
      return refused(409, "conflict");
    if (project.movingTo !== undefined) return moving;
    const { name = project.name, framework = project.framework } = fields;
    const { autoAssignCustomDomains: autoAssign = project.autoAssign } = fields;
    return this.changing(project, 200, { name, framework, autoAssign });
  }

  remove(side: Side, key: string): Outcome {
    const project = this.find(side, key);
    if (!project) return unknown;
    if (project.movingTo !== undefined) return moving;
    return {
      status: 204,
      effect: () => {
        this.projects = this.projects.filter((one) => one !== project);
      },
    };
  }

  pause(side: Side, key: string, paused: boolean): Outcome {
    const project = this.find(side, key);
    if (!project) return wrong;
    return this.changing(project, 200, { paused, autoAssign: !paused });
  }

  startTransfer(id: string, to: Side): Outcome {
    const project = this.projects.find((one) => one.id === id);
    if (!project) return unknown;
    if (project.movingTo !== undefined) return moving;
    if (project.side === to) return wrong;
    if (this.isInTheWay(project, to)) return refused(409, "conflict");
    return this.changing(project, 200, { movingTo: to });
  }

  completeTransfer(id: string): Outcome {
    const project = this.projects.find((one) => one.id === id);
    if (!project) return unknown;
    const { movingTo } = project;
    if (movingTo === undefined) return refused(409, "conflict");
    if (this.isInTheWay(project, movingTo)) return refused(409, "conflict");
    return this.changing(project, 200, { side: movingTo, movingTo: undefined });
  }

  private isInTheWay(project: Project, to: Side): boolean {
    return this.isTaken(to, project.name) || project.domains.some(({ name }) => this.claim(to, name));
  }

  /** A value that is the same changes nothing, not even the project's time. */
  private changing(project: Project, status: number, fields: Partial<Project>): Outcome {
    const isNew = Object.entries(fields).some(([name, value]) => project[name as keyof Project] !== value);
    if (!isNew) return { status };
    return { status, effect: () => Object.assign(project, fields, { changed: ++this.changes }) };
  }

  /** An account's own domain of a name, on whichever project. */
  private claim(side: Side, name: string): Domain | undefined {
    return this.domainsOf(side).find((one) => one.name === name);
  }

  private domainsOf(side: Side): Domain[] {
    return this.projects.filter((one) => one.side === side).flatMap(({ domains }) => domains);
  }

  private hasProved(side: Side, apex: string): boolean {
    return this.domainsOf(side).some((one) => one.name === apex && one.verified);
  }

  addDomain(side: Side, key: string, { name: given, ...target }: DomainTarget & { name: string }): Outcome {
    const project = this.find(side, key);
    if (!project) return unknown;
    const name = given.toLowerCase();
    const apex = this.apexOf.get(name);
    if (apex === undefined) return refused(400, "invalid_domain");
    const next = { redirect: null, gitBranch: null, redirectStatusCode: null, ...target };
    if (!this.leadsSomewhere(project, name, next, null)) return wrong;
    if (project.domains.some((one) => one.name === name)) return refused(400, "existing_project_domain");
    const taken = this.claim(other(side), name)?.verified || this.claim(side, name) !== undefined;
    if (taken) return refused(409, "domain_already_in_use");
    if (project.movingTo !== undefined) return moving;
    const verified = this.hasProved(side, apex);
    return {
      status: 200,
      effect: ({ verification }) =>
        project.domains.push({ name, apex, verified, ...next, challenge: verification?.[0].value }),
    };
  }

  updateDomain(side: Side, key: string, name: string, target: DomainTarget): Outcome {
    const project = this.find(side, key);
    const domain = project?.domains.find((one) => one.name === name);
    if (!project || !domain) return unknown;
    if (!this.leadsSomewhere(project, name, { ...domain, ...target }, domain.redirect)) return wrong;
    if (project.movingTo !== undefined) return moving;
    return { status: 200, effect: () => Object.assign(domain, target) };
  }

  /** @param before where it redirected until now, which is not judged again */
  private leadsSomewhere(
    { name: projectName, domains, linked }: Project,
    name: string,
    { redirect, gitBranch }: Pick<Domain, "redirect" | "gitBranch">,
    before: string | null,
  ): boolean {
    if (redirect !== null && gitBranch !== null) return false;
    if (linked && gitBranch === "main") return false;
    if (redirect === null || redirect === before) return true;
    if (redirect === `${projectName}.vercel.app`) return true;
    if (redirect.startsWith("*") || !domains.some((one) => one.name === redirect)) return false;
    const visited = new Set([name]);
    for (let at: string | null = redirect; at !== null; ) {
      if (visited.has(at)) return at !== name;
      visited.add(at);
      at = domains.find((one) => one.name === at)?.redirect ?? null;
    }
    return true;
  }

  removeDomain(side: Side, key: string, name: string, removeRedirects: boolean): Outcome {
    const project = this.find(side, key);
    if (!project?.domains.some((one) => one.name === name)) return unknown;
    if (project.movingTo !== undefined) return moving;
    return {
      status: 200,
      effect: () => {
        project.domains = project.domains.filter(
          (one) => one.name !== name && !(removeRedirects && one.redirect === name),
        );
      },
    };
  }

  verify(side: Side, key: string, name: string): Outcome {
    const project = this.find(side, key);
    if (!project) return unknown;
    const domain = project.domains.find((one) => one.name === name);
    if (!domain) return wrong;
    if (domain.verified) return { status: 200 };
    const competing = this.claim(other(side), name);
    if (competing?.verified) return refused(400, "existing_project_domain");
    const found = this.zone.get(`_vercel.${domain.apex}`) ?? [];
    const shows = (one: Domain): boolean => one.challenge !== undefined && found.includes(one.challenge);
    if (shows(domain)) {
      return { status: 200, effect: () => Object.assign(domain, { verified: true }) };
    }
    if (competing && shows(competing)) return refused(400, "existing_project_domain");
    const attempts = found.some((value) => value.startsWith(`vc-domain-verify=${name},`));
    return refused(400, attempts ? "mismatched_txt_record" : "missing_txt_record");
  }

  createVariables(side: Side, key: string, given: Draft | Draft[], upsert: boolean): Outcome {
    const project = this.find(side, key);
    if (!project) return unknown;
    const drafts = [given].flat();
    const kept = project.variables.map((one) => ({ ...one }));
    const made = new Set<Variable>();
    let first: Outcome | undefined;
    for (const draft of drafts) {
      const existing = upsert
        ? kept.find((one) => overlaps(one, draft) && sameSet(one.target, draft.target))
        : undefined;
      const variable: Variable = existing
        ? { ...existing, ...draft, gitBranch: draft.gitBranch ?? null }
        : { id: "", type: "encrypted", comment: null, ...draft, gitBranch: draft.gitBranch ?? null };
      const problem = refuseInvalid(variable, project.linked) ?? this.conflict(kept, variable, existing);
      if (problem) first ??= problem;
      else if (existing) made.add(Object.assign(existing, variable));
      else {
        kept.push(variable);
        made.add(variable);
      }
    }
    if (made.size === 0) return first ?? wrong;
    if (project.movingTo !== undefined) return moving;
    return {
      status: 201,
      effect: ({ created }) => {
        for (const [at, variable] of [...made].entries()) variable.id = [created].flat()[at].id;
        project.variables = kept;
      },
    };
  }

  editVariable(side: Side, key: string, id: string, fields: Partial<Draft>): Outcome {
    const project = this.find(side, key);
    const variable = project?.variables.find((one) => one.id === id);
    if (!project || !variable) return unknown;
    const next = { ...variable, ...fields };
    if (variable.type === "sensitive" && next.type !== "sensitive" && fields.value === undefined) {
      return refused(400, "NOT_DECRYPTABLE");
    }
    const problem = refuseInvalid(next, project.linked) ?? this.conflict(project.variables, next, variable);
    if (problem) return problem;
    if (project.movingTo !== undefined) return moving;
    return { status: 200, effect: () => Object.assign(variable, next) };
  }

  removeVariable(side: Side, key: string, id: string): Outcome {
    const project = this.find(side, key);
    if (!project?.variables.some((one) => one.id === id)) return unknown;
    if (project.movingTo !== undefined) return moving;
    return {
      status: 200,
      effect: () => {
        project.variables = project.variables.filter((one) => one.id !== id);
      },
    };
  }

  private conflict(all: Variable[], variable: Variable, itself: Variable | undefined): Outcome | undefined {
    const taken = all.some((one) => one !== itself && overlaps(one, variable));
    return taken ? refused(403, "ENV_CONFLICT") : undefined;
  }
}

const sameSet = (one: string[], two: string[]): boolean =>
  new Set(one).size === new Set([...one, ...two]).size && new Set(one).size === new Set(two).size;

const overlaps = (one: Variable, draft: Draft): boolean =>
  one.key === draft.key &&
  one.gitBranch === (draft.gitBranch ?? null) &&
  one.target.some((target) => draft.target.includes(target));

export const other = (side: Side): Side => (side === 0 ? 1 : 0);
