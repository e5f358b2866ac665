import type { Plain } from "../../../provider/core/values";
import { arrange, chosen, once, outputOf, type Present, projectIn } from "./placement";
import type { Declaration } from "./program";
import { fitted } from "./project-declarations";

/** Objects of the team, with inputs that the service takes together. */

/** A record of the domain that the account has. */
export function recordOf({ name, args: { content, ...args } }: Present): Declaration {
  return { type: "DnsRecord", name, args: { domain: "example.com", ...args, ...(content as Plain) } };
}

export function sharedOf({ name, args }: Present, projects: readonly Declaration[]): Declaration {
  const whole = withProjects(fitted(args), projects);
  if ((whole.target as unknown[]).length === 0) whole.applyToAllCustomEnvironments = true;
  // A link that comes and goes without a refresh looks like a new value that nobody can read.
  if (whole.projectIds === undefined) whole.type = "encrypted";
  return { type: "SharedEnvVar", name, args: whole };
}

/** A variable that does not declare its projects can have links. It is linked to a project once. */
export function linksOf(
  all: readonly Present[],
  projects: readonly Declaration[],
  variables: readonly Declaration[],
): Declaration[] {
  const linkable = variables.filter(({ args }) => args.projectIds === undefined);
  const links = all.flatMap((one): Declaration[] => {
    const variable = chosen(linkable, one.choice.other);
    if (!variable) return [];
    const { args, ...placed } = arrange(one, projects);
    const sharedEnvVarId = outputOf(variable.name, "id");
    return [{ ...placed, type: "SharedEnvVarLink", args: { ...args, sharedEnvVarId } }];
  });
  return once(links, (one) => [projectIn(one), one.args.sharedEnvVarId]);
}

export const teamMemberOf = ({ name, args }: Present): Declaration => ({ type: "TeamMember", name, args });

export const configOf = ({ name, args }: Present): Declaration => ({ type: "EdgeConfig", name, args });

/** An Edge Config has one item of each key. */
export const itemsOf = (all: readonly Present[], configs: readonly Declaration[]): Declaration[] =>
  once(ofConfigs("EdgeConfigItem", all, configs), ({ args }) => [args.edgeConfigId, args.key]);

/** Items or tokens, each of one of the Edge Configs. */
export const ofConfigs = (
  type: "EdgeConfigItem" | "EdgeConfigToken",
  all: readonly Present[],
  configs: readonly Declaration[],
): Declaration[] =>
  all.flatMap(({ name, args, choice }): Declaration[] => {
    const config = chosen(configs, choice.other);
    if (!config) return [];
    const output = choice.style === "name" ? "edgeConfigId" : "id";
    return [{ type, name, args: { ...args, edgeConfigId: outputOf(config.name, output) } }];
  });

export const webhookOf = ({ name, args }: Present, projects: readonly Declaration[]): Declaration => ({
  type: "Webhook",
  name,
  args: withProjects(args, projects),
});

export const drainOf = ({ name, args }: Present, projects: readonly Declaration[]): Declaration => ({
  type: "LogDrain",
  name,
  args: withProjects(args, projects),
});

/** Gives the ids of the projects that are counted round. */
function withProjects({ projectIds, ...args }: Plain, projects: readonly Declaration[]): Plain {
  if (projectIds === undefined) return args;
  const names = (projectIds as number[]).map((nth) => chosen(projects, nth)?.name ?? "");
  return { ...args, projectIds: [...new Set(names)].map((name) => outputOf(name, "id")) };
}
