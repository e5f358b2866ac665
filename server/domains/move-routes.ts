import * as z from "zod";
import { loadProject, projectPath, unknownProject } from "../access/projects";
import { beingTransferred } from "../access/rules";
import { type Call, type Route, route } from "../http/route";
import type { RefusalRow } from "../platform/refusal";
import type { ProjectRow } from "../projects/object";
import { countRows } from "../store/rows";
import { domainEvent, loadDomain, redirectTarget } from "./attach";
import { canonicalDomain } from "./names";
import type { DomainRow } from "./object";
import { rateLimits } from "./rate-limits";
import { isDefault, isRedirectTarget, tooManyDomains, updateRefusals } from "./rules";
import * as wire from "./schema";
import { changeDomain, domainsOf } from "./store";
import { viewDomain } from "./view";

interface Move {
  /** The project that gets the domain. */
  project: ProjectRow;
  /** The project that has the domain. */
  source: ProjectRow;
  domain: DomainRow;
  /** True if other domains of that project redirect to the domain. */
  isTarget: boolean;
}

const sameProject: RefusalRow<Move> = [
  400,
  "existing_project_domain",
  ({ domain }) => `${domain.name} is on this project already.`,
  ({ project, domain }) => domain.project_id === project.id,
];

/** A refusal about the project that has the domain. */
const ofSource = <C extends object>([status, code, message, holds]: RefusalRow<C>): RefusalRow<C & Move> => {
  const before = (call: C & Move): C => ({ ...call, project: call.source, redirects: call.isTarget });
  return [
    status,
    code,
    (call) => (typeof message === "string" ? message : message(before(call))),
    (call) => holds(before(call)),
  ];
};

type MoveCall = Call<{ idOrName: string; domain: string }, unknown, wire.MoveDomain>;

/**
 * @choice The domain keeps its verification and loses its target in the old project, also a custom environment. The
 *   events are those of a removal and an addition.
 * @source the newest official client: moveProjectDomain
 */
const moveDomain = route({
  method: "POST",
  path: "/v1/projects/:idOrName/domains/:domain/move",
  operationId: "moveProjectDomain",
  summary: "Moves a domain to another project of the account.",
  scope: ["read-write:project", "read-write:domain"],
  limit: rateLimits.domainWrite,
  params: projectPath.extend({ domain: z.string().transform(canonicalDomain) }),
  body: wire.moveDomain,
  example: { projectId: "prj_docs" },
  success: [200, wire.projectDomain],
  throws: [unknownProject, [404, "not_found", "no such domain on the project"]],
  load: loadMove,
  refuse: [
    ofSource(isDefault),
    sameProject,
    ofSource(beingTransferred),
    ofSource(isRedirectTarget),
    tooManyDomains,
    ...updateRefusals,
  ],
  async handle({ tx, now, project, domain, gitBranch, redirect = null, body, emit }) {
    await emit(domainEvent("project.domain.deleted", domain));
    const moved = await changeDomain({ tx, now }, domain, {
      ...{ project_id: project.id, git_branch: gitBranch, custom_environment_id: null, redirect },
      redirect_status_code: redirect === null ? null : (body.redirectStatusCode ?? null),
    });
    await emit(domainEvent("project.domain.created", moved));
    await emit(domainEvent(`project.domain.${moved.verified === 1 ? "verified" : "unverified"}`, moved));
    return viewDomain(moved);
  },
});

/** @throws Refusal 403, 404 */
async function loadMove(call: MoveCall) {
  const { tx, account, body, params } = call;
  const { project: source, domain } = await loadDomain(call, params.domain);
  const { project } = await loadProject({ ...call, params: { projectId: body.projectId } });
  const { gitBranch = null } = body;
  const redirect = redirectTarget(body.redirect ?? null);
  return {
    ...{ source, project, domain: { ...domain, custom_environment_id: null }, name: domain.name },
    isTarget: (await domainsOf(tx, source.id)).some(({ redirect: to }) => to === domain.name),
    ...{ account, gitBranch, redirect, redirects: redirect !== null },
    siblings: redirect === null ? [] : await domainsOf(tx, project.id),
    count: account.plan === "hobby" ? await countRows(tx, "domains", { project_id: project.id }) : 0,
  };
}

export const moveRoutes: readonly Route[] = [moveDomain];
