import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { transformSync } from "@swc/core";
import ts from "typescript";
import { parse } from "yaml";
import { Client } from "../../provider/client/client";
import { settingsFrom } from "../../provider/client/config";
import type { Resource } from "../../provider/core/resource";
import { lookupNamed, lookupsById } from "../../provider/lookups/by-id";
import { resources as all } from "../../provider/resources";
import { type RunningServer, startServer } from "../../server";
import { brokenLinks } from "../support/links";
import { blocksOf, pages, textOf } from "../support/pages";
import { root } from "../support/server";
import { firstOfEach, inFull } from "../support/slices";

inFull("has the tables of fields as the schemas have them", () => {
  execFileSync(process.execPath, [join(root, "scripts/docs.mjs"), "--check"], { stdio: "pipe" });
});

it("links to what is there", () => {
  expect(brokenLinks(root, pages)).toEqual([]);
});

const resources: Record<string, Resource> = Object.fromEntries(
  Object.values(all).map((one) => [one.type, one]),
);

/** The objects of the server, as a mock answers a look-up. */
async function answerTo(name: string, inputs: object): Promise<object> {
  const lookup = lookupNamed(name);
  if (!lookup) return {};
  const client = new Client(settingsFrom(() => undefined));
  try {
    const answer: unknown = await lookup.find(client, inClear(inputs as Record<string, unknown>), () => {});
    return lookup.list === undefined ? (answer as object) : { [lookup.list]: answer };
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

/** Makes a resource as the engine does: by the provider that its inputs name. Nobody creates a component. */
async function made({ type, name, inputs }: pulumi.runtime.MockResourceArgs): Promise<MockResult> {
  if (type === "pulumi:pulumi:StackReference") return otherStack(name);
  const { __provider: text, ...declared } = inClear(inputs);
  if (typeof text !== "string") return { id: name, state: declared };
  const module: { exports: { handler?: () => pulumi.dynamic.ResourceProvider } } = { exports: {} };
  const load = (name: string): unknown =>
    name === "slipway/dynamic" ? require("../../provider/dynamic") : require(name);
  new Function("module", "exports", "require", text)(module, module.exports, load);
  const provider = module.exports.handler?.();
  if (!provider) throw new Error(`${type} ${name} has no provider`);
  const { inputs: checked = declared, failures = [] } = (await provider.check?.({}, declared)) ?? {};
  if (failures.length > 0) throw new Error(failures.map(({ reason }) => `${name}: ${reason}`).join("; "));
  const { id, outs } = await provider.create(checked);
  return { id, state: { ...declared, ...outs } };
}

/** A stack that exports the id of a project. */
async function otherStack(name: string): Promise<MockResult> {
  const { SLIPWAY_API_URL: url, SLIPWAY_TOKEN: token } = process.env;
  const response = await fetch(`${url}/v10/projects?slug=acme`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "web-dev" }),
  });
  const { id } = (await response.json()) as { id: string };
  return { id: name, state: { name, outputs: { projectId: id }, secretOutputNames: [] } };
}

type MockResult = pulumi.runtime.MockResourceResult;

/** The programs in the pages, each of which is whole. */
const programs = pages.flatMap((page) =>
  blocksOf(page)
    .filter(({ language }) => language === "ts")
    .map(({ text }, i) => ({ name: `${page} ${i + 1}`, page, text })),
);

describe("the programs in the pages", () => {
  const fileOf = (i: number): string => join(root, `excerpt-${i}.mts`);
  const hover = `import { Project } from "slipway";\nconst web = new Project("web", { buildCommand: "", trustedIps: null });\nweb.accountId;\nnew Project("api", { dataCache: 3 });`;
  const sources = new Map([
    [join(root, "txt-record.ts"), textOf("examples/quickstart/txt-record.ts")],
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
      allowImportingTsExtensions: true,
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

  inFull(
    "have no type errors",
    () => {
      const problems = programs.flatMap(({ name }, i) =>
        service
          .getSemanticDiagnostics(fileOf(i))
          .map(({ messageText }) => `${name}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`),
      );
      expect(programs.length).toBeGreaterThan(10);
      expect(problems).toEqual([]);
    },
    120_000,
  );

  inFull("are helped by an editor, which shows what each input and output is", () => {
    const shown = (input: string): string =>
      ts.displayPartsToString(
        service.getQuickInfoAtPosition(fileOf(-1), hover.indexOf(input) + 1)?.documentation,
      );
    expect(shown("buildCommand")).toBe("Build command; null for the default of the framework.");
    expect(shown("trustedIps")).toContain("IP addresses that may access deployments");
    expect(shown("accountId")).toContain("team or user");
  });

  inFull("report a wrong input with the name of the expected type", () => {
    const [problem] = service.getSemanticDiagnostics(fileOf(-1));
    expect(ts.flattenDiagnosticMessageText(problem?.messageText, "\n")).toMatch(
      /^Type 'number' is not assignable to type 'Input<ProjectDataCacheArgs \| undefined>'/,
    );
  });

  /** The keys that programs read from the configuration of their stack. */
  const configured = programs.flatMap(({ text }) =>
    [...text.matchAll(/\.requireSecret\("(\w+)"\)/g)].map(([, key]) => key ?? ""),
  );

  /** The variables of the environment that programs name as sources of values. */
  const fromOutside = programs.flatMap(({ text }) =>
    [...text.matchAll(/valueFrom: { environment: "(\w+)" }/g)].map(([, name]) => [name ?? "", "a-value"]),
  );

  describe("run", () => {
    let server: RunningServer;
    let failures: unknown[];
    const environment = { ...process.env };
    beforeEach(() => {
      failures = [];
      pulumi.runtime.setAllConfig(
        Object.fromEntries(configured.map((key) => [`project:${key}`, "a-secret-of-at-least-32-characters"])),
      );
    });
    afterEach(async () => {
      process.env = { ...environment };
      await server.close();
    });

    const noted = <T>(step: Promise<T>): Promise<T> =>
      step.catch((error: unknown) => {
        failures.push(error);
        throw error;
      });

    const modules: Record<string, () => unknown> = {
      "@pulumi/pulumi": () => pulumi,
      slipway: () => require("../../sdk"),
      "slipway/server": () => require("../../server"),
      "./txt-record.ts": () => require("../../examples/quickstart/txt-record"),
    };
    const AsyncFunction = (async () => {}).constructor as FunctionConstructor;

    // Mocks of Pulumi know no hooks: hooks.long.test.ts runs that program with the CLI.
    const folderOf = ({ page }: { page: string }) => dirname(page);
    const mockable = programs.filter(({ text }) => !text.includes("ResourceHook"));
    it.each(firstOfEach(mockable, folderOf))(
      "$name, on a fresh server with what the page names",
      async ({ page, text }) => {
        const seed = textOf(page).includes("seed.yaml") ? parse(textOf("examples/seed.yaml")) : undefined;
        const controlToken = "control-token";
        server = await startServer({ controlToken, seed });
        Object.assign(process.env, {
          SLIPWAY_API_URL: server.url,
          SLIPWAY_TOKEN: server.token,
          SLIPWAY_TEAM: "acme",
          SLIPWAY_CONTROL_TOKEN: controlToken,
          ...Object.fromEntries(fromOutside),
        });
        await pulumi.runtime.setMocks({
          newResource: (args) => noted(made(args)),
          call: ({ token, inputs }) => noted(answerTo(token.split(":").at(-1) ?? "", inputs)),
        });
        const { code } = transformSync(text, {
          jsc: { target: "es2023", parser: { syntax: "typescript" } },
          module: { type: "commonjs" },
          swcrc: false,
        });
        const load = (name: string): unknown => modules[name]?.() ?? require(name);
        const exported: Record<string, unknown> = {};
        await noted(AsyncFunction("require", "exports", code)(load, exported));
        await resolved(pulumi.output(exported));
        await pulumi.runtime.disconnect();
        expect(failures).toEqual([]);
      },
    );
  });
});

it.each(Object.values(resources))("the inputs of $type that replace say so", ({ traits, type }) => {
  const kebab = type.replace(/(?!^)[A-Z]/g, "-$&").toLowerCase();
  const rows = textOf(`docs/resources/${kebab}.md`).matchAll(/^\| `(\w+)` +\|.*Changing it replaces/gm);
  expect([...rows].map(([, input]) => input)).toEqual(traits.replaceOn);
});

it("the page of each resource names its look-up by id", () => {
  for (const [name, { resource }] of Object.entries(lookupsById)) {
    const kebab = resource.type.replace(/(?!^)[A-Z]/g, "-$&").toLowerCase();
    expect(textOf(`docs/resources/${kebab}.md`)).toContain(`[\`${name}\`](lookups.md#look-ups-by-id)`);
  }
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

it("names the version of the package in pages and examples", () => {
  const { version } = JSON.parse(textOf("package.json"));
  const files = [...pages.filter((page) => page !== "CHANGELOG.md"), "examples/compose/compose.yaml"];
  const named = files.flatMap((file) => [...textOf(file).matchAll(/\bslipway[-:@ ](\d+\.\d+\.\d+)/g)]);
  expect(named.length).toBeGreaterThan(8);
  for (const [text, found] of named) expect([text, found]).toEqual([text, version]);
});

it("promises the versions that the package asks for and set-up provides", () => {
  const { engines, dependencies, devDependencies, peerDependencies } = JSON.parse(textOf("package.json"));
  const node = engines.node.replace(">=", "");
  const [oldest, pinned] = ["oldest", "pinned"].map(
    (which) => new RegExp(`${which}Version = "(3\\.[\\d.]+)"`).exec(textOf("scripts/setup/pulumi.mjs"))?.[1],
  );
  for (const page of ["README.md", "docs/guides/upgrading.md"]) {
    expect(textOf(page)).toContain(`${node} or later`);
    expect(textOf(page)).toContain(`${oldest}`);
    expect(textOf(page)).toContain(`${pinned}`);
  }
  expect(textOf("docs/guides/upgrading.md")).toContain(devDependencies.pulumi);
  expect(devDependencies["@pulumi/pulumi"]).toMatch(/^\d/);
  expect(textOf("docs/guides/upgrading.md")).toContain(devDependencies["@pulumi/pulumi"]);
  expect(textOf("docs/guides/upgrading.md")).toContain(peerDependencies["@pulumi/pulumi"].slice(1));
  expect(dependencies).not.toHaveProperty("@pulumi/pulumi");
});

// With a copy of its own, mocks and inline programs do not reach the resources.
it("uses the program's copy of Pulumi's packages, which the template installs", () => {
  const { dependencies, peerDependencies } = JSON.parse(textOf("package.json"));
  const template = JSON.parse(textOf("templates/slipway-typescript/package.json"));
  for (const name of ["@pulumi/policy", "@pulumi/pulumi"]) {
    expect(dependencies).not.toHaveProperty(name);
    expect(peerDependencies[name]).toMatch(/^\^/);
    expect(template.dependencies).toHaveProperty(name);
  }
});
