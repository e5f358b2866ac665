import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";
import manifest from "../../package.json";
import { inFull } from "../support/slices";

const root = join(__dirname, "../..");

/** The declarations of the package that programs can import, by the name of the import. */
const entries = Object.entries(manifest.exports).flatMap(([name, target]) =>
  typeof target === "string" ? [] : [[join("slipway", name), target.types] as const],
);

/** The imports of packages in a file of declarations and in those that it imports, each with its file. */
function packagesOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  return ts.preProcessFile(readFileSync(file, "utf8")).importedFiles.flatMap(({ fileName }) => {
    if (!fileName.startsWith(".")) return [`${fileName} (${relative(root, file)})`];
    const target = join(dirname(file), fileName);
    const found = [`${target}.d.ts`, join(target, "index.d.ts")].find((path) => ts.sys.fileExists(path));
    return found ? packagesOf(found, seen) : [`${fileName} (${relative(root, file)})`];
  });
}

it.each(entries)("the types of %s need no package but those of Pulumi", (_, types) => {
  expect(packagesOf(join(root, types)).filter((name) => !name.startsWith("@pulumi/"))).toEqual([]);
});

it.each(entries)("TypeScript finds the types of %s by the older resolution too", (name, types) => {
  const versions: Record<string, string[]> = manifest.typesVersions["*"];
  const older = name === "slipway" ? manifest.types : versions[name.slice("slipway/".length)]?.[0];
  expect(join(".", older ?? "")).toBe(join(".", types));
});

/** The `tsconfig.json` of `pulumi new typescript`, as far as it changes what compiles. */
const settings: ts.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ES2020,
  module: ts.ModuleKind.CommonJS,
  moduleResolution: ts.ModuleResolutionKind.Node10,
  noFallthroughCasesInSwitch: true,
  noImplicitReturns: true,
  skipLibCheck: false,
  noEmit: true,
  types: ["node"],
  // The settings of the template are older than the TypeScript that runs here.
  ignoreDeprecations: "6.0",
};

const program = `
import * as pulumi from "@pulumi/pulumi";
import * as slipway from "slipway";
import { type SeedDocument, startServer } from "slipway/server";
import { type Hooks, type UsedServer, useServer } from "slipway/testing";

const web = new slipway.Project("web", { framework: "nextjs" });
new slipway.EnvVar("key", { project: web.id, key: "KEY", value: "v", target: ["production"] });
export const info: Promise<slipway.ProjectInfo> = slipway.getProject({ project: "web" });
export const values: pulumi.Output<slipway.EnvVarResult[]> = slipway.getEnvVarsOutput({ project: web.id });

const seed: SeedDocument = { users: [{ username: "ada" }], env: [] };
export const run = async (): Promise<string[]> => {
  const { control } = await startServer({ seed });
  const { projects } = await control.snapshot();
  await control.addFaults({ method: "GET", path: "/v9/projects", kind: "status", status: 503 });
  await control.deploy({ id: "dpl_1", team: "acme", project: "web" });
  return projects.map(({ name }) => name);
};

declare const hooks: Hooks;
const server: UsedServer = useServer({ hooks, seed, profile: "hosted" });
export const test = async (): Promise<string> => {
  const { name } = await server.request<{ name: string }>("GET", "/v9/projects/web");
  await server.control.setTxt("_vercel.example.com", name);
  return server.pulumiEnv.PULUMI_BACKEND_URL + server.env.SLIPWAY_TEAM;
};
`;

inFull(
  "a program compiles with the settings of pulumi new typescript",
  () => {
    const folder = mkdtempSync(join(root, "test/.program-"));
    try {
      const file = join(folder, "index.ts");
      writeFileSync(file, program);
      const messages = ts
        .getPreEmitDiagnostics(ts.createProgram([file], settings))
        .map(
          ({ messageText, file: at }) =>
            `${at?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
        );
      expect(messages).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  120_000,
);
