import { cover } from "../access/coverage-store";
import { createEnvVars } from "../env/write";
import type { Call } from "../http/route";
import { Refusal } from "../platform/refusal";
import { linkTo } from "./link";
import type { ProjectRow } from "./object";
import type { CreateProject } from "./schema";
import { insertProject, type NewProject } from "./store";

type Creation = Pick<Call, "tx" | "now" | "account" | "caller" | "services" | "emit">;

/**
 * Creates a project with its link and its variables, and emits `project.created`. The caller has applied the refusals.
 * @throws Refusal 400, 403 for a variable
 */
export async function makeProject(
  call: Creation,
  {
    gitRepository,
    environmentVariables = [],
    ...given
  }: NewProject & Pick<CreateProject, "gitRepository" | "environmentVariables">,
): Promise<ProjectRow> {
  const { tx, account, now, services, emit } = call;
  const isHosted = services.profile.isHosted("project-defaults");
  const fields = withoutInert(call, isHosted ? { ...hostedDefaults, ...given } : given);
  const project = await insertProject(
    { tx, now },
    account.id,
    fields,
    gitRepository && linkTo(gitRepository, now),
  );
  // @choice An installation covers the projects that it creates, even if it is limited to selected projects.
  const { installation } = call.caller;
  if (installation?.selected) await cover(tx, installation.id, [project.id]);
  const { failed } = await createEnvVars(call, project, environmentVariables);
  const [problem] = failed;
  if (problem) throw new Refusal(400, problem.error.code, problem.error.message);
  await emit({
    type: "project.created",
    payload: { project: { id: project.id, name: project.name } },
    projectId: project.id,
  });
  return project;
}

/** The settings of a new project in the profile `hosted`, where a request does not set them. */
const hostedDefaults = {
  ssoProtection: { deploymentType: "prod_deployment_urls_and_all_previews" as const },
  skewProtectionMaxAge: 43_200,
  enableAffectedProjectsDeployments: true,
};

/** Leaves out the members of a body that have no effect in the profile `hosted`. */
export function withoutInert<B extends { publicSource?: unknown }>(
  { services }: Pick<Call, "services">,
  body: B,
): B {
  if (!services.profile.isHosted("public-source")) return body;
  const { publicSource: _, ...rest } = body;
  return rest as B;
}
