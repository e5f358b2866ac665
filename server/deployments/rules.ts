import { badRequest, Refusal, type RefusalRow } from "../platform/refusal";
import type { DeploymentRow } from "../store/schema";
import { fitsMeta, metaLimit } from "./schema";

/**
 * @param what why there would have to be a build
 * @choice Files are refused rather than taken as if they had been built.
 */
export const buildsNothing = (what: string): Refusal =>
  new Refusal(
    501,
    "builds_not_supported",
    `${what} This server builds nothing. Create the deployment without files, of a git ref or of nothing: it is READY a moment later.`,
  );

export const invalidTarget = (): Refusal =>
  badRequest("Invalid body member target: must be production or preview.");

export const namelessDeployment = (): Refusal =>
  badRequest("Invalid body: give the name of the deployment, or a project.");

/** Of a deployment that is made from another one, whose metadata it takes over. */
export const metaTooLarge: RefusalRow<{ meta: Record<string, string> }> = [
  400,
  "bad_request",
  `The metadata with that of the other deployment ${metaLimit}.`,
  ({ meta }) => !fitsMeta(meta),
];

export const promotionRunning: RefusalRow<{ running: boolean }> = [
  409,
  "conflict",
  "Another promotion of this project is running. Try again when it has finished.",
  ({ running }) => running,
];

export const deploymentNotReady: RefusalRow<{ deployment: DeploymentRow }> = [
  409,
  "conflict",
  ({ deployment }) =>
    `The deployment is ${deployment.ready_state}. Only a READY deployment can serve production.`,
  ({ deployment }) => deployment.ready_state !== "READY",
];
