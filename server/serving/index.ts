import path from "node:path";
import { lookup } from "mrmime";
import { filesOf } from "../deployments/tree-store";
import type { App } from "../http/app";
import type { RequestContext } from "../http/context";
import { hasVersion } from "../http/etag";
import type { Answer } from "../http/reply";
import { isAboutHealth } from "../http/shutdown";
import { Refusal } from "../platform/refusal";
import type { Services } from "../platform/services";
import { findRow, hasRow } from "../store/rows";
import type { Tx } from "../store/store";
import { decodePath, findFile, rootOf, type Site, siteOf } from "./files";
import { addressOf, type RequestedName, requestedName } from "./names";
import * as pages from "./pages";
import { protectionsOf } from "./protection";
import { findName, passesAt, type ServedName } from "./store";

/** How many deployments have their paths in memory. */
const mostSites = 20;

/** The deployments that were read last. Their files never change. */
type Sites = Map<string, Site>;

interface Serving {
  services: Services;
  sites: Sites;
  context: RequestContext;
  requested: RequestedName;
}

/** A file that answers a request. */
interface Served {
  status: 200 | 404;
  path: string;
  sha: string;
  /** The size of the upload; undefined if it is no longer recorded. */
  size: number | undefined;
  isProtected: boolean;
}

/**
 * Serves the files of deployments under their names, before all other paths of the server.
 * @param hosts the server's own host names, under which it serves no deployments
 * @choice A real name is served if the store has it. Requests with an access token, and checks of health, are for the
 *   server itself under any real name.
 */
export function serveDeployments(app: App, services: Services, hosts: readonly string[]): void {
  const sites: Sites = new Map();
  app.use(async (context, next) => {
    const requested = requestedName(context.headers.host, hosts);
    if (!requested || (!requested.isLocal && isForServer(context))) return next();
    const name = await services.store.read((tx) => findName(tx, requested.names), readerOf(context));
    if (!name && (!requested.isLocal || isForServer(context))) return next();
    context.site = `${requested.hostname}${requested.port}`;
    try {
      if (!name) throw pages.unknownName(requested);
      return await answer({ services, sites, context, requested }, name);
    } catch (error) {
      if (error instanceof Refusal) return pages.refusalPage(context, error);
      throw error;
    }
  });
}

const isForServer = ({ headers, path: requestPath }: RequestContext): boolean =>
  headers.authorization !== undefined || isAboutHealth(requestPath);

const readerOf = ({ request }: RequestContext): string => request.socket.remoteAddress ?? "";

/** @throws Refusal */
async function answer(serving: Serving, name: ServedName): Promise<Answer> {
  const { services, context, requested } = serving;
  context.route = "(deployment)";
  if (!["GET", "HEAD"].includes(context.method)) throw pages.methodUnknown();
  if (name.redirect) {
    const { to, status } = name.redirect;
    return pages.redirectPage(status, `${addressOf(to, requested)}${context.request.url}`);
  }
  const file = await services.store.read((tx) => chooseFile(tx, serving, name), readerOf(context));
  return sendServed(services, context, file);
}

/** @throws Refusal when the deployment is protected, not ready, or has no such file */
async function chooseFile(tx: Tx, { services, sites, context }: Serving, name: ServedName): Promise<Served> {
  const { deployment, project } = name;
  const protections = protectionsOf(name);
  if (protections.length > 0 && !(await hasBypass(tx, services, context, name)))
    throw pages.isProtected(name, protections);
  if (!deployment) throw pages.noProduction(name);
  context.answerHeaders["x-slipway-deployment"] = deployment.id;
  if (deployment.ready_state !== "READY") throw pages.notReady(deployment.ready_state);
  const segments = decodePath(context.path);
  if (!segments) throw pages.malformedPath();
  const site = await loadSite(tx, sites, deployment.id);
  const root = rootOf(site, deployment, project);
  const found = findFile(site, root, segments);
  const file = found ?? findFile(site, root, ["404.html"]);
  if (file === undefined) throw pages.noSuchFile(root);
  const sha = site.files.get(file) ?? "";
  const upload = await findRow(tx, "uploads", { account_id: deployment.account_id, sha });
  const size = upload && Number(upload.size);
  return { status: found ? 200 : 404, path: file, sha, size, isProtected: protections.length > 0 };
}

/**
 * True if the request has a bypass secret of the project, in the header or in the query, or a link to the name, or if
 * everybody passes at the name.
 */
async function hasBypass(
  tx: Tx,
  { vault, clock }: Services,
  { headers, query }: RequestContext,
  { name, project }: ServedName,
): Promise<boolean> {
  const { _vercel_share: link } = query;
  if (await passesAt({ tx, now: clock.now() }, name, typeof link === "string" ? link : undefined))
    return true;
  const secret = headers["x-vercel-protection-bypass"] ?? query["x-vercel-protection-bypass"];
  if (typeof secret !== "string" || !project) return false;
  return hasRow(tx, "bypass_secrets", { project_id: project.id, digest: vault.digest(secret) });
}

/** @throws Refusal 404 for a deployment without files */
async function loadSite(tx: Tx, sites: Sites, deployment: string): Promise<Site> {
  const known = sites.get(deployment);
  const files = known ? undefined : await filesOf(tx, deployment);
  if (!known && !files) throw pages.withoutFiles();
  const site = known ?? siteOf(files ?? []);
  // Moves the deployment to the end, so that the first one is that which was not read for longest.
  sites.delete(deployment);
  sites.set(deployment, site);
  const [oldest] = sites.keys();
  if (sites.size > mostSites && oldest !== undefined) sites.delete(oldest);
  return site;
}

/** @throws Refusal 404 when the contents are not stored */
async function sendServed(
  { contents }: Services,
  { headers: asked, method }: RequestContext,
  { status, path: name, sha, size, isProtected }: Served,
): Promise<Answer> {
  const file = size === undefined ? undefined : await contents?.find(sha, size);
  if (file === undefined) throw pages.contentsMissing(contents !== undefined);
  const etag = `"${sha}"`;
  const headers = {
    etag,
    "cache-control": `${isProtected ? "private" : "public"}, max-age=0, must-revalidate`,
    "content-type": typeOf(name),
  };
  if (status === 200 && hasVersion(asked["if-none-match"], etag)) return { status: 304, headers };
  const sized = { ...headers, "content-length": String(size) };
  return method === "HEAD" || size === 0 ? { status, headers: sized } : { status, headers: sized, file };
}

/** The content type of a file, by its extension. */
function typeOf(name: string): string {
  const type: unknown = lookup(path.extname(name));
  // The library also finds the names of every object, such as `constructor`.
  if (typeof type !== "string") return "application/octet-stream";
  return /^text\/|[/+](?:json|xml|javascript)$/.test(type) ? `${type}; charset=utf-8` : type;
}
