import { ownName } from "../domains/names";
import type { DomainRow } from "../domains/object";
import type { RefusalRow } from "../platform/refusal";
import type { ProjectRow } from "../projects/object";
import { type BypassTarget, type InvalidTarget, isTarget } from "./bypass-target";
import type { FirewallBypassRow } from "./object";

/** The facts that decide whether a rule can be created. */
interface Addition {
  project: ProjectRow;
  target: BypassTarget | InvalidTarget;
  bypass: FirewallBypassRow | undefined;
  hosts: readonly string[];
}

/**
 * The hosts of a project that rules can be for.
 * @choice The hosts are the project's default domain and its domains for production, verified or not.
 * @source the Terraform provider: the domain must be a production domain of the project
 */
export const hostsOf = (project: ProjectRow, domains: readonly DomainRow[]): string[] => [
  ownName(project),
  ...domains
    .filter((domain) => domain.git_branch === null && domain.custom_environment_id === null)
    .map(({ name }) => name),
];

export const invalidTarget: RefusalRow<Pick<Addition, "target">> = [
  400,
  "bad_request",
  ({ target }) => `Invalid body: ${"problem" in target ? target.problem : ""}.`,
  ({ target }) => !isTarget(target),
];

export const notAHost: RefusalRow<Addition> = [
  400,
  "bad_request",
  ({ project, target }) =>
    `The project "${project.name}" has no production domain ${isTarget(target) ? target.domain : ""}. Add it first.`,
  ({ target, hosts }) => isTarget(target) && target.domain !== "*" && !hosts.includes(target.domain),
];

/** @choice A target has at most one rule. To change the note, delete the rule first. */
export const bypassExists: RefusalRow<Addition> = [
  409,
  "conflict",
  ({ bypass }) => `A bypass of ${bypass?.ip} for ${bypass?.domain} exists already. Delete it first.`,
  ({ bypass }) => bypass !== undefined,
];
