import type { DomainRow, ProjectRow } from "../store/schema";

/** The zone of the names that every project and deployment has by itself. @choice */
export const ownZone = "slipway.app";

/**
 * The service's own zones: a project may take a free name that stands right below one, and has it at once.
 * @choice Clients name the hosted service's zone in the same way, so it is one here too.
 */
export const ownZones = [ownZone, "vercel.app"];

/** The names under which production is reached: its own, and the verified domains that are bound to no branch. */
export function productionNames(project: Pick<ProjectRow, "name">, domains: readonly DomainRow[]): string[] {
  return [`${project.name}.${ownZone}`, ...domains.filter(servesProduction).map(({ name }) => name)];
}

const servesProduction = (domain: DomainRow): boolean =>
  domain.verified === 1 && domain.git_branch === null && domain.custom_environment_id === null;
