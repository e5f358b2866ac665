/** How many projects, and how many variables each of them has, beside one domain. */
export interface Size {
  projects: number;
  variables: number;
}

export const countOf = ({ projects, variables }: Size): number => projects * (variables + 2);

const body = ({ projects, variables }: Size): string => `
for (let p = 0; p < ${projects}; p++) {
  const project = new Project("p" + p, { name: "project-" + p, framework: "nextjs", buildCommand: "make" });
  for (let v = 0; v < ${variables}; v++) {
    new EnvVar("p" + p + "-v" + v, {
      project: project.id, key: "KEY_" + v, value: "value-" + p + "-" + v, target: ["production", "preview"],
    });
  }
  new ProjectDomain("p" + p + "-d", { project: project.id, name: "www.p" + p + "-example.com" });
}`;

/** The graph made of the package's resources. */
export const slipwayProgram = (size: Size): string =>
  `import { EnvVar, Project, ProjectDomain } from "slipway";${body(size)}`;

/** The same graph made by the plugin, as an SDK made of it declares resources. */
export const pluginProgram = (size: Size): string => `
import * as pulumi from "@pulumi/pulumi";
const classOf = (type) => class extends pulumi.CustomResource {
  constructor(name, args) {
    super("slipway:index:" + type, name, args);
  }
};
const [Project, EnvVar, ProjectDomain] = ["Project", "EnvVar", "ProjectDomain"].map(classOf);
${body(size)}`;

/** The same graph of dynamic resources of the same names, inputs and secrets, of which nothing is done. */
export const noopProgram = (size: Size): string => `
import * as pulumi from "@pulumi/pulumi";
const classOf = (type, handler, secret, outputs) => class extends pulumi.CustomResource {
  constructor(name, args) {
    const props = { ...Object.fromEntries(outputs.map((key) => [key, undefined])), ...args };
    for (const key of secret) if (props[key] !== undefined) props[key] = pulumi.secret(props[key]);
    const __provider = "module.exports=require('noopway/dynamic')." + handler;
    super("pulumi-nodejs:dynamic/slipway:" + type, name, { ...props, __provider }, { additionalSecretOutputs: secret });
  }
};
const Project = classOf("Project", "project", ["bypassSecrets"], ["accountId", "bypassSecrets"]);
const EnvVar = classOf("EnvVar", "env", ["value"], ["projectId", "updatedAt"]);
const ProjectDomain = classOf("ProjectDomain", "domain", [], ["projectId", "apexName", "verified", "verification"]);
${body(size)}`;

/** The provider that the no-op resources name in their `__provider`: it returns its inputs, and outputs of the usual size. */
export const noopProvider = `
let count = 0;
const hosted = (outputs) => ({
  handler: () => ({
    async configure() {},
    async check(_previous, inputs) { return { inputs, failures: [] }; },
    async diff() { return { changes: false, replaces: [], deleteBeforeReplace: false }; },
    async create(inputs) { return { id: "prj_" + String(++count).padStart(24, "0"), outs: { ...inputs, ...outputs } }; },
    async read(id, props) {
      const inputs = { ...props };
      for (const key of Object.keys(outputs)) delete inputs[key];
      return { id, props, inputs };
    },
    async update(_id, _state, inputs) { return { outs: { ...inputs, ...outputs } }; },
    async delete() {},
  }),
});
const at = "aaaaaabbbbbb";
const projectId = "prj_000000000000000000000000";
exports.project = hosted({ accountId: "team_0000000000000000000", bypassSecrets: {}, at });
exports.env = hosted({ projectId, updatedAt: 1700000000000, at });
exports.domain = hosted({
  projectId, apexName: "p0-example.com", verified: false, at,
  verification: [{
    type: "TXT", domain: "_vercel.p0-example.com", reason: "pending_domain_verification",
    value: "vc-domain-verify=www.p0-example.com,00000000000000000000",
  }],
});
`;
