import type { Upload } from "../http/upload";
import { badRequest, notFound, type Refusal, type RefusalRow } from "../platform/refusal";
import type { Services } from "../platform/services";
import type { ProjectRow } from "../projects/object";
import type { DeploymentRow } from "./object";
import { fitsMeta, metaLimit } from "./schema";

type Uploaded = { body: Upload };

export const noDigest: RefusalRow<Uploaded> = [
  400,
  "bad_request",
  "The header x-vercel-digest is missing. Send the SHA-1 of the file, in hex.",
  ({ body }) => body.claimed.sha === undefined,
];

export const otherDigest: RefusalRow<Uploaded> = [
  400,
  "bad_request",
  ({ body }) => `The file has the SHA-1 ${body.sha}, which differs from the header x-vercel-digest.`,
  ({ body }) => body.claimed.sha?.toLowerCase() !== body.sha,
];

export const otherSize: RefusalRow<Uploaded> = [
  400,
  "bad_request",
  ({ body }) => `The file has ${body.size} bytes, which differs from the header x-vercel-size.`,
  ({ body }) => body.claimed.size !== undefined && Number(body.claimed.size) !== body.size,
];

/** Clients upload the files that the error lists, and try again. @source the newest official client */
export const missingFiles: RefusalRow<{ missing: readonly string[] }> = [
  400,
  "missing_files",
  "Some files have not been uploaded. Upload them with POST /v2/files, then try again.",
  ({ missing }) => missing.length > 0,
  ({ missing }) => ({ missing }),
];

/** True for a deployment whose build has not ended. */
const isBuilding = ({ ready_state }: DeploymentRow): boolean =>
  ["QUEUED", "INITIALIZING", "BUILDING"].includes(ready_state);

/** @choice The sources do not say which status and code this refusal has. */
export const buildEnded: RefusalRow<{ deployment: DeploymentRow }> = [
  400,
  "bad_request",
  ({ deployment }) => `The deployment is ${deployment.ready_state}. Only a running build can be canceled.`,
  ({ deployment }) => !isBuilding(deployment),
];

/** @choice A deployment cannot be deleted while a promotion or a rolling release moves production to it. */
export const beingPromoted: RefusalRow<{ isPromoted: boolean }> = [
  409,
  "conflict",
  "A promotion to this deployment, or its rolling release, is running. Try again when it has finished.",
  ({ isPromoted }) => isPromoted,
];

/**
 * Interactive clients ask their user for the settings, and try again.
 * @source the newest official client, and the documentation of the request
 */
export const settingsMissing: RefusalRow<{
  project: ProjectRow | undefined;
  source: DeploymentRow | undefined;
  body: { projectSettings?: object | undefined };
  query: { skipAutoDetectionConfirmation?: string | undefined };
}> = [
  400,
  "missing_project_settings",
  'The first deployment of a project needs projectSettings. Send them, such as {"framework": null}, or add ?skipAutoDetectionConfirmation=1.',
  ({ project, source, body, query }) =>
    project === undefined &&
    source === undefined &&
    body.projectSettings === undefined &&
    query.skipAutoDetectionConfirmation !== "1",
];

export const unknownEnvironment = (key: string): Refusal =>
  notFound(`Custom environment ${JSON.stringify(key)}`);

export const productionOrCustom = (): Refusal =>
  badRequest("Invalid body: target and customEnvironmentSlugOrId cannot be used together.");

export const invalidTarget = (): Refusal =>
  badRequest(
    "Invalid body member target: must be production, preview, or a custom environment of the project.",
  );

export const namelessDeployment = (): Refusal =>
  badRequest("Invalid body: give the name of the deployment, or a project.");

/** Applies to a redeployment, which adds the metadata of its source to its own. */
export const metaTooLarge: RefusalRow<{ meta: Record<string, string> }> = [
  400,
  "bad_request",
  `The metadata, together with that of the redeployed deployment, ${metaLimit}.`,
  ({ meta }) => !fitsMeta(meta),
];

export const promotionRunning: RefusalRow<{ running: boolean }> = [
  409,
  "conflict",
  "Another promotion of this project is running. Try again when it has finished.",
  ({ running }) => running,
];

/** The deployment that a promotion or rollback is to move to production. */
export interface Move {
  deployment: DeploymentRow;
  /** The deployment serves production, and its last move has moved all names. */
  isCurrent: boolean;
}

const currentMessage = ({ deployment }: Move): string =>
  `The provided deploymentId (${deployment.id}) is already the current production deployment.`;

/** @source recorded answers of the hosted API */
export const promotesCurrent: RefusalRow<Move> = [409, "conflict", currentMessage, (move) => move.isCurrent];

/** @choice The code. The hosted API answers 422. */
export const rollsBackToCurrent: RefusalRow<Move> = [
  422,
  "unprocessable_entity",
  currentMessage,
  (move) => move.isCurrent,
];

/** @choice The status and the code. The official command line builds a preview again before it promotes it. */
export const previewNotPromoted: RefusalRow<{
  deployment: DeploymentRow;
  services: Pick<Services, "profile">;
}> = [
  409,
  "conflict",
  ({ deployment: { id } }) =>
    `The deployment ${id} is a preview and cannot be promoted. Build it again for production.`,
  ({ deployment, services }) =>
    deployment.target !== "production" && services.profile.isHosted("preview-promotion"),
];

export const deploymentNotReady: RefusalRow<{ deployment: DeploymentRow }> = [
  409,
  "conflict",
  ({ deployment }) =>
    `The deployment is ${deployment.ready_state}. Only a READY deployment can serve production.`,
  ({ deployment }) => deployment.ready_state !== "READY",
];
