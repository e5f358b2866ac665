import type { RequestContext } from "../http/context";
import type { Answer } from "../http/reply";
import { Refusal } from "../platform/refusal";
import type { RequestedName } from "./names";
import type { ServedName } from "./store";

/** The answers without a file, as texts for people. */

const text = (status: number, body: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", ...headers },
  body,
});

/** A refusal as a page. It is logged like a refusal of the API. */
export function refusalPage(context: RequestContext, refusal: Refusal): Answer {
  context.refusal = refusal;
  const { status, code, message, headers } = refusal;
  return text(status, `${status}: ${code.toUpperCase()}\n\n${message}\n`, headers);
}

export const redirectPage = (status: number, location: string): Answer =>
  text(status, "Redirecting...\n", { location });

export const unknownName = ({ hostname, names }: RequestedName): Refusal =>
  new Refusal(
    404,
    "deployment_not_found",
    `No deployment, alias, verified domain or project has the name ${names.join(" or ")}. ` +
      `If ${hostname} is a name of the server itself, add it to --allowed-hosts.`,
  );

export const noProduction = ({ name, project }: ServedName): Refusal =>
  project?.paused === 1
    ? new Refusal(503, "deployment_paused", `The project ${project.name} is paused.`)
    : new Refusal(404, "deployment_not_found", `The name ${name} points to no deployment yet.`);

export const methodUnknown = (): Refusal =>
  new Refusal(
    405,
    "method_unknown",
    "Deployments are read only: send GET or HEAD.",
    {},
    {},
    { allow: "GET, HEAD" },
  );

export const isProtected = ({ project }: ServedName, protections: readonly string[]): Refusal =>
  new Refusal(
    401,
    "deployment_protected",
    `The project ${project?.name} protects this deployment with ${protections.join(" and ")}. Send a bypass secret of ` +
      "the project in the header x-vercel-protection-bypass, open a shareable link, or switch the protection off.",
  );

const building = ["QUEUED", "INITIALIZING", "BUILDING"];

/** @param state other than READY */
export const notReady = (state: string): Refusal =>
  building.includes(state)
    ? new Refusal(
        503,
        "deployment_not_ready",
        `The deployment is ${state}. Try again when it is READY.`,
        {},
        {},
        {
          "retry-after": "1",
        },
      )
    : new Refusal(
        404,
        "deployment_not_ready",
        `The deployment is ${state}. Only a READY deployment is served.`,
      );

export const malformedPath = (): Refusal =>
  new Refusal(400, "bad_request", "The percent-encoding of the path is malformed.");

export const withoutFiles = (): Refusal =>
  new Refusal(
    404,
    "no_files",
    "The deployment was created without files, such as from a Git branch. The server builds nothing, and serves only " +
      "files that were uploaded.",
  );

export const noSuchFile = (root: string): Refusal =>
  new Refusal(
    404,
    "not_found",
    `The deployment has no such file${root === "" ? "" : ` in the folder ${root}`}. The server builds nothing, and ` +
      "serves the files as they were uploaded.",
  );

/** @param areKept whether the server stores contents at all */
export const contentsMissing = (areKept: boolean): Refusal =>
  new Refusal(
    404,
    "contents_not_stored",
    areKept
      ? "The contents of this file are no longer stored, because its last upload was more than 30 days ago, or it was " +
          "deleted, or --files-limit left no room. Deploy again."
      : "This server stores no contents of files. Start it with a data folder (--data) and without --files-limit 0.",
  );
