import { spawnSync } from "node:child_process";
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { leftOutParts, unreadParts } from "../../cli/objects/kind";
import { type Project, projectList, projectRow } from "../../cli/objects/project";
import { SnapshotFile } from "../../cli/snapshot/file";
import { SnapshotInMemory } from "../../cli/snapshot/memory";
import { AccountReader, type ReadOptions } from "../../cli/snapshot/read";
import { Client, type Request } from "../../provider/client/client";
import { ApiError } from "../../provider/client/errors";
import type { SeedDocument } from "../../server";
import { runChild } from "../support/child";
import { block } from "../support/pages";
import { startServer } from "../support/profile";
import { ask, fillAccount, hasNoPromotion, randomRequests, slugs, token } from "../support/random-account";
import { useReceivers } from "../support/receiver";
import { openRecordingProxy } from "../support/recording-proxy";
import { until } from "../support/until";

const runs = process.env.SLIPWAY_TEST_LONG ? 200 : 3;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function snapshot(url: string, args: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const child = runChild("cli/command.ts", ["snapshot", ...args], {
    SLIPWAY_API_URL: url,
    SLIPWAY_TOKEN: token,
    SLIPWAY_TEAM: slugs[0],
    ...env,
  });
  return { code: await child.exited, ...child.output() };
}

async function documentOf(url: string, args: string[] = []): Promise<SeedDocument> {
  const file = join(folder, "account.json");
  const { code, stderr } = await snapshot(url, [...args, "-o", file, "--force"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("slipway: wrote") });
  return JSON.parse(readFileSync(file, "utf8"));
}

/** The document that the command writes. */
async function read(url: string, withValues: boolean): Promise<SeedDocument> {
  const client = new Client({ apiUrl: url, token, team: slugs[0] });
  const snapshot = new SnapshotInMemory(url);
  await new AccountReader(client, snapshot, { withValues }).read();
  await client.close();
  return JSON.parse(JSON.stringify(snapshot.document));
}

/** A server that starts from a snapshot, with a token for its account. */
const copyOf = (document: SeedDocument, user = `owner-of-${slugs[0]}`) =>
  startServer({
    developmentAccount: false,
    seed: { ...document, tokens: [{ token, user }] },
  });

const withoutTimes = ({ createdAt: _, updatedAt: __, ...item }: Record<string, unknown>) => item;
const withoutPartial = ({ partialToken: _, ...token }: Record<string, unknown>) => token;
/** A flag, whose versions are not kept. */
const withoutRevision = ({ revision: _, updatedBy: __, ...flag }: Record<string, unknown>) => flag;

/** A deployment without its page, which is on the dashboard of the server that was asked. */
const withoutPage = ({ inspectorUrl: _, ...deployment }: Record<string, unknown>) => deployment;

/** Everything that the API tells of an account, without what is encrypted again. */
async function toldBy(url: string): Promise<unknown> {
  const { projects } = await ask(url, "GET", "/v9/projects?limit=100");
  const told = [];
  for (const { id } of projects) {
    const { env, ...project } = await ask(url, "GET", `/v9/projects/${id}`);
    told.push({
      ...project,
      protectionBypass: Object.entries(project.protectionBypass),
      domains: await ask(url, "GET", `/v9/projects/${id}/domains?limit=100`),
      env: await variablesToldBy(url, id),
      environments: await ask(url, "GET", `/v9/projects/${id}/custom-environments`),
      promoted: await ask(url, "GET", `/v1/projects/${id}/promote/aliases`).then(({ aliases = [] }) =>
        aliases.map(({ alias, status }: { alias: string; status: string }) => [alias, status]),
      ),
      shown: env.map(({ id }: { id: string }) => id),
    });
  }
  const { data } = await ask(url, "GET", "/v1/env?limit=50");
  return {
    shared: await Promise.all(data.map(({ id }: { id: string }) => ask(url, "GET", `/v1/env/${id}`))),
    projects: told,
    team: await ask(url, "GET", `/v2/teams/${slugs[0]}`),
    deployments: (await ask(url, "GET", "/v6/deployments?limit=100")).deployments.map(withoutPage),
    aliases: await ask(url, "GET", "/v4/aliases?limit=100"),
    firewallBypasses: await Promise.all(
      (await ask(url, "GET", "/v9/projects?limit=100")).projects
        .map(({ id }: { id: string }) => id)
        .sort()
        .map((id: string) => ask(url, "GET", `/v1/security/firewall/bypass?projectId=${id}`)),
    ),
    firewallConfigs: await Promise.all(
      (await ask(url, "GET", "/v9/projects?limit=100")).projects
        .map(({ id }: { id: string }) => id)
        .sort()
        .map((id: string) => ask(url, "GET", `/v1/security/firewall/config?projectId=${id}`)),
    ),
    routing: await Promise.all(
      (await ask(url, "GET", "/v9/projects?limit=100")).projects
        .map(({ id }: { id: string }) => id)
        .sort()
        .map(async (id: string) => [
          (await ask(url, "GET", `/v1/bulk-redirects?projectId=${id}`)).redirects,
          (await ask(url, "GET", `/v1/projects/${id}/routes`)).routes,
        ]),
    ),
    projectMembers: await Promise.all(
      (await ask(url, "GET", "/v9/projects?limit=100")).projects
        .map(({ id }: { id: string }) => id)
        .sort()
        .map((id: string) => ask(url, "GET", `/v1/projects/${id}/members`)),
    ),
    accessGroups: await Promise.all(
      (await ask(url, "GET", "/v1/access-groups")).accessGroups.map(
        async (group: { accessGroupId: string }) => {
          const path = `/v1/access-groups/${group.accessGroupId}`;
          const [{ members }, { projects }] = await Promise.all(
            ["members", "projects"].map((part) => ask(url, "GET", `${path}/${part}`)),
          );
          // The times at which members were added are not kept.
          return { group, members: members.map(withoutTimes), projects: projects.map(withoutTimes) };
        },
      ),
    ),
    microfrontends: await ask(url, "GET", "/v1/microfrontends/groups"),
    edgeConfigs: await Promise.all(
      (await ask(url, "GET", "/v1/edge-config")).map(
        async ({ digest: _, ...config }: { id: string; digest: string }) => ({
          config,
          // Of the times of items, those of the Edge Config are kept, and the values of tokens are not told.
          items: (await ask(url, "GET", `/v1/edge-config/${config.id}/items`)).map(withoutTimes),
          tokens: (await ask(url, "GET", `/v1/edge-config/${config.id}/tokens`)).map(withoutPartial),
        }),
      ),
    ),
    blobStores: (await ask(url, "GET", "/v1/storage/stores")).stores,
    accountDomains: await ask(url, "GET", "/v5/domains?limit=100"),
    dnsRecords: await ask(url, "GET", "/v5/domains/example.com/records"),
    members: (await ask(url, "GET", `/v3/teams/${slugs[0]}/members`)).members,
    webhooks: await ask(url, "GET", "/v1/webhooks"),
    logDrains: await ask(url, "GET", "/v1/log-drains"),
    featureFlags: await Promise.all(
      ["flags", "flags?state=archived", "segments", "sdk-keys"].map(async (list) =>
        (await ask(url, "GET", `/v1/projects/decorated/feature-flags/${list}`)).data.map(withoutRevision),
      ),
    ),
    certificates: await ask(url, "GET", "/v8/certs?limit=100"),
    installations: (await ask(url, "GET", "/v1/integrations/configurations?view=account")).map(withoutTimes),
  };
}

/** The variables of a project, with their values, which lists have only on the profile `specification`. */
async function variablesToldBy(url: string, project: string): Promise<unknown[]> {
  const { envs } = await ask(url, "GET", `/v9/projects/${project}/env`);
  return Promise.all(
    envs.map(async ({ id, value: _, ...listed }: { id: string; value?: string }) => ({
      listed,
      read: await ask(url, "GET", `/v1/projects/${project}/env/${id}`),
    })),
  );
}

describe("slipway snapshot", () => {
  it("writes a seed from which a server tells the same, and which is the same when it is taken again", async () => {
    const same = fc.asyncProperty(randomRequests, async (steps) => {
      const { server } = await fillAccount(steps);
      try {
        await until("promotions have ended", () => hasNoPromotion(server.url));
        for (const withValues of [true, false]) {
          const first = await read(server.url, withValues);
          const copy = await copyOf(first);
          try {
            if (withValues) expect(await toldBy(copy.url)).toEqual(await toldBy(server.url));
            const second = await read(copy.url, withValues);
            expect({ ...second, copyOf: "" }).toEqual({ ...first, copyOf: "" });
          } finally {
            await copy.close();
          }
        }
      } finally {
        await server.close();
      }
    });
    await fc.assert(same, { numRuns: runs, endOnFailure: true });
  }, 3_600_000);

  // A kind that is missing here would not go through the copies of accounts above.
  it("is tested with objects of every kind that the server has", async () => {
    const { server } = await fillAccount([]);
    try {
      const sections = Object.entries(await server.control.snapshot());
      const missing = sections.flatMap(([name, rows]) =>
        Array.isArray(rows) && rows.length === 0 ? [name] : [],
      );
      // Of the control plane; and checks, which no resource declares and a snapshot does not hold.
      expect(missing.sort()).toEqual(["checkRuns", "deploymentChecks", "dns", "projectChecks"]);
    } finally {
      await server.close();
    }
  });

  it("ends for an account without projects", async () => {
    const server = await startServer({
      developmentAccount: false,
      seed: {
        users: [{ username: `owner-of-${slugs[0]}` }],
        teams: [{ slug: slugs[0] ?? "", members: [{ user: `owner-of-${slugs[0]}`, role: "OWNER" }] }],
        tokens: [{ token, user: `owner-of-${slugs[0]}` }],
      },
    });
    try {
      expect((await read(server.url, false)).projects ?? []).toEqual([]);
    } finally {
      await server.close();
    }
  });

  it("reads with GET requests alone, and leaves out token and values unless they are asked for", async () => {
    const { server } = await fillAccount([]);
    const proxy = await openRecordingProxy(server.url);
    try {
      const plain = await snapshot(proxy.url);
      expect(plain.code).toBe(0);
      expect(JSON.parse(plain.stdout)).toMatchObject({
        copyOf: proxy.url,
        copiedAt: expect.any(Number),
        placeholders: expect.arrayContaining([
          expect.stringMatching(/^project decorated: the value of SENSITIVE \(\w+\)$/),
          "project decorated: its protection bypass secrets",
        ]),
      });
      expect(plain.stderr).toMatch(
        /^slipway: wrote a snapshot of 2 projects\. \d+ facts were not read: see "placeholders"/,
      );
      await documentOf(proxy.url, ["--with-values"]);
      const file = readFileSync(join(folder, "account.json"), "utf8");
      expect(statSync(join(folder, "account.json")).mode & 0o777).toBe(0o600);
      for (const secret of ["told when asked", "of the drain"]) {
        expect(file).toContain(secret);
        expect(plain.stdout).not.toContain(secret);
      }
      for (const text of [file, plain.stdout, plain.stderr]) expect(text).not.toContain(token);
      expect(new Set(proxy.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
    } finally {
      await proxy.close();
      await server.close();
    }
  });

  it("runs as its page says", async () => {
    const [line = ""] = block("docs/server.md sh 3").split("\n");
    expect(line).toBe("npx slipway snapshot -o account.json");
    const { server } = await fillAccount([]);
    try {
      const document = await documentOf(server.url);
      expect(document.users).toHaveLength(2);
      await (await copyOf(document)).close();
    } finally {
      await server.close();
    }
  });

  it("waits when the API limits requests", async () => {
    const { server } = await fillAccount([]);
    try {
      await server.control.addFaults({
        method: "GET",
        path: "/v9/projects",
        kind: "status",
        status: 429,
        retryAfter: 1,
        times: 2,
      });
      expect((await documentOf(server.url)).projects).toHaveLength(2);
    } finally {
      await server.close();
    }
  });

  it("replaces regular files only", async () => {
    const { server } = await fillAccount([]);
    const place = (name: string) => join(folder, name);
    expect(spawnSync("mkfifo", [place("pipe")]).status).toBe(0);
    symlinkSync("pipe", place("link"));
    symlinkSync("nothing", place("dangling"));
    try {
      for (const file of ["pipe", "link", "dangling", ""].map(place)) {
        expect(await snapshot(server.url, ["-o", file, "--force"])).toEqual({
          code: 1,
          stdout: "",
          stderr: `slipway: ${file} is not a regular file. Choose another file.\n`,
        });
      }
      expect(lstatSync(place("pipe")).isFIFO()).toBe(true);
      expect(readdirSync(folder).sort()).toEqual(["dangling", "link", "pipe"]);
    } finally {
      await server.close();
    }
  });

  it.each([
    ["without a token", [], { SLIPWAY_TOKEN: "" }, "No access token is given. Set SLIPWAY_TOKEN"],
    ["with another's team", [], { SLIPWAY_TEAM: "others" }, "403 team_unauthorized"],
    [
      "with secrets for the standard output",
      ["--with-values"],
      {},
      "Write it to a file, which only you can read",
    ],
    [
      "for a file that exists",
      ["-o", __filename],
      {},
      "snapshot.test.ts exists already. Choose another file",
    ],
    ["for a file that cannot be written", ["-o", "/nowhere/file"], {}, "/nowhere/file cannot be written"],
  ])("ends with a message %s", async (_, args, env, message) => {
    const { server } = await fillAccount([]);
    try {
      const { code, stdout, stderr } = await snapshot(server.url, args, env);
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: "",
        stderr: expect.stringContaining(message),
      });
      expect(stderr).toMatch(/^slipway: [^\n]*\n$/);
    } finally {
      await server.close();
    }
  });
});

/**
 * The rows of an account with two projects.
 * @param answer changes answers of the server; undefined leaves one as it is
 */
async function rowsOf(
  answer: (request: Request<unknown>, projects: readonly Project[]) => unknown,
  options: ReadOptions = {},
): Promise<Omit<SnapshotInMemory["document"], "copyOf">> {
  const server = await startServer({
    developmentAccount: false,
    seed: {
      users: [{ username: "ada" }],
      teams: [{ slug: "crew", members: [{ user: "ada", role: "OWNER" }] }],
      tokens: [{ token, user: "ada" }],
      projects: ["one", "two"].map((name) => ({ team: "crew", name })),
    },
  });
  const client = new Client({ apiUrl: server.url, token, team: "crew" });
  const send = client.send.bind(client);
  try {
    const { projects } = await send({ method: "GET", path: "/v9/projects", shape: projectList });
    const changed = async (request: Request<unknown>) => answer(request, projects) ?? send(request);
    jest.spyOn(client, "send").mockImplementation(changed as typeof client.send);
    const snapshot = new SnapshotInMemory(server.url);
    await new AccountReader(client, snapshot, options).read();
    const { copyOf: _, ...rows } = snapshot.document;
    return rows;
  } finally {
    await client.close();
    await server.close();
  }
}

describe("the rows of a snapshot", () => {
  it("have each project once, also one that moves in the list meanwhile, and end where a page repeats", async () => {
    let reads = 0;
    const { projects = [] } = await rowsOf(({ path }, [one, two]) => {
      if (path === "/v4/aliases") return { aliases: [], pagination: { next: 5 } };
      if (path !== "/v9/projects") return undefined;
      reads++;
      if (reads === 1) return { projects: [one], pagination: { next: 1 } };
      // The second one has moved to the front, which was read already.
      return reads === 2 ? { projects: [] } : { projects: [two, one] };
    });
    expect(projects.map((row) => (row as { name: string }).name).sort()).toEqual(["one", "two"]);
  });

  it("have no project that is deleted while the account is read", async () => {
    const { projects = [], placeholders } = await rowsOf(({ method, path }, [one]) => {
      if (path !== `/v9/projects/${one?.id}/domains`) return undefined;
      throw new ApiError({ asked: { method, path }, status: 404, code: "not_found", said: "No." });
    });
    expect(projects).toHaveLength(1);
    expect(placeholders).not.toContainEqual(expect.stringMatching(/^project one/));
  });

  it("have the user outside the team who changed a variable, and their address if a deployment has it", async () => {
    const times = { createdAt: 1, updatedAt: 1, createdBy: "usr_ada", updatedBy: "usr_eve" };
    const variable = { id: "env1", key: "A", type: "plain", target: ["preview"], ...times };
    const creator = { uid: "usr_eve", username: "eve", email: "eve@example.com" };
    const { users } = await rowsOf(({ path }, projects) => {
      if (path !== "/v9/projects") return undefined;
      const [one] = projects as object[];
      const env = [{ ...variable, lastEditedByDisplayName: "eve" }];
      return { projects: [{ ...one, env, latestDeployments: [{ id: "dpl_1", name: "one", creator }] }] };
    });
    expect(users).toContainEqual({ id: "usr_eve", username: "eve", email: "eve@example.com" });
  });

  it("are those that the token may read, and the others are noted", async () => {
    const hidden =
      /members$|^\/v1\/(env|edge-config|webhooks|log-drains)$|^\/v5\/domains$|\/firewall\/(bypass|config\/active)$/;
    const rows = await rowsOf(({ method, path }) => {
      if (!hidden.test(path)) return undefined;
      throw new ApiError({ asked: { method, path }, status: 403, code: "forbidden", said: "No." });
    });
    expect(rows.teams).toMatchObject([{ slug: "crew", members: [{ role: "OWNER" }] }]);
    expect(rows.projects).toHaveLength(2);
    const unread = unreadParts(rows.placeholders);
    expect(unread).toEqual(
      expect.arrayContaining([
        "the members of the team",
        "project one: its firewall bypasses",
        "project two: its firewall configurations",
        "project two: its project members",
        "the shared variables of the team",
        "the domains of the account and their DNS records",
        "the Edge Configs of the account",
        "the webhooks of the account",
        "the log drains of the account",
      ]),
    );
    expect(unread).toHaveLength(12);
    expect(rows.placeholders).toContain("the webhooks of the account (the token may not read them)");
  });

  it("leave out what a seed cannot have, with a note, so that a server starts from the others", async () => {
    const times = { createdAt: 1, updatedAt: 1 };
    const variable = { type: "plain", target: ["preview"], ...times };
    const env = [
      { id: "env1", key: "A", ...variable },
      { id: "env2", key: "B", ...variable, type: "newer" },
      { id: "env3", key: "C", ...variable, target: ["newer"] },
    ];
    const deployment = { name: "one", url: "one-1.example.com", createdAt: 1, target: "production" };
    const deployments = [
      { id: "dpl_1", ...deployment, readyState: "BLOCKED" },
      { id: "dpl_2", ...deployment, readyState: "NEWER" },
    ];
    const rows = await rowsOf(({ path }, projects) => {
      if (path === "/v5/domains") return { domains: [{ name: "example.com", verified: true, createdAt: 1 }] };
      if (path === "/v4/domains/example.com/records" || path === "/v5/domains/example.com/records")
        return {
          records: [
            { id: "rec_1", name: "", type: "A", value: "192.0.2.1", ttl: 60, ...times },
            { id: "rec_2", name: "", type: "NEWER", value: "x", ttl: 60, ...times },
          ],
        };
      if (path === "/v1/edge-config") return [{ id: "ecfg_1", slug: "größe", ...times }];
      if (/^\/v1\/edge-config\/ecfg_1\//.test(path)) return [];
      if (/^\/v1\/projects\/[^/]+\/members$/.test(path))
        return { members: [{ uid: "usr_none", role: "ADMIN", createdAt: 1 }] };
      if (path === "/v4/aliases")
        return { aliases: [{ uid: "a1", alias: "a.example.org", deploymentId: "dpl_2", ...times }] };
      if (path !== "/v9/projects") return undefined;
      const [one, two] = projects as object[];
      return {
        projects: [
          {
            ...one,
            name: "one",
            framework: "newer",
            env,
            latestDeployments: deployments,
            targets: { production: deployments[1] },
            link: { type: "newer", deployHooks: [] },
          },
          { ...two, name: "Two", env: [{ id: "env4", key: "D", ...variable }] },
        ],
      };
    });
    expect(rows.env).toMatchObject([{ key: "A" }]);
    expect(rows.deployments).toMatchObject([{ id: "dpl_1", readyState: "BLOCKED" }]);
    expect(rows.projects).toMatchObject([{ name: "one", production: null }]);
    expect(leftOutParts(rows.placeholders).map(({ what }) => what)).toEqual([
      "the project one: its link",
      "the project one: its framework",
      "the deployment dpl_2 of project one",
      "the production of project one",
      "the variable B (preview) of project one",
      "the variable C (newer) of project one",
      "the project member usr_none of project one",
      "the project Two",
      "the alias a.example.org",
      "the DNS record example.com NEWER",
      "the Edge Config größe",
    ]);
    expect(leftOutParts(rows.placeholders)).toContainEqual({
      what: "the variable C (newer) of project one",
      reason: "target: Invalid input",
    });
    const copy = await copyOf({ ...rows, copyOf: "http://127.0.0.1:9" } as SeedDocument, "ada");
    expect(copy.leftOut).toEqual([]);
    await copy.close();
  });

  it("have the URLs of webhooks and log drains only with values, and otherwise their origins", async () => {
    const times = { createdAt: 1, updatedAt: 1 };
    const url = "https://key@hooks.example.com:8443/services/canary?token=canary";
    const answer = ({ path }: Request<unknown>) => {
      if (path === "/v1/webhooks") return [{ id: "hook_1", url, events: ["project.created"], ...times }];
      if (path === "/v1/log-drains")
        return [{ id: "ld_1", name: "logs", url, deliveryFormat: "json", sources: ["build"], ...times }];
      return undefined;
    };
    const plain = await rowsOf(answer);
    const shown = { url: "https://hooks.example.com:8443/placeholder" };
    expect(plain).toMatchObject({ webhooks: [shown], logDrains: [shown] });
    expect(JSON.stringify(plain)).not.toMatch(/canary|key@/);
    expect(plain.placeholders).toEqual(
      expect.arrayContaining(["the URL of the webhook hook_1", "the URL of the log drain ld_1"]),
    );
    const whole = await rowsOf(answer, { withValues: true });
    expect(whole).toMatchObject({ webhooks: [{ url }], logDrains: [{ url }] });
    expect(JSON.stringify(whole.placeholders)).not.toContain("URL");
  });

  it("have the addresses of deploy hooks and the bypass secrets only with values", () => {
    const secret = "canary-".padEnd(32, "x");
    const project = {
      ...{ id: "prj_1", name: "web", accountId: "team_1" },
      link: { type: "github", deployHooks: [{ id: "1", name: "n", url: "https://example.com/canary" }] },
      protectionBypass: {
        [secret]: { scope: "automation-bypass", createdAt: 1 },
        link: { scope: "shareable-link", createdAt: 2 },
      },
    } as Project;
    const read = (withValues: boolean): [row: string, notes: string[]] => {
      const notes: string[] = [];
      const note = (text: string) => void notes.push(text);
      return [JSON.stringify(projectRow(project, { withValues, note, promoted: [] })), notes];
    };
    const [plain, notes] = read(false);
    expect(plain).not.toContain("canary");
    expect(notes.sort()).toEqual([
      "project web: its protection bypass secrets",
      "project web: the addresses of its deploy hooks",
    ]);
    const [whole, none] = read(true);
    expect(JSON.parse(whole)).toMatchObject({ link: project.link, bypassSecrets: [{ secret }] });
    expect([JSON.parse(whole).bypassSecrets.length, none]).toEqual([1, []]);
  });
});

it("the file of a snapshot has every row in its section, however many there are, and replaces another file", () => {
  const path = join(folder, "account.json");
  const file = new SnapshotFile();
  const rows = Array.from({ length: 3_000 }, (_, at) => ({ id: `prj_${at}`, name: "né".repeat(20) }));
  for (const row of rows) {
    file.put("projects", row);
    file.put("placeholders", row.id);
  }
  file.put("users", { id: "user_1" });
  writeFileSync(path, "old");
  file.write("https://api.example.com", path, 0o600);
  file.close();
  const document = JSON.parse(readFileSync(path, "utf8"));
  expect(Object.keys(document)).toEqual(["copyOf", "copiedAt", "users", "projects", "placeholders"]);
  expect(document.projects).toEqual(rows);
  expect(document.placeholders).toEqual(rows.map(({ id }) => id));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["account.json"]);
});

const receiver = useReceivers();

it("a server with a snapshot sends nothing to the receivers of the account", async () => {
  const { url, arrived } = await receiver();
  const { server, ask: send } = await fillAccount([]);
  try {
    await send("POST", "/v1/webhooks", { url, events: ["project.created"] });
    await send("POST", "/v10/projects", { name: "first" });
    await until("the account's own server sends the event", () => arrived.length > 0 || undefined);
    const copy = await copyOf(await documentOf(server.url));
    try {
      await ask(copy.url, "POST", "/v10/projects", { name: "second" });
      const event = await until("the copy has tried", async () => {
        const events = (await copy.control.events()) as { deliveries: { lastError: string | null }[] }[];
        return events[0]?.deliveries.find(({ lastError }) => lastError !== null);
      });
      expect(event).toMatchObject({
        lastError: expect.stringContaining("the data are a copy of an account"),
      });
      expect(arrived).toHaveLength(1);
    } finally {
      await copy.close();
    }
  } finally {
    await server.close();
  }
});

it("reads an account with the token of an integration, which must name its team", async () => {
  const scopes = [
    "read:project",
    "read:team",
    "read:user",
    "read-write:global-project-env-vars",
    "read:domain",
    "read:deployment",
  ];
  const server = await startServer({
    developmentAccount: false,
    seed: {
      users: [{ id: "user_ada", username: "ada" }],
      teams: [{ id: "team_1", slug: "acme", members: [{ user: "ada", role: "OWNER" }] }],
      projects: [{ team: "acme", name: "web" }],
      integrations: [
        {
          clientId: "oac_1",
          clientSecret: "s",
          slug: "checks",
          owner: "ada",
          redirectUrl: "http://127.0.0.1:9/",
          scopes,
        },
      ],
      installations: [
        { integration: "checks", team: "acme", installedBy: "ada", scopes, token: "integration-token" },
      ],
    } as SeedDocument,
  });
  const client = new Client({ apiUrl: server.url, token: "integration-token", team: "acme" });
  try {
    const counts = await new AccountReader(client, new SnapshotInMemory(server.url)).read();
    expect(counts).toMatchObject({ projects: 1, user: "user_ada", team: "team_1" });
  } finally {
    await client.close();
    await server.close();
  }
});
