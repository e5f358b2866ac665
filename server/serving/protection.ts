import { storedSettings } from "../access/project-store";
import { ownZone } from "../domains/names";
import type { ServedName } from "./store";

/** The settings that protect deployments, with the names that people know. */
const protections = {
  ssoProtection: "Vercel Authentication",
  passwordProtection: "a password",
  trustedIps: "trusted IP addresses",
  passport: "Passport",
} as const;

type Target = Pick<ServedName, "name" | "deployment" | "isOfProduction">;

/** Which names each type of protection covers. @source the public documentation of the service, on deployment protection */
const covers: Record<string, (target: Target) => boolean> = {
  all: () => true,
  preview: ({ deployment, isOfProduction }) => !isOfProduction && deployment?.target !== "production",
  production: ({ deployment }) => deployment?.target === "production",
  prod_deployment_urls_and_all_previews: ({ isOfProduction }) => !isOfProduction,
  all_except_custom_domains: ({ name, isOfProduction }) => !isOfProduction || name.endsWith(`.${ownZone}`),
};

/**
 * The protections of a project that cover a name; empty if everybody may see its deployment.
 * @choice A type that the server does not know protects all names, and so do settings that cannot be read. Addresses of
 *   `trustedIps` are not compared, because clients of this server have local addresses.
 */
export function protectionsOf({ project, ...target }: ServedName): string[] {
  if (!project) return [];
  const settings = storedSettings(project);
  if (!settings) return ["settings that cannot be read"];
  return Object.entries(protections).flatMap(([name, shown]) => {
    const type = (settings[name] as { deploymentType?: string } | null | undefined)?.deploymentType;
    if (settings[name] == null) return [];
    const isCovered = Object.hasOwn(covers, type ?? "") ? covers[type ?? ""]?.(target) : true;
    return isCovered ? [shown] : [];
  });
}
