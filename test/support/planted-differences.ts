import type { RecordedRequest, Reply } from "./recording-proxy";

/** Differences between an API and the bundled server, as a proxy plants them into the answers of the server. */

// biome-ignore lint/suspicious/noExplicitAny: the differences change members at any depth.
type Body = any;

export interface PlantedDifference {
  title: string;
  /** Changes the answers of the server. */
  change: (request: RecordedRequest, answer: Reply) => Reply;
}

const planted = (
  title: string,
  method: string,
  path: RegExp,
  change: (answer: Reply, request: RecordedRequest) => Reply,
): PlantedDifference => ({
  title,
  change: (request, answer) =>
    request.method === method && path.test(request.path.split("?")[0] ?? "")
      ? change(answer, request)
      : answer,
});

/** Changes the body of successful answers. @param edit changes it in place, or returns another one */
const body =
  (edit: (body: Body, request: RecordedRequest) => unknown) =>
  (answer: Reply, request: RecordedRequest): Reply => {
    if (answer.status >= 300) return answer;
    const parsed = JSON.parse(answer.body);
    const edited = edit(parsed, request);
    return { ...answer, body: JSON.stringify(edited === undefined ? parsed : edited) };
  };

/** Changes the error of refusals with a status. */
const error =
  (status: number, edit: (answer: { status: number; body: Body }) => { status: number; body: unknown }) =>
  (answer: Reply): Reply => {
    if (answer.status !== status) return answer;
    const edited = edit({ status, body: JSON.parse(answer.body) });
    return { status: edited.status, body: JSON.stringify(edited.body) };
  };

/** Another status of answers that have one. */
const status =
  (from: number, to: number) =>
  (answer: Reply): Reply =>
    answer.status === from ? { ...answer, status: to } : answer;

const projects = /^\/v\d+\/projects$/;
const project = /^\/v9\/projects\/[^/]+$/;
const domains = /\/projects\/[^/]+\/domains$/;
const env = /\/projects\/[^/]+\/env$/;

export const plantedDifferences: PlantedDifference[] = [
  planted("create of a project answers 201", "POST", projects, status(200, 201)),
  planted("delete of a project answers 200", "DELETE", project, status(204, 200)),
  planted("a taken name is answered with 400", "POST", projects, status(409, 400)),
  planted("an unknown project has another error code", "GET", project, (answer) =>
    error(404, ({ body }) => ({
      status: 404,
      body: { error: { ...body.error, code: "project_not_found" } },
    }))(answer),
  ),
  planted(
    "an error has no envelope",
    "GET",
    project,
    error(404, ({ body }) => ({ status: 404, body: body.error })),
  ),
  planted(
    "a project has no accountId",
    "GET",
    project,
    body((found) => void delete found.accountId),
  ),
  planted(
    "a listed project has an unknown framework",
    "GET",
    projects,
    body(({ projects: [first] }) => {
      if (first) first.framework = "brand-new";
    }),
  ),
  planted(
    "a listed project has a new member",
    "GET",
    projects,
    body(({ projects: [first] }) => {
      if (first) first.brandNew = { at: 1 };
    }),
  ),
  planted(
    "projects are sorted by name",
    "GET",
    projects,
    body(({ projects: all }) => {
      all.sort((a: Body, b: Body) => (a.name < b.name ? -1 : 1));
    }),
  ),
  planted(
    "the list of projects ends after a page",
    "GET",
    projects,
    body(({ pagination }) => {
      pagination.next = null;
    }),
  ),
  planted(
    "the list of projects repeats its page",
    "GET",
    projects,
    body((found) => {
      found.pagination.next = found.pagination.prev + 1;
    }),
  ),
  planted(
    "a pause is not shown",
    "GET",
    project,
    body((found) => {
      found.paused = false;
    }),
  ),
  planted(
    "an update answers the old settings",
    "PATCH",
    project,
    body((found) => {
      found.buildCommand = null;
    }),
  ),
  planted(
    "a listed domain has no apexName",
    "GET",
    domains,
    body(({ domains: [first] }) => {
      if (first) delete first.apexName;
    }),
  ),
  planted(
    "createdAt of a domain is a text",
    "GET",
    /\/domains\/[^/]+$/,
    body((found) => {
      if (found.createdAt) found.createdAt = new Date(found.createdAt).toISOString();
    }),
  ),
  planted(
    "domains are sorted with the oldest first",
    "GET",
    domains,
    body(({ domains: all }) => {
      all.sort((a: Body, b: Body) => a.createdAt - b.createdAt);
    }),
  ),
  planted(
    "the list of domains has no pagination",
    "GET",
    domains,
    body((found) => void delete found.pagination),
  ),
  planted(
    "the count of domains is that of all pages",
    "GET",
    domains,
    body(({ pagination }) => {
      pagination.count += 1;
    }),
  ),
  planted("delete of a domain answers 204", "DELETE", /\/domains\/[^/]+$/, (answer) =>
    answer.status === 200 ? { status: 204, body: "" } : answer,
  ),
  planted(
    "an invalid domain has a general error code",
    "POST",
    domains,
    error(400, ({ body }) => ({
      status: 400,
      body: { error: { ...body.error, code: "bad_request" } },
    })),
  ),
  planted(
    "a created variable is an array",
    "POST",
    env,
    body((found) => {
      found.created = [found.created].flat();
    }),
  ),
  planted("a created variable is answered with 200", "POST", env, status(201, 200)),
  planted(
    "variables have a new type",
    "GET",
    env,
    body(({ envs: [first] }) => {
      if (first) first.type = "vault";
    }),
  ),
  planted(
    "a variable is read without its value",
    "GET",
    /\/env\/[^/]+$/,
    body((found) => void delete found.value),
  ),
  planted(
    "the target of a listed variable is a text",
    "GET",
    env,
    body(({ envs: [first] }) => {
      if (first) first.target = "production";
    }),
  ),
  planted(
    "the state of a deployment is unknown",
    "GET",
    /^\/v6\/deployments$/,
    body(({ deployments: [first] }) => {
      if (first) first.readyState = "PAUSED";
    }),
  ),
  planted(
    "a deployment has a null creator name",
    "GET",
    /^\/v13\/deployments\/[^/]+$/,
    body((found) => {
      found.creator.username = null;
    }),
  ),
  planted(
    "the list of webhooks is in an object",
    "GET",
    /^\/v1\/webhooks$/,
    body((found) => ({ webhooks: found })),
  ),
  planted(
    "the ttl of a DNS record is a text",
    "GET",
    /\/records$/,
    body(({ records: [first] }) => {
      if (first) first.ttl = String(first.ttl);
    }),
  ),
  planted(
    "a firewall bypass has lower-case members",
    "GET",
    /\/firewall\/bypass$/,
    body(({ result: [first] }) => {
      if (!first) return;
      first.id = first.Id;
      delete first.Id;
    }),
  ),
  planted(
    "an Edge Config is another one",
    "GET",
    /^\/v1\/edge-config\/[^/]+$/,
    body((found) => {
      found.id = "ecfg_other";
    }),
  ),
  planted("an unknown deployment is answered with 400", "GET", /^\/v13\/deployments\/slip/, status(404, 400)),
  planted(
    "a drain sends to an unknown type of receiver",
    "GET",
    /^\/v1\/drains$/,
    body(({ drains: [first] }) => {
      if (first) first.delivery.type = "queue";
    }),
  ),
  planted("a request without a token is answered with 404", "GET", /^\/v9\/projects/, (answer) =>
    answer.status === 403 || answer.status === 401 ? { ...answer, status: 404 } : answer,
  ),
  planted(
    "times are seconds",
    "POST",
    projects,
    body((found) => {
      found.createdAt = Math.round(found.createdAt / 1000);
    }),
  ),
  planted("webhooks are answered as text", "GET", /^\/v1\/webhooks$/, (answer) => ({
    ...answer,
    type: "text/plain",
  })),
  planted("drains are redirected", "GET", /^\/v1\/drains$/, status(200, 301)),
  planted(
    "a list has a deployment twice",
    "GET",
    /^\/v6\/deployments$/,
    body(({ deployments }) => {
      if (deployments.length > 1) deployments[1] = deployments[0];
    }),
  ),
  planted(
    "a variable has another key than in the list",
    "GET",
    /\/env\/[^/]+$/,
    body((found) => {
      found.key = "OTHER";
    }),
  ),
  planted(
    "a project always shows its last promotion",
    "GET",
    project,
    body((found) => {
      found.lastAliasRequest = {
        ...{ fromDeploymentId: "dpl_1", toDeploymentId: "dpl_2", jobStatus: "succeeded", requestedAt: 1 },
        type: "promote",
      };
    }),
  ),
  planted(
    "a project never shows its last promotion",
    "GET",
    project,
    body((found) => {
      found.lastAliasRequest = null;
    }),
  ),
  planted(
    "the role of a member is unknown",
    "GET",
    /\/members$/,
    body(({ members: [first] }) => {
      if (first) first.role = "GUEST";
    }),
  ),
  planted("an unknown Edge Config is answered with 500", "GET", /^\/v1\/edge-config\/slip/, status(404, 500)),
  planted("unknown members of a body are accepted", "POST", projects, (answer, { body: sent }) =>
    sent.includes("unknownMember") ? { status: 200, body: "{}" } : answer,
  ),
  planted("a limit of 0 is accepted", "GET", projects, (answer, { path }) =>
    path.includes("limit=0") ? { status: 200, body: "{}" } : answer,
  ),
  planted(
    "a deployment is read without its project",
    "GET",
    /^\/v13\/deployments\/[^/]+$/,
    body((found) => {
      delete found.projectId;
    }),
  ),
  planted(
    "a listed project has no link",
    "GET",
    projects,
    body(({ projects: all }) => {
      for (const one of all) delete one.link;
    }),
  ),
];
