import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { Client } from "../provider/client/client";
import { explicitKey, type Setting, type Settings, settingsFrom } from "../provider/client/config";
import type {
  AliasInfo,
  CustomEnvironmentInfo,
  CustomEnvironmentQuery,
  DeploymentInfo,
  DeploymentQuery,
  DomainInfo,
  EnvVarInfo,
  ProjectInfo,
} from "../provider/lookups";
import * as lookups from "../provider/lookups";
import { userError } from "./core/user-error";
import { Provider, stackConfig } from "./provider";

/**
 * Look-ups ask the service while the program runs, at preview too. Each comes in two forms: one that takes plain
 * values and returns a Promise, and one, ending in `Output`, that takes Outputs and returns one.
 */

/** As whom to ask: an explicit provider's account; by default that of the environment or the stack. */
export interface LookupOptions {
  provider?: pulumi.ProviderResource | undefined;
}

/** What a project is asked by. */
export interface ProjectLookup {
  /** Id or name of the project. */
  project: string;
}

/** A variable, whose value is always a secret. */
export interface EnvVarResult extends Omit<EnvVarInfo, "value"> {
  /** Undefined inside when the service does not tell it. */
  value: pulumi.Output<string | undefined>;
}

type Given<A> = { [K in keyof A]: pulumi.Input<A[K]> };

/** A project, by id or name. */
export const getProject = (args: ProjectLookup, opts?: LookupOptions): Promise<ProjectInfo> =>
  ask({ name: "getProject", args }, opts, (client) => lookups.findProject(client, args.project));
export const getProjectOutput = inOutputs(getProject);

/** All projects of the account; with `search`, those with this in their name. */
export const getProjects = (
  args: { search?: string | undefined } = {},
  opts?: LookupOptions,
): Promise<ProjectInfo[]> =>
  ask({ name: "getProjects", args, list: "projects" }, opts, (client) =>
    lookups.findProjects(client, args.search),
  );
export const getProjectsOutput = inOutputs(getProjects);

/** All domains of a project. */
export const getProjectDomains = (args: ProjectLookup, opts?: LookupOptions): Promise<DomainInfo[]> =>
  ask({ name: "getProjectDomains", args, list: "domains" }, opts, (client) =>
    lookups.findDomains(client, args.project),
  );
export const getProjectDomainsOutput = inOutputs(getProjectDomains);

/** All variables of a project. Each value is a secret Output of its own, in both forms. */
export async function getEnvVars(args: ProjectLookup, opts?: LookupOptions): Promise<EnvVarResult[]> {
  const question = { name: "getEnvVars", args, list: "variables" };
  const found = await ask(question, opts, (client) => lookups.findVariables(client, args.project));
  return found.map(({ value, ...rest }) => ({ ...rest, value: pulumi.secret(value) }));
}
export const getEnvVarsOutput = inOutputs(getEnvVars);

/** The aliases of a project's last promotion, and whether each was moved. */
export const getPromoteAliases = (args: ProjectLookup, opts?: LookupOptions): Promise<AliasInfo[]> =>
  ask({ name: "getPromoteAliases", args, list: "aliases" }, opts, (client) =>
    lookups.findPromoteAliases(client, args.project),
  );
export const getPromoteAliasesOutput = inOutputs(getPromoteAliases);

/** A custom environment of a project, by slug or id. */
export const getCustomEnvironment = (
  args: CustomEnvironmentQuery,
  opts?: LookupOptions,
): Promise<CustomEnvironmentInfo> =>
  ask({ name: "getCustomEnvironment", args }, opts, (client) => lookups.findCustomEnvironment(client, args));
export const getCustomEnvironmentOutput = inOutputs(getCustomEnvironment);

/** A deployment, by id, commit or branch, or the newest one: what a promotion in CI begins with. */
export const getDeployment = (args: DeploymentQuery, opts?: LookupOptions): Promise<DeploymentInfo> =>
  ask({ name: "getDeployment", args }, opts, (client) =>
    lookups.findDeployment(client, args, (message) => void pulumi.log.info(message)),
  );
export const getDeploymentOutput = inOutputs(getDeployment);

/** The form of a look-up that takes Outputs and returns one. */
function inOutputs<A extends object, R>(
  look: (args: A, opts?: LookupOptions) => Promise<R>,
): (args: Given<A>, opts?: LookupOptions) => pulumi.Output<R> {
  return (args, opts) => pulumi.output(args).apply((known) => look(known as A, opts)) as pulumi.Output<R>;
}

/** A look-up as mocks are asked for it. */
interface Question {
  /** Of the function. */
  name: string;
  args: object;
  /** Under which name the mocked answer holds the list, since a function of Pulumi answers an object. */
  list?: string;
}

/** Under `setMocks` nothing is asked but the mock: a function `slipway:index:getProject` and the like. */
async function askMock<R>({ name, args, list }: Question, opts: LookupOptions = {}): Promise<R> {
  const provider = opts.provider && { provider: opts.provider };
  const answer = await pulumi.runtime.invoke(`slipway:index:${name}`, args, { ...provider });
  return list === undefined ? answer : (answer[list] ?? []);
}

const clients = new Map<string, Client>();

async function ask<R>(
  question: Question,
  opts: LookupOptions | undefined,
  look: (client: Client) => Promise<R>,
): Promise<R> {
  if (pulumi.runtime.getMonitor() instanceof MockMonitor) return askMock(question, opts);
  try {
    const settings = await settingsOf(opts?.provider);
    const key = JSON.stringify(settings);
    // Resources are written by another process: what was read a moment ago may not hold any more.
    const client = clients.get(key) ?? new Client(settings, { freshMs: 0 });
    clients.set(key, client);
    return await look(client);
  } catch (error) {
    // Of what a user can put right, the message is enough.
    throw userError(error instanceof Error ? error.message : String(error));
  }
}

/** @throws ConfigError */
async function settingsOf(provider: pulumi.ProviderResource | undefined): Promise<Settings> {
  const config: Record<string, string | undefined> = {};
  const put = async (key: string, value: pulumi.Input<string | undefined>) => {
    const output = pulumi.output(value) as pulumi.Output<string | undefined> & { isKnown: Promise<boolean> };
    // An output that is not known never resolves, and the program would end without a word.
    if (!(await output.isKnown)) {
      throw new Error(
        "The settings of the provider are not known before the update, so nothing can be looked up with it yet. " +
          "Give it settings that are known at preview.",
      );
    }
    config[key] = await new Promise((resolve) => void output.apply(resolve));
  };
  const stack = stackConfig();
  const settings: readonly Setting[] = ["apiUrl", "token", "team"];
  for (const setting of settings) {
    await put(`slipway:${setting}`, stack[setting]);
    if (provider instanceof Provider) await put(explicitKey(setting), provider.given[setting]);
  }
  return settingsFrom((key) => config[key]);
}
