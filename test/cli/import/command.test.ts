import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunningServer } from "../../../server";
import { type Result, slipwayHere } from "../../support/cli";
import { startServer } from "../../support/profile";

let server: RunningServer;
let folder: string;
let state: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "slipway-test-"));
  server = await startServer();
  const web = await request("POST", "/v10/projects", { name: "web" });
  const variable = { key: "A", value: "canary-1", type: "sensitive", target: ["production"] };
  const { created } = await request("POST", "/v10/projects/web/env", variable);
  state = JSON.stringify({
    format_version: "1.0",
    values: {
      root_module: {
        resources: [
          shown("vercel_project", { id: web.id, name: "web" }),
          shown("vercel_project_environment_variable", {
            ...{ id: created.id, project_id: web.id, key: "A", value: "canary-1" },
          }),
          shown("vercel_project_domain", { domain: "canary-domain", project_id: web.id }),
        ],
      },
    },
  });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const shown = (type: string, values: object): object => ({
  address: `${type}.a`,
  mode: "managed",
  type,
  name: "a",
  values,
});

// biome-ignore lint/suspicious/noExplicitAny: the tests look into whatever the server answers
async function request(method: string, path: string, body: object): Promise<any> {
  const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
  const answer = await fetch(`${server.url}${path}?slug=acme`, {
    method,
    headers,
    body: JSON.stringify(body),
  });
  return answer.json();
}

/** A file with the state. */
function stateFile(): string {
  writeFileSync(join(folder, "given.tfstate"), state);
  return "given.tfstate";
}

const slipway = (args: readonly string[], input?: string): Promise<Result> => {
  const env = { SLIPWAY_API_URL: server.url, SLIPWAY_TOKEN: server.token, SLIPWAY_TEAM: "acme" };
  return slipwayHere(["import", ...args], env, { cwd: folder, ...(input !== undefined && { input }) });
};

it("imports the state on standard input, and prints the steps without a secret", async () => {
  const { code, stdout, stderr } = await slipway(["--from-terraform", "-", "--out", "moved"], state);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  expect(stderr).toContain(
    "slipway: wrote moved/index.ts, moved/import.json, moved/secrets.sh, moved/removed.tf for 2 resources\n",
  );
  expect(stderr).toContain("note: vercel_project_domain.a: ProjectDomain");
  expect(stdout).toMatch(/^4\. .*moved\/removed\.tf[\s\S]*terraform apply\n5\. Remove the protection\.$/m);
  expect(stdout + stderr).not.toContain("canary-1");
  const secretFiles = ["index.ts", "import.json", "secrets.sh", "removed.tf"].filter((name) =>
    readFileSync(join(folder, "moved", name), "utf8").includes("canary-1"),
  );
  expect(secretFiles).toEqual(["import.json", "secrets.sh"]);
  for (const name of secretFiles) expect(statSync(join(folder, "moved", name)).mode & 0o777).toBe(0o600);
});

it("marks each secret for the engine in the import file of the plugin", async () => {
  expect((await slipway(["--from-terraform", stateFile(), "--plugin"])).code).toBe(0);
  const text = readFileSync(join(folder, "import.json"), "utf8");
  const { resources } = JSON.parse(text) as { resources: { outputs: Record<string, unknown> }[] };
  const signature = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
  expect(resources.map(({ outputs }) => outputs.value)).toContainEqual({
    ...signature,
    plaintext: JSON.stringify("canary-1"),
  });
  expect(text.replaceAll(JSON.stringify(JSON.stringify("canary-1")), "")).not.toContain("canary-1");
});

it("overwrites the files of an earlier move only with --force", async () => {
  writeFileSync(join(folder, "removed.tf"), "old");
  const refused = await slipway(["--from-terraform", stateFile()]);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    "slipway: removed.tf exists already. Choose another folder with --out, or overwrite with --force.\n",
  ]);
  expect(existsSync(join(folder, "index.ts"))).toBe(false);
  expect((await slipway(["--from-terraform", stateFile(), "--force"])).code).toBe(0);
  expect(readFileSync(join(folder, "removed.tf"), "utf8")).toContain("removed {");
});

it("replaces regular files only", async () => {
  writeFileSync(join(folder, "target"), "kept");
  symlinkSync("target", join(folder, "secrets.sh"));
  const { code, stderr } = await slipway(["web", "--force"]);
  expect([code, stderr]).toEqual([
    1,
    "slipway: secrets.sh is not a regular file. Choose another folder with --out.\n",
  ]);
  expect(readFileSync(join(folder, "secrets.sh"), "utf8")).toBe("kept");
});

it("refuses a selection of objects beside a state", async () => {
  for (const args of [["web"], ["--promotions"], ["--members"], ["--from-pulumiverse", "-"]]) {
    const { code, stderr } = await slipway(["--from-terraform", stateFile(), ...args]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/imports everything in the state\. Remove/)]);
  }
});

it.each(["../../x", "web//x", "web/", "/web", "web/./A"])("refuses the selection %s", async (selection) => {
  const { code, stdout, stderr } = await slipway(["web", selection]);
  expect([code, stdout, stderr]).toEqual([
    2,
    "",
    `slipway: ${selection} does not name an object. Name a project (web), an environment (web/staging), a domain ` +
      "(web/www.example.com), a variable (web/KEY/production), a DNS record (example.com/rec_1) or a member (ada@example.com).\n",
  ]);
});

it("says where to look for an object that does not exist", async () => {
  const { code, stderr } = await slipway(["web/NOPE/production"]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/: 404 .*\. Check the name, and the account that SLIPWAY_TEAM selects\.\s/),
  ]);
});

it("names a file that it cannot read, and no content of one that is no state", async () => {
  const missing = await slipway(["--from-terraform", "missing.tfstate"]);
  expect([missing.code, missing.stderr]).toEqual([
    1,
    expect.stringMatching(/^slipway: missing\.tfstate cannot be read \(ENOENT/),
  ]);
  for (const text of ['{ "canary', '{ "version": 4, "resources": ["canary"] }']) {
    const { code, stdout, stderr } = await slipway(["--from-terraform", "-"], text);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^slipway: The standard input is not a (valid )?Terraform state/),
    ]);
    expect(stdout + stderr).not.toContain("canary");
  }
});
