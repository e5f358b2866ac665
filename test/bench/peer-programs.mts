/** One graph, in the language of each provider that is compared. */
export interface Graph {
  projects: number;
  /** Of each project. */
  variables: number;
  domains: number;
}

export const resourcesIn = ({ projects, variables, domains }: Graph): number =>
  projects * (1 + variables + domains);

/** @param changed the value of one variable */
export type Program = (graph: Graph, changed: string) => string;

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const valueIn = (p: number, v: number, changed: string): string =>
  p === 0 && v === 0 ? changed : `value-${p}-${v}`;

export const dynamicProgram: Program = ({ projects, variables, domains }, changed) => `
import { EnvVar, Project, ProjectDomain } from "slipway";
for (let p = 0; p < ${projects}; p++) {
  const project = new Project("p" + p, { name: "project-" + p });
  for (let v = 0; v < ${variables}; v++) {
    new EnvVar("p" + p + "-v" + v, {
      project: project.id, key: "KEY_" + v, target: ["production", "preview"],
      value: p === 0 && v === 0 ? ${JSON.stringify(changed)} : "value-" + p + "-" + v,
    });
  }
  for (let d = 0; d < ${domains}; d++) {
    new ProjectDomain("p" + p + "-d" + d, { project: project.id, name: "www" + d + ".p" + p + "-example.com" });
  }
}`;

interface Kinds {
  /** Further inputs of a variable, for what Slipway does by default. */
  more?: object;
  types: [project: string, variable: string, domain: string];
  /** The inputs for the project, the environments and the domain. */
  names: [project: string, target: string, domain: string];
}

const slipway: Kinds = {
  types: ["slipway:Project", "slipway:EnvVar", "slipway:ProjectDomain"],
  names: ["project", "target", "name"],
};
const bridged: Kinds = {
  types: ["vercel:Project", "vercel:ProjectEnvironmentVariable", "vercel:ProjectDomain"],
  names: ["projectId", "targets", "domain"],
  more: { sensitive: true },
};

const yamlProgram =
  ({ types, names, more }: Kinds): Program =>
  ({ projects, variables, domains }, changed) => {
    const [project, target, domain] = names;
    const resources = numbers(projects).flatMap((p) => {
      const of = { [project]: `\${p${p}.id}` };
      return [
        [`p${p}`, { type: types[0], properties: { name: `project-${p}` } }],
        ...numbers(variables).map((v) => [
          `p${p}-v${v}`,
          {
            type: types[1],
            properties: {
              ...of,
              ...more,
              key: `KEY_${v}`,
              value: valueIn(p, v, changed),
              [target]: ["production", "preview"],
            },
          },
        ]),
        ...numbers(domains).map((d) => [
          `p${p}-d${d}`,
          { type: types[2], properties: { ...of, [domain]: `www${d}.p${p}-example.com` } },
        ]),
      ];
    });
    return JSON.stringify(Object.fromEntries(resources));
  };

export const slipwayYaml = yamlProgram(slipway);

/** As users of Slipway declare the same objects: the variables of a project in one resource. */
export const togetherYaml: Program = ({ projects, variables, domains }, changed) =>
  yamlOf(projects, (p) => {
    const project = `\${p${p}.id}`;
    return {
      [`p${p}`]: { type: "slipway:Project", properties: { name: `project-${p}` } },
      [`p${p}-variables`]: {
        type: "slipway:EnvVars",
        properties: {
          project,
          target: ["production", "preview"],
          variables: valuesOf(p, variables, changed),
        },
      },
      ...Object.fromEntries(
        numbers(domains).map((d) => [
          `p${p}-d${d}`,
          { type: "slipway:ProjectDomain", properties: { project, name: `www${d}.p${p}-example.com` } },
        ]),
      ),
    };
  });

/** The same objects as one component for each project. */
export const sitesYaml: Program = ({ projects, variables, domains }, changed) =>
  yamlOf(projects, (p) => ({
    [`p${p}`]: {
      type: "slipway:Site",
      properties: {
        project: { name: `project-${p}` },
        domains: numbers(domains).map((d) => ({ name: `www${d}.p${p}-example.com` })),
        variables: valuesOf(p, variables, changed),
      },
    },
  }));

const yamlOf = (projects: number, resourcesOf: (p: number) => object): string =>
  JSON.stringify(Object.assign({}, ...numbers(projects).map(resourcesOf)));
const valuesOf = (p: number, variables: number, changed: string): Record<string, string> =>
  Object.fromEntries(numbers(variables).map((v) => [`KEY_${v}`, valueIn(p, v, changed)]));

export const bridgedYaml = yamlProgram(bridged);

export const terraformProgram: Program = ({ projects, variables, domains }, changed) => {
  const target = ["production", "preview"];
  const of = (p: number) => ({ project_id: `\${vercel_project.p${p}.id}` });
  const all = numbers(projects);
  return JSON.stringify({
    terraform: { required_providers: { vercel: { source: "vercel/vercel" } } },
    resource: {
      vercel_project: Object.fromEntries(all.map((p) => [`p${p}`, { name: `project-${p}` }])),
      vercel_project_environment_variable: Object.fromEntries(
        all.flatMap((p) =>
          numbers(variables).map((v) => [
            `p${p}_v${v}`,
            { ...of(p), key: `KEY_${v}`, value: valueIn(p, v, changed), target, sensitive: true },
          ]),
        ),
      ),
      vercel_project_domain: Object.fromEntries(
        all.flatMap((p) =>
          numbers(domains).map((d) => [`p${p}_d${d}`, { ...of(p), domain: `www${d}.p${p}-example.com` }]),
        ),
      ),
    },
  });
};
