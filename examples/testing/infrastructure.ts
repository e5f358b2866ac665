import { EnvVar, Project, Promotion } from "slipway";

/** Declares the stack. A function, so that a test can run it several times. */
export function declare(deployment: string) {
  const web = new Project("web", { framework: "nextjs", ssoProtection: { deploymentType: "preview" } });
  new EnvVar("greeting", {
    project: web.id,
    key: "GREETING",
    value: "hello",
    type: "plain",
    target: ["production"],
  });
  const live = new Promotion("live", { project: web.id, deployment });
  return { projectId: web.id, production: live.deployment };
}
