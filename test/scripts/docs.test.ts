import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { transformSync } from "@swc/core";
import ts from "typescript";
import { Client } from "../../provider/client/client";
import { settingsFrom } from "../../provider/client/config";
import type { Resource } from "../../provider/core/resource";
import * as lookups from "../../provider/lookups";
import { domainVerification } from "../../provider/resources/domain-verification";
import { envVar } from "../../provider/resources/env-var";
import { envVars } from "../../provider/resources/env-vars";
import { project } from "../../provider/resources/project";
import { projectDomain } from "../../provider/resources/project-domain";
import { promotion } from "../../provider/resources/promotion";
import { autoNamedKey } from "../../provider/trampoline";
import { type RunningServer, startServer } from "../../server";
import { brokenLinks, pagesUnder } from "../support/links";
import { root } from "../support/server";

const pages = [
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...pagesUnder(root, "docs"),
  ...pagesUnder(root, "examples"),
];

const textOf = (page: string): string => readFileSync(join(root, page), "utf8");

it("has the tables of fields as the schemas have them", () => {
  execFileSync(process.execPath, [join(root, "scripts/docs.mjs"), "--check"], { stdio: "pipe" });
});

it("links to what is there", () => {
  expect(brokenLinks(root, pages)).toEqual([]);
});

const resources: Record<string, Resource> = Object.fromEntries(
  [domainVerification, envVar, envVars, project, projectDomain, promotion].map((one) => [one.type, one]),
);

/** What the server has, as a mock answers a look-up. */
async function answerTo(
  name: string,
  inputs: lookups.DeploymentQuery & { search?: string },
): Promise<object> {
  const client = new Client(settingsFrom(() => undefined));
  const { project, search } = inputs;
  const answers: Record<string, () => Promise<object>> = {
    getProject: () => lookups.findProject(client, project),
    getProjects: async () => ({ projects: await lookups.findProjects(client, search) }),
    getProjectDomains: async () => ({ domains: await lookups.findDomains(client, project) }),
    getEnvVars: async () => ({ variables: await lookups.findVariables(client, project) }),
    getPromoteAliases: async () => ({ aliases: await lookups.findPromoteAliases(client, project) }),
    getDeployment: () => lookups.findDeployment(client, inputs),
  };
  try {
    return (await answers[name]?.()) ?? {};
  } finally {
    await client.close();
  }
}

const resolved = <T>(output: pulumi.Output<T>): Promise<T> =>
  new Promise((resolve) => void output.apply(resolve));

const secretKey = "4dabf18193072939515e22adb298388d";

/** Inputs without the marks of secrets. */
function inClear<T>(value: T): T {
  if (Array.isArray(value)) return value.map(inClear) as T;
  if (typeof value !== "object" || value === null) return value;
  if (secretKey in value) return inClear((value as { value?: T }).value as T);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inClear(item)])) as T;
}

/** The programs in the pages, each of which is whole. */
const programs = pages.flatMap((page) =>
  [...textOf(page).matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, text = ""], i) => ({
    name: `${page} ${i + 1}`,
    text,
  })),
);

describe("the programs in the pages", () => {
  const fileOf = (i: number): string => join(root, `excerpt-${i}.mts`);
  const hover = `import { Project } from "slipway";\nconst web = new Project("web", { buildCommand: "", trustedIps: null });\nweb.accountId;\nnew Project("api", { dataCache: 3 });`;
  const sources = new Map([
    ...programs.map(({ text }, i): [string, string] => [fileOf(i), `${text}\nexport {};`]),
    [fileOf(-1), hover],
  ]);
  const service = ts.createLanguageService({
    getScriptFileNames: () => [...sources.keys()],
    getScriptVersion: () => "1",
    getScriptSnapshot(file) {
      const text = sources.get(file) ?? ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCompilationSettings: () => ({
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: ["node"],
    }),
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (file) => sources.has(file) || ts.sys.fileExists(file),
    readFile: (file) => sources.get(file) ?? ts.sys.readFile(file),
    directoryExists: ts.sys.directoryExists,
    realpath: (file) => ts.sys.realpath?.(file) ?? file,
  });

  it("have no type errors", () => {
    const problems = programs.flatMap(({ name }, i) =>
      service
        .getSemanticDiagnostics(fileOf(i))
        .map(({ messageText }) => `${name}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`),
    );
    expect(programs.length).toBeGreaterThan(10);
    expect(problems).toEqual([]);
  }, 120_000);

  it("are helped by an editor, which shows what each input and output is", () => {
    const shown = (input: string): string =>
      ts.displayPartsToString(
        service.getQuickInfoAtPosition(fileOf(-1), hover.indexOf(input) + 1)?.documentation,
      );
    expect(shown("buildCommand")).toBe("Command that builds; null to let the framework decide.");
    expect(shown("trustedIps")).toContain("Addresses that pass the protection");
    expect(shown("accountId")).toContain("team or user");
  });

  it("are told of a wrong input by the name of what it should be", () => {
    const [problem] = service.getSemanticDiagnostics(fileOf(-1));
    expect(ts.flattenDiagnosticMessageText(problem?.messageText, "\n")).toMatch(
      /^Type 'number' is not assignable to type 'Input<ProjectDataCacheArgs \| undefined>'/,
    );
  });

  describe("run", () => {
    let server: RunningServer;
    let problems: string[];
    const environment = { ...process.env };
    beforeAll(async () => {
      const at = { team: "acme", project: "web" };
      server = await startServer({
        seed: {
          projects: [
            { team: "acme", name: "web" },
            { team: "acme", name: "api" },
          ],
          deployments: ["web", "api"].map((name) => ({
            ...at,
            project: name,
            id: `dpl_${name}`,
            readyState: "READY" as const,
            gitBranch: "main",
            gitSha: "abc",
          })),
        },
      });
      Object.assign(process.env, {
        SLIPWAY_API_URL: server.url,
        SLIPWAY_TOKEN: server.token,
        SLIPWAY_TEAM: "acme",
        GIT_COMMIT: "abc",
      });
    });
    afterAll(async () => {
      process.env = environment;
      await server.close();
    });
    beforeEach(async () => {
      problems = [];
      await pulumi.runtime.setMocks({
        newResource({ type, name, inputs }) {
          const { __provider, [autoNamedKey]: _, ...declared } = inClear(inputs);
          const failures = resources[type.split(":").at(-1) ?? ""]?.check({}, declared) ?? [];
          problems.push(...failures.map(({ reason }) => `${name}: ${reason}`));
          // So that a look-up by the id of a project finds what the server has.
          const id = type.endsWith(":Project") ? String(declared.name) : `${name}-id`;
          return { id, state: { verification: [], bypassSecrets: {}, ...declared } };
        },
        call: ({ token, inputs }) => answerTo(token.split(":").at(-1) ?? "", inputs),
      });
      const given = ["apiKey", "agencyToken"].map((key) => [`project:${key}`, "a-secret"]);
      pulumi.runtime.setAllConfig(Object.fromEntries(given));
    });

    const modules: Record<string, () => unknown> = {
      "@pulumi/pulumi": () => pulumi,
      slipway: () => require("../../sdk"),
      "slipway/server": () => require("../../server"),
    };
    const AsyncFunction = (async () => {}).constructor as FunctionConstructor;

    it.each(programs)("$name, with inputs that are accepted", async ({ text }) => {
      const { code } = transformSync(text, {
        jsc: { target: "es2023", parser: { syntax: "typescript" } },
        module: { type: "commonjs" },
        swcrc: false,
      });
      const load = (name: string): unknown => modules[name]?.() ?? require(name);
      const exported: Record<string, unknown> = {};
      await AsyncFunction("require", "exports", code)(load, exported);
      await resolved(pulumi.output(exported));
      await pulumi.runtime.disconnect();
      expect(problems).toEqual([]);
    });
  });
});

it.each(Object.values(resources))("the inputs of $type that replace say so", ({ replaceOn, type }) => {
  const kebab = type.replace(/(?!^)[A-Z]/g, "-$&").toLowerCase();
  const rows = textOf(`docs/resources/${kebab}.md`).matchAll(/^\| `(\w+)` +\|.*Changing it replaces/gm);
  expect([...rows].map(([, input]) => input)).toEqual(replaceOn);
});

it("has the examples name the versions that they are tested with", () => {
  const versionsOf = (file: string): Record<string, string> => {
    const { name, version, dependencies, devDependencies } = JSON.parse(textOf(file));
    return { ...devDependencies, ...dependencies, ...(version && { [name]: version }) };
  };
  const ours = versionsOf("package.json");
  const files = readdirSync(join(root, "examples")).map((name) => `examples/${name}/package.json`);
  const found = files.filter((file) => existsSync(join(root, file)));
  expect(found.length).toBeGreaterThan(5);
  for (const file of found) expect(ours).toMatchObject(versionsOf(file));
});
