import type { RefusalRow } from "../platform/refusal";
import type { DeploymentCheckRow } from "./object";

/** @source the public documentation of the service: an integration registers checks with its access token */
export const onlyIntegrations: RefusalRow<{ integration: string | undefined }> = [
  400,
  "bad_request",
  "Only integrations register checks and report their results. Use the access token of an installation.",
  ({ integration }) => integration === undefined,
];

interface Own {
  check: DeploymentCheckRow;
  integration: string | undefined;
}

export const ownCheckOnly: RefusalRow<Own> = [
  403,
  "forbidden",
  ({ check }) => `The check ${check.id} belongs to another integration.`,
  ({ check, integration }) => check.integration_id !== integration,
];

export const notRerequestable: RefusalRow<{ check: DeploymentCheckRow }> = [
  400,
  "bad_request",
  ({ check }) =>
    `The check ${check.id} cannot be requested again: its integration has not set rerequestable.`,
  ({ check }) => JSON.parse(check.details).rerequestable !== true,
];
