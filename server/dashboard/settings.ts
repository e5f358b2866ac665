import type { ProjectRow } from "../projects/object";
import { settingsOf } from "../projects/store";
import type { SettingGroup } from "./wire";

/** The settings of a project in groups. A value of null is shown as the default. */
export function viewSettings(row: ProjectRow): SettingGroup[] {
  const settings = settingsOf(row);
  const link = row.link === null ? undefined : JSON.parse(row.link);
  return [
    group("Build", {
      Framework: settings.framework,
      "Node.js version": row.node_version,
      "Root directory": settings.rootDirectory,
      "Install command": settings.installCommand,
      "Build command": settings.buildCommand,
      "Output directory": settings.outputDirectory,
      "Development command": settings.devCommand,
      "Ignore command": settings.commandForIgnoringBuildStep,
    }),
    group("Git", {
      Repository: row.repo === null ? "none" : `${link?.type ?? "git"}: ${row.repo}`,
      "Production branch": link?.productionBranch,
      "Fork protection": onOff(row.git_fork_protection === 1),
      "Large file storage": onOff(settings.gitLFS),
    }),
    group("Protection", {
      "Vercel Authentication": settings.ssoProtection?.deploymentType ?? "off",
      Password: settings.passwordProtection?.deploymentType ?? "off",
      "Trusted IPs": settings.trustedIps
        ? `${settings.trustedIps.deploymentType}, ${counted(settings.trustedIps.addresses.length, "address", "addresses")}`
        : "off",
      "Unprotected OPTIONS requests": settings.optionsAllowlist
        ? settings.optionsAllowlist.paths.map(({ value }) => value).join(", ")
        : "none",
    }),
    group("Deployments and functions", {
      "Assign domains to production builds": onOff(settings.autoAssignCustomDomains),
      "Function regions": settings.resourceConfig?.functionDefaultRegions?.join(", "),
      "Directory listing": onOff(settings.directoryListing),
      "System variables": onOff(settings.autoExposeSystemEnvs),
      "Data cache": onOff(row.data_cache_disabled === 0),
    }),
  ];
}

const group = (title: string, values: Record<string, string | null | undefined>): SettingGroup => ({
  title,
  settings: Object.entries(values).map(([name, value]) => ({ name, value: value ?? null })),
});

const onOff = (value: boolean | undefined): string => (value ? "on" : "off");

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
