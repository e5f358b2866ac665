import { z } from "zod";
import * as responses from "../../provider/client/responses";
import type { Plain } from "../../provider/core/values";
import { deployment as resource } from "../../provider/resources/deployment";
import { type ProjectKind, present } from "./kind";
import { listOperation, oneOperation } from "./operation";
import { maybe, number, string, text } from "./shapes";

export const deploymentShape = z.looseObject({
  ...{
    id: text,
    uid: text,
    name: string,
    url: text,
    createdAt: number,
    readyState: text,
    target: text,
    plan: text,
  },
  creator: maybe(z.looseObject({ uid: string, username: text, email: text })),
  meta: maybe(z.record(string, z.unknown())),
  customEnvironment: maybe(z.looseObject({ id: string })),
  ...{ readyStateReason: text, errorLink: text, seatBlock: maybe(z.looseObject({ blockCode: text })) },
});
export type Deployment = z.infer<typeof deploymentShape>;

export const idOf = ({ id, uid }: Deployment): string => id ?? uid ?? "";

/** @param creator the id of the user; undefined if the snapshot does not have the user */
export function deploymentRow(deployment: Deployment, creator: string | undefined): Plain {
  const { githubCommitRef, githubCommitSha, ...rest } = deployment.meta ?? {};
  const meta = Object.fromEntries(Object.entries(rest).filter(([, value]) => typeof value === "string"));
  return {
    id: idOf(deployment),
    project: deployment.name,
    target: deployment.target === "production" ? "production" : "preview",
    readyState: deployment.readyState,
    block: blockOf(deployment),
    gitBranch: typeof githubCommitRef === "string" ? githubCommitRef : undefined,
    gitSha: typeof githubCommitSha === "string" ? githubCommitSha : undefined,
    url: deployment.url,
    ...(Object.keys(meta).length > 0 && { meta }),
    creator,
    customEnvironmentId: deployment.customEnvironment?.id,
    createdAt: deployment.createdAt,
  };
}

/** Why a deployment is blocked. The answer about its project does not say. */
function blockOf({ readyState, readyStateReason: reason, errorLink: link, seatBlock }: Deployment) {
  if (readyState !== "BLOCKED" || reason === undefined) return undefined;
  return present({
    code: seatBlock?.blockCode || undefined,
    reason,
    link: link !== undefined && URL.canParse(link) ? link : undefined,
  });
}

/** A snapshot has only the newest deployments, so a rehearsal asks its copy for all. An import declares none. */
export const deployment = {
  name: "deployment",
  owner: "project",
  resource,
  suffix: "deployment",
  weight: 30,
  section: "deployments",
  recorded: {},
  operations: {
    list: listOperation(
      "/v6/deployments",
      "deployments",
      responses.deploymentList,
      "deployments",
      "createdAt",
    ),
    one: oneOperation("/v13/deployments/{id}", "deployment", responses.oneDeployment),
  },
} as const satisfies ProjectKind;
