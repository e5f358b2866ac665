import { importFiles } from "../../../cli/import/files";
import { formerTools } from "../../../cli/import/former-tools";
import { importPulumiverse, type PulumiverseImport } from "../../../cli/import/pulumiverse/import";
import { releaseScript } from "../../../cli/import/pulumiverse/release";
import { nextSteps } from "../../../cli/import/steps";
import type { Plain } from "../../../provider/core/values";
import { type Harness, startHarness } from "../../provider/stack";
import { type ReplayedAccount, replayAccount } from "../../support/recorded-account";

/** The account and the state were made by @pulumiverse/vercel 3.15. */
let w: Harness;
let team: string;
beforeEach(async () => {
  w = await startHarness();
  const addons = ["advanced-deployment-protection"];
  await w.server.control.changeTeam("acme", { plan: "enterprise", addons });
  team = (await curl<{ id: string }>("GET", "/v2/teams/acme")).id;
});
afterEach(() => w.close());

const curl = async <T>(method: string, path: string, body?: object): Promise<T> =>
  (await w.curl(method, path, body)) as unknown as T;

const replay = (): Promise<ReplayedAccount> => replayAccount("pulumiverse", team, curl);

const importStack = (stack: object | string): Promise<PulumiverseImport> =>
  importPulumiverse(w.client, typeof stack === "string" ? stack : JSON.stringify(stack), {
    source: "stack.json",
  });

const urnOf = (type: string, name: string): string => `urn:pulumi:test::web::${type}::${name}`;

const resourceOf = (type: string, name: string, outputs: Plain, more: Plain = {}): Plain => {
  const token = `vercel:index/${type.charAt(0).toLowerCase()}${type.slice(1)}:${type}`;
  return { urn: urnOf(token, name), type: token, custom: true, id: outputs.id, outputs, ...more };
};

const provider = {
  urn: urnOf("pulumi:providers:vercel", "default"),
  type: "pulumi:providers:vercel",
  custom: true,
};

const stackOf = (...resources: Plain[]): object => ({ version: 3, deployment: { resources } });

const makeProject = async (name: string): Promise<string> =>
  (await curl<{ id: string }>("POST", "/v10/projects", { name })).id;

it("imports what the bridged provider manages, with its names and secrets", async () => {
  const account = await replay();
  const { found, notes } = await importStack(account.file("stack.json"));
  expect(notes).toEqual([]);
  const counts = new Map<string, number>();
  for (const { type } of found) counts.set(type, (counts.get(type) ?? 0) + 1);
  expect(Object.fromEntries(counts)).toEqual({
    Project: 30,
    CustomEnvironment: 1,
    ProjectDomain: 18,
    EnvVar: 33,
    Webhook: 1,
  });
  expect(found.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["web", "web-domain", "shop-eu-site", "inline-SECRET-preview", "number-11"]),
  );
  const { program, importFile, secrets } = importFiles(found);
  for (const secret of ["canary", ...account.generated]) expect(program).not.toContain(secret);
  for (const secret of ["canary-password-web", "canary-token-wiki"]) expect(secrets).toContain(secret);
  expect(secrets).toContain("canary-'\\''db'\\'' production");
  for (const secret of account.generated) expect(importFile).toContain(secret);
  expect(program).toContain(
    'automation: { secret: values.apply((all) => all["web.protectionBypass.automation.secret"]) },',
  );
});

it("removes resources from the state before those that they depend on, and the provider last", async () => {
  const web = await makeProject("web");
  await curl("POST", "/v10/projects/web/domains", { name: "example.com" });
  const { release } = await importStack(
    stackOf(
      provider,
      resourceOf("Project", "it's", { id: web, name: "web", teamId: team }),
      resourceOf("ProjectDomain", "apex", { id: "example.com", domain: "example.com", projectId: web }),
    ),
  );
  const urns = [...release.matchAll(/^ {2}(urn:.*?|'urn:.*?')(?: \\)?$/gm)].map(([, urn]) => urn);
  expect(urns).toEqual([
    urnOf("vercel:index/projectDomain:ProjectDomain", "apex"),
    `'${urnOf("vercel:index/project:Project", "it'\\''s")}'`,
    provider.urn,
  ]);
});

it.each([
  [50, 1],
  [51, 2],
  [101, 3],
])("removes %i resources from the state with %i commands, the last one first", (count, commands) => {
  const urns = Array.from({ length: count }, (_, at) => `urn:pulumi:dev::web::some::${at}`);
  const script = releaseScript(urns);
  expect([...script.matchAll(/urn:\S+/g)].map(([urn]) => urn)).toEqual([...urns].reverse());
  expect(script.match(/^pulumi state delete --yes --force \\$/gm)).toHaveLength(commands);
});

it("the former resources are removed before the preview, and those of Terraform after it", () => {
  const stepsOf = (tool: keyof typeof formerTools, forPlugin: boolean) =>
    nextSteps("out of it", formerTools[tool], forPlugin);
  const order = (text: string, ...parts: string[]) => parts.map((part) => text.indexOf(part));
  const [moved, plugin, terraform] = [
    stepsOf("fromPulumiverse", false),
    stepsOf("fromPulumiverse", true),
    stepsOf("fromTerraform", false),
  ];
  const own = order(moved, "pulumi import", "sh 'out of it/release.sh'", "pulumi preview", "pulumi up --yes");
  expect(own).toEqual([...own].sort((a, b) => a - b));
  expect(own).not.toContain(-1);
  const others = order(terraform, "pulumi preview", "out of it/removed.tf", "pulumi up --yes");
  expect(others).toEqual([...others].sort((a, b) => a - b));
  expect(others).not.toContain(-1);
  expect(moved).toContain("--file 'out of it/import.json' --generate-code=false --yes\n");
  expect(plugin).toContain("--file 'out of it/import.json' --out 'out of it/generated' --yes\n");
  expect([moved, plugin].map((text) => text.includes('import "./out of it/index.ts"'))).toEqual([
    true,
    false,
  ]);
});

it("keeps what Slipway does not have, its provider and what was only read, and lists it", async () => {
  const web = await makeProject("web");
  const projectUrn = urnOf("vercel:index/project:Project", "web");
  const { found, notes, release } = await importStack(
    stackOf(
      provider,
      resourceOf("Project", "web", { id: web, name: "web", teamId: team }),
      resourceOf("Project", "read", { id: web, name: "web", teamId: team }, { external: true }),
      resourceOf("Network", "wall", { id: "x", projectId: web }, { dependencies: [projectUrn] }),
      resourceOf("Deployment", "first", { id: "dpl_1", projectId: web }),
      { urn: urnOf("aws:s3/bucket:Bucket", "files"), type: "aws:s3/bucket:Bucket", parent: projectUrn },
    ),
  );
  expect(found.map(({ name }) => name)).toEqual(["web"]);
  expect(notes).toEqual([
    "Network wall stays with @pulumiverse/vercel: Slipway has no resource for it.",
    expect.stringMatching(
      /^Deployment first stays with @pulumiverse\/vercel: existing deployments are not imported\. .* `pulumi state delete`/,
    ),
    "Network wall stays and depends on Project web. Refer to the new resource in the program, and run `pulumi up`, before you run release.sh.",
    "Bucket files stays and depends on Project web. Refer to the new resource in the program, and run `pulumi up`, before you run release.sh.",
  ]);
  expect([...release.matchAll(/urn:\S+/g)].map(([urn]) => urn)).toEqual([projectUrn]);
});

it("imports a tainted resource as it is, and none that is still to be deleted", async () => {
  const web = await makeProject("web");
  const { found, notes } = await importStack(
    stackOf(
      resourceOf("Project", "web", { id: web, name: "web", teamId: team }, { taint: true }),
      resourceOf("Project", "old", { id: "prj_old", name: "old", teamId: team }, { delete: true }),
    ),
  );
  expect(found.map(({ id }) => id)).toEqual([web]);
  expect(notes).toEqual([
    "Project web is tainted. It was imported as it is, and is not replaced.",
    "Project old has an object that @pulumiverse/vercel still has to delete. Let it do so before the move.",
  ]);
});

it("finds variables of lists and in resources of components", async () => {
  const web = await makeProject("web");
  const variable = { key: "A", value: "canary-1", type: "sensitive", target: ["production"] };
  const { created } = await curl<{ created: { id: string } }>("POST", "/v10/projects/web/env", variable);
  const secret = {
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    plaintext: '"canary-1"',
  };
  const variables = [{ id: created.id, key: "A", targets: ["production"], value: secret, sensitive: true }];
  const many = resourceOf("ProjectEnvironmentVariables", "many", { id: web, projectId: web, variables });
  const urn = "urn:pulumi:test::web::my:Site$vercel:index/projectEnvironmentVariables:X::site-many";
  const { found } = await importStack(stackOf({ ...many, urn }));
  expect(found.map(({ name, inputs }) => [name, inputs.value])).toEqual([["site-many-A", "canary-1"]]);
});

it("declares firewall bypasses by project, domain and address", async () => {
  const { id: projectId } = await curl<{ id: string }>("POST", "/v10/projects", { name: "web" });
  await curl("POST", `/v1/security/firewall/bypass?projectId=${projectId}`, {
    projectScope: true,
    sourceIp: "192.0.2.1",
  });
  const outputs = {
    id: `${projectId}#192.0.2.1`,
    projectId,
    teamId: team,
    domain: "*",
    sourceIp: "192.0.2.1",
  };
  const { found } = await importStack(stackOf(resourceOf("FirewallBypass", "office", outputs)));
  expect(found).toMatchObject([
    { type: "FirewallBypass", name: "office", id: `${projectId}/*/192.0.2.1`, inputs: { domain: "*" } },
  ]);
});

it("declares the attack challenge mode of a project", async () => {
  const { id: projectId } = await curl<{ id: string }>("POST", "/v10/projects", { name: "web" });
  await curl("POST", "/v1/security/attack-mode", { projectId, attackModeEnabled: true });
  const { found } = await importStack(
    stackOf(
      resourceOf("AttackChallengeMode", "challenge", {
        id: projectId,
        projectId,
        teamId: team,
        enabled: true,
      }),
    ),
  );
  expect(found).toMatchObject([
    { type: "AttackChallengeMode", name: "challenge", id: projectId, inputs: { enabled: true } },
  ]);
});

it("declares DNS records by domain and id", async () => {
  await curl("POST", "/v10/projects", { name: "dns" });
  await curl("POST", "/v10/projects/dns/domains", { name: "www.dns.example" });
  const record = { name: "", type: "MX", value: "mail.test", mxPriority: 10 };
  const { uid } = await curl<{ uid: string }>("POST", "/v2/domains/dns.example/records", record);
  const { found } = await importStack(
    stackOf(resourceOf("DnsRecord", "mail", { id: uid, domain: "dns.example", teamId: team, ...record })),
  );
  expect(found).toMatchObject([
    { type: "DnsRecord", name: "mail", id: `dns.example/${uid}`, inputs: { ...record, value: "mail.test." } },
  ]);
});

it("declares Edge Configs and their items", async () => {
  const items = { banner: "hello" };
  const { id } = await curl<{ id: string }>("POST", "/v1/edge-config", { slug: "flags", items });
  const item = { edgeConfigId: id, key: "banner", value: "hello", teamId: team };
  const { found } = await importStack(
    stackOf(
      resourceOf("EdgeConfig", "flags", { id, name: "flags", teamId: team }),
      resourceOf("EdgeConfigItem", "banner", { id: `${id}/banner`, ...item }),
    ),
  );
  expect(found).toMatchObject([
    { type: "EdgeConfig", name: "flags", id, inputs: { slug: "flags" } },
    { type: "EdgeConfigItem", name: "banner", id: `${id}/banner`, inputs: { key: "banner", value: "hello" } },
  ]);
});

it("declares log drains with their secrets", async () => {
  const secret = `canary-${"s".repeat(32)}`;
  const delivery = { type: "http", endpoint: "https://logs.test/", encoding: "json", secret };
  const body = { name: "audit", projects: "all", schemas: { log: { version: "v1" } }, delivery };
  const { id } = await curl<{ id: string }>("POST", "/v1/drains", body);
  const { found } = await importStack(
    stackOf(resourceOf("LogDrain", "logs", { id, teamId: team, deliveryFormat: "json", secret })),
  );
  expect(found).toMatchObject([{ type: "LogDrain", name: "logs", id, inputs: { name: "audit", secret } }]);
});

it("declares shared variables and their links", async () => {
  const { id: project } = await curl<{ id: string }>("POST", "/v10/projects", { name: "shared" });
  const body = { evs: [{ key: "S", value: "canary-1" }], type: "encrypted", target: ["production"] };
  const { created } = await curl<{ created: [{ id: string }] }>("POST", "/v1/env", {
    ...body,
    projectId: [project],
  });
  const [{ id }] = created;
  const { found } = await importStack(
    stackOf(
      resourceOf("SharedEnvironmentVariable", "s", { id, key: "S", targets: ["production"], teamId: team }),
      resourceOf("SharedEnvironmentVariableProjectLink", "link", {
        id: `${team}/${id}`,
        ...{ projectId: project, sharedEnvironmentVariableId: id, teamId: team },
      }),
    ),
  );
  expect(found).toMatchObject([
    { type: "SharedEnvVar", name: "s", id, inputs: { key: "S", value: "canary-1", type: "encrypted" } },
    { type: "SharedEnvVarLink", name: "link", id: `${project}/${id}`, inputs: { sharedEnvVarId: id } },
  ]);
});

const secretOf = (value: string) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  plaintext: JSON.stringify(value),
});

it("imports the state of an SST app and the checkpoint of a backend", async () => {
  const id = await makeProject("web");
  const state = { resources: [provider, resourceOf("Project", "web", { id, name: "web", teamId: team })] };
  const ofSst = await importStack({ stack: "organization/app/dev", latest: state });
  const ofBackend = await importStack({ version: 3, checkpoint: { stack: "dev", latest: state } });
  for (const { found } of [ofSst, ofBackend])
    expect(found).toMatchObject([{ type: "Project", name: "web", id }]);
  expect(ofSst.release).toContain('sst state remove web "$@"');
  expect(ofSst.notes.join()).toContain("is the state of an SST app. Run release.sh in the folder of the app");
  expect(ofBackend.release).toContain("pulumi state delete --yes");
});

it("puts inputs that the state marks as secret into the configuration", async () => {
  const id = await makeProject("web");
  await curl("PATCH", `/v9/projects/${id}`, {
    buildCommand: "KEY=canary npm run build",
    framework: "nextjs",
  });
  const outputs = { id, name: "web", teamId: team, buildCommand: secretOf("KEY=canary npm run build") };
  const { found } = await importStack(stackOf(resourceOf("Project", "web", outputs)));
  const { program, secrets, importFile } = importFiles(found);
  expect(program).not.toContain("canary");
  expect(program).toContain('framework: "nextjs"');
  expect(program).toContain('all["web.buildCommand"]');
  expect(secrets).toContain("KEY=canary npm run build");
  expect(JSON.parse(importFile).resources[0].inputs.buildCommand).toMatchObject({
    plaintext: expect.any(String),
  });
});

it.each<[string, string | object, RegExp]>([
  ["a text that is not JSON", "name: web", /is not the export of a Pulumi stack, which is JSON/],
  [
    "a Terraform state",
    { version: 4, resources: [] },
    /is not the export .*`pulumi stack export --show-secrets/,
  ],
  [
    "a Terraform state with its version",
    { version: 4, terraform_version: "1.9.0", resources: [] },
    /is the state of Terraform\. Use --from-terraform\./,
  ],
  [
    "a stack of other packages",
    {
      version: 3,
      deployment: { resources: [{ urn: "urn:pulumi:a::b::aws:s3:Bucket::x", type: "aws:s3:Bucket" }] },
    },
    /has no resource of @pulumiverse\/vercel\. Its packages are aws\./,
  ],
  [
    "encrypted secrets of an SST app",
    {
      latest: {
        resources: [
          resourceOf("Webhook", "hook", {
            secret: {
              "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
              ciphertext: "v1:x",
            },
          }),
        ],
      },
    },
    /has encrypted secrets, .*sst state export --decrypt/,
  ],
  [
    "an empty stack",
    { version: 3, deployment: {} },
    /has no resource of @pulumiverse\/vercel\. Check the stack/,
  ],
  [
    "encrypted secrets",
    stackOf(
      resourceOf("Webhook", "hook", {
        id: "x",
        secret: {
          "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
          ciphertext: "v1:x",
        },
      }),
    ),
    /has encrypted secrets, .*--show-secrets/,
  ],
  [
    "the stack of another team",
    stackOf(resourceOf("Project", "web", { id: "prj_1", name: "web", teamId: "team_other" })),
    /belong to team_other, .* Set SLIPWAY_TEAM=team_other\./,
  ],
])("refuses %s with a hint", async (_, stack, message) => {
  await expect(importStack(stack)).rejects.toThrow(message);
});
