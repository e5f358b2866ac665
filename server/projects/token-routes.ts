import * as z from "zod";
import type { Account } from "../access/caller";
import { loadProject, projectPath, unknownProject } from "../access/projects";
import { type Route, route } from "../http/route";
import { newId } from "../platform/ids";
import type { Vault } from "../platform/vault";
import type { ProjectRow } from "./object";

const issuer = "https://oidc.vercel.com";
/** The time for which a token counts, in seconds. @source the public API: 12 hours */
const lifetime = 12 * 60 * 60;

/**
 * @choice The token has the claims of the hosted API, but this server signs it with a key of its own (HS256). Others
 *   can read it, and cannot verify it. The body of the command line names only itself, and is ignored.
 * @source the official command line: `project token`
 */
const createToken = route({
  method: "POST",
  path: "/v1/projects/:idOrName/token",
  operationId: "getProjectToken",
  summary: "Creates an OIDC token for the development of a project. Only this server can verify it.",
  scope: ["read-write:project"],
  params: projectPath,
  success: [200, z.strictObject({ token: z.string() })],
  throws: [unknownProject],
  load: loadProject,
  async handle({ services, now, account, caller, project }) {
    const claims = { ...claimsOf(account, project), user_id: caller.userId, jti: newId("row") };
    return { token: signed(services.vault, claims, Math.floor(now / 1000)) };
  },
});

function claimsOf({ id, slug }: Account, { id: projectId, name }: ProjectRow) {
  const environment = "development";
  const scope = `owner:${slug}:project:${name}:environment:${environment}`;
  return {
    iss: `${issuer}/${slug}`,
    sub: scope,
    scope,
    aud: `https://vercel.com/${slug}`,
    owner: slug,
    owner_id: id,
    project: name,
    project_id: projectId,
    environment,
  };
}

function signed(vault: Vault, claims: object, iat: number): string {
  const parts = [
    { alg: "HS256", typ: "JWT" },
    { ...claims, iat, nbf: iat, exp: iat + lifetime },
  ];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${text}.${Buffer.from(vault.digest(text), "hex").toString("base64url")}`;
}

export const projectTokenRoutes: readonly Route[] = [createToken];
