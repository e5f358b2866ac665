import type { Plain } from "../../../provider/core/values";
import type { ResourceType } from "../../../provider/loader";
import { byProfile } from "../../support/profile";
import { Workspace } from "../../support/pulumi";
import { openRecordingProxy, type RecordingProxy } from "../../support/recording-proxy";
import { inFull, isLong } from "../../support/slices";
import { type Host, startHost } from "../host";
import { type Harness, startHarness } from "../stack";

let w: Harness;
let proxy: RecordingProxy;
const hosts: Host[] = [];
beforeAll(async () => {
  w = await startHarness();
  proxy = await openRecordingProxy(w.server.url);
});
afterAll(async () => {
  await Promise.all(hosts.map((host) => host.close()));
  await proxy.close();
  await w.close();
});

async function freshHost(): Promise<Host> {
  const host = await startHost({
    SLIPWAY_API_URL: proxy.url,
    SLIPWAY_TOKEN: w.server.token,
    SLIPWAY_TEAM: "acme",
  });
  hosts.push(host);
  await host.configure({});
  return host;
}

const projects = Array.from({ length: 20 }, (_, at) => `web-${at}`);
const keys = Array.from({ length: 50 }, (_, at) => `KEY_${at}`);
const names = Array.from({ length: 5 }, (_, at) => `www-${at}`);

/** The state of the projects and of all their members. */
const ids = new Map<string, string>();
/** The single reads of variables whose values no list has: those of encrypted ones on the profile `hosted`. */
let hidden: string[];
let known: { type: ResourceType; id: string; properties: Plain }[];
beforeAll(async () => {
  await w.server.control.seed({
    projects: projects.map((name) => ({ team: "acme", name })),
    env: projects.flatMap((project) =>
      keys.map((key, at) => ({
        team: "acme",
        project,
        key,
        value: "v",
        type: (["plain", "encrypted", "sensitive"] as const)[at % 3] ?? "plain",
        target: ["production" as const],
      })),
    ),
    domains: projects.flatMap((project) =>
      names.map((name) => ({ team: "acme", project, name: `${name}.${project}.com` })),
    ),
  });
  const { env } = await w.server.control.snapshot();
  for (const name of projects) ids.set(name, String((await w.curl("GET", `/v9/projects/${name}`)).id));
  hidden = env
    .filter(({ type }) => byProfile(false, type === "encrypted"))
    .map(({ id, projectId }) => `/v1/projects/${projectId}/env/${id}`);
  const all = [
    ...[...ids.values()].map((id) => ["Project", id] as const),
    ...env.map(({ id, projectId }) => ["EnvVar", `${projectId}/${id}`] as const),
    ...[...ids].flatMap(([project, id]) =>
      names.map((name) => ["ProjectDomain", `${id}/${name}.${project}.com`] as const),
    ),
  ];
  const importer = await freshHost();
  known = await Promise.all(
    all.map(async ([type, id]) => ({ type, ...(await importer.read(type, id, {})) })),
  );
});

/** The requests of a refresh in a new process. @param projectOf how the program refers to a project */
async function refresh(projectOf: (projectId: string) => string): Promise<(string | undefined)[]> {
  const begun = proxy.requests.length;
  const host = await freshHost();
  const read = await Promise.all(
    known.map(({ type, id, properties }) => {
      if (type === "Project") return host.read(type, id, properties);
      return host.read(type, id, { ...properties, project: projectOf(String(properties.projectId)) });
    }),
  );
  expect(read.map(({ id }) => id)).toEqual(known.map(({ id }) => id));
  // Requests at its end count too.
  await host.close();
  return proxy.requests.slice(begun).map(({ path }) => path.split("?", 1)[0]);
}

const nameOf = (projectId: string): string => [...ids].find(([, id]) => id === projectId)?.[0] ?? "";
const asked = () => [
  ...[...ids.values()].flatMap((id) => ["", "/env", "/domains"].map((of) => `/v9/projects/${id}${of}`)),
  ...hidden,
];

describe("a refresh of 20 projects, each with 50 variables and 5 domains, asks three things of each", () => {
  const ways: [string, (id: string) => string][] = [
    ["ids", (id) => id],
    ["names", nameOf],
  ];
  it.each(isLong ? ways : ways.slice(-1))(
    "where the program refers to them by their %s",
    async (_, projectOf) => {
      expect(known).toHaveLength(20 * 56);
      expect((await refresh(projectOf)).toSorted()).toEqual(asked().toSorted());
    },
  );

  inFull("and once who has a name that none of them has any more", async () => {
    const former = (id: string) => `former-${nameOf(id)}`;
    const wanted = [...asked(), ...[...ids.values()].map((id) => `/v9/projects/${former(id)}`)];
    expect((await refresh(former)).toSorted()).toEqual(wanted.toSorted());
  });
});

it("nothing is sent over plain http to another machine", async () => {
  // 0.0.0.0 is this machine, but no loopback address: what was sent there would come through the proxy.
  const begun = proxy.requests.length;
  const host = await startHost({
    SLIPWAY_API_URL: proxy.url.replace("127.0.0.1", "0.0.0.0"),
    SLIPWAY_TOKEN: w.server.token,
  });
  hosts.push(host);
  await host.configure({});
  const says = /not sent over plain http/;
  const { failures } = await host.check("Project", {}, { name: "web" });
  expect(failures).toEqual([{ property: "", reason: expect.stringMatching(says) }]);
  const state: Plain = { name: "web" };
  await expect(host.create("Project", state)).rejects.toThrow(says);
  await expect(host.read("Project", "prj_1", state)).rejects.toThrow(says);
  await expect(host.remove("Project", "prj_1", state)).rejects.toThrow(says);
  expect(proxy.requests).toHaveLength(begun);
});

/** With the real CLI it takes minutes to make them. */
if (isLong) {
  it("so does a refresh by the CLI", async () => {
    const cli = await Workspace.start();
    const before = await openRecordingProxy(cli.server.url);
    try {
      const stack = await cli.stack("many");
      stack.program(`
        for (const name of ${JSON.stringify(projects)}) {
          const web = new Project(name);
          for (const key of ${JSON.stringify(keys)})
            new EnvVar(name + "-" + key, { project: web.id, key, value: "canary", target: ["production"] });
          for (const sub of ${JSON.stringify(names)})
            new ProjectDomain(name + "-" + sub, { project: web.id, name: sub + "." + name + ".com" });
        }
      `);
      const env = { SLIPWAY_API_URL: before.url };
      expect((await stack.up({ env })).errors).toEqual([]);
      const [begun, at] = [before.requests.length, performance.now()];
      expect((await stack.refresh({ env, args: ["--expect-no-changes"] })).errors).toEqual([]);
      // A list serves for ten seconds: a machine that takes longer asks for the two lists once more.
      const most = Math.max(3, 2 * Math.ceil((performance.now() - at) / 10_000));
      const lists = before.requests.slice(begun).filter(({ path }) => /\/(env|domains)(\?|$)/.test(path));
      expect(lists.length).toBeLessThanOrEqual(projects.length * most);
      // No list of the profile hosted has the values of encrypted variables.
      const single = byProfile(0, projects.length * keys.length);
      expect(before.requests.length - begun - lists.length).toBeLessThanOrEqual(
        projects.length * most + single,
      );
    } finally {
      await before.close();
      await cli.stop();
    }
  }, 1_200_000);
}
