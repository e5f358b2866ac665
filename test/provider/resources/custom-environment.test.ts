import { type Plain, unknown } from "../../../provider/core/values";
import { findCustomEnvironment } from "../../../provider/lookups/find";
import { customEnvironment } from "../../../provider/resources/custom-environment";
import { envVar } from "../../../provider/resources/env-var";
import { openRecordingProxy } from "../../support/recording-proxy";
import { type Harness, recordStack, startHarness } from "../stack";

let w: Harness;
let web: string;
beforeEach(async () => {
  w = await startHarness();
  web = ((await w.curl("POST", "/v10/projects", { name: "web" })) as Plain).id as string;
});
afterEach(() => w.close());

const environments = async (): Promise<{ id: string; slug: string }[]> => {
  const list = await w.curl("GET", `/v9/projects/${web}/custom-environments`);
  return list.environments as unknown as { id: string; slug: string }[];
};

it("has an id that variables take", async () => {
  const staging = w.stack(customEnvironment);
  await staging.up({ project: "web", slug: "staging" });
  const { environmentId } = staging.state;
  expect(staging.id).toBe(`${web}/${environmentId}`);
  const variable = w.stack(envVar);
  await variable.up({ project: web, key: "K", value: "v", customEnvironmentIds: [environmentId] });
  await variable.refresh(w.another());
  expect(variable.state.customEnvironmentIds).toEqual([environmentId]);
  expect(await staging.up({ project: web, slug: "staging" })).toBe("same");
});

it("gets the variables of the environment that it is copied from", async () => {
  const path = `/v10/projects/${web}/env`;
  await w.curl("POST", path, { key: "K", value: "v", type: "plain", target: ["preview"] });
  const staging = w.stack(customEnvironment);
  await staging.up({ project: web, slug: "staging", copyEnvVarsFrom: "preview" });
  const { envs } = (await w.curl("GET", `/v9/projects/${web}/env`)) as unknown as { envs: Plain[] };
  expect(envs).toContainEqual(
    expect.objectContaining({ key: "K", customEnvironmentIds: [staging.state.environmentId] }),
  );
});

it.each(["web", "web/staging/more", "/staging", "web/"])("is not to be found by %s", async (id) => {
  await expect(customEnvironment.read(w.run, id, undefined)).rejects.toThrow(
    'The id of a custom environment is "project/environment", such as "web/staging".',
  );
});

it("refuses a slug that is taken, and says what to do", async () => {
  await w.stack(customEnvironment).up({ project: web, slug: "staging" });
  const second = w.stack(customEnvironment);
  await expect(second.up({ project: web, slug: "staging" })).rejects.toThrow(/409 .*Choose another slug/);
  await second.up({ project: web, slug: "qa" });
  second.use(w.another());
  await expect(second.up({ project: web, slug: "staging" })).rejects.toThrow(
    /409 .*The custom environment staging already exists .*an update cannot adopt it/,
  );
  expect((await environments()).map(({ slug }) => slug).sort()).toEqual(["qa", "staging"]);
});

it("is one resource's alone, also when the answer to the other one gets lost", async () => {
  const path = `/v9/projects/${web}/custom-environments`;
  await w.server.control.addFaults({ method: "POST", path, kind: "drop-before" });
  const both = [w.stack(customEnvironment, "a"), w.stack(customEnvironment, "b")];
  const ends = await Promise.allSettled(both.map((one) => one.up({ project: web, slug: "staging" })));
  expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(ends.map((end) => (end.status === "rejected" ? String(end.reason) : ""))).toContainEqual(
    expect.stringMatching(/both declare the custom environment staging/),
  );
  expect(await environments()).toHaveLength(1);
});

it("is made once when the answer gets lost", async () => {
  const path = `/v9/projects/${web}/custom-environments`;
  await w.server.control.addFaults({ method: "POST", path, times: 1, kind: "drop-after" });
  const staging = w.stack(customEnvironment);
  await staging.up({ project: web, slug: "staging" });
  expect((await environments()).map(({ id }) => id)).toEqual([staging.state.environmentId]);
});

it.each(["production", "Staging", "a b", ""])(
  "refuses the slug %j before anything is asked",
  async (slug) => {
    await expect(w.stack(customEnvironment).up({ project: web, slug })).rejects.toThrow(/^slug m/);
  },
);

it("is gone once it was removed, and is found by slug and by id before", async () => {
  const staging = w.stack(customEnvironment);
  await staging.up({ project: web, slug: "staging", description: "before production" });
  const id = String(staging.state.environmentId);
  for (const environment of ["staging", id]) {
    expect(await findCustomEnvironment(w.another(), { project: "web", environment })).toEqual({
      id,
      projectId: web,
      slug: "staging",
      description: "before production",
      branchMatcher: undefined,
    });
  }
  await staging.destroy();
  expect(await environments()).toEqual([]);
  expect(await staging.refresh(w.another())).toBe(false);
});

it("is deleted before it is replaced in its project, and after its successor in another", async () => {
  const { id: other } = (await w.curl("POST", "/v10/projects", { name: "other" })) as Plain;
  const stack = w.stack(customEnvironment);
  await stack.up({ project: "web", slug: "staging", description: "a" });
  const first = async (news: Plain) =>
    (await customEnvironment.diff(w.run, stack.id, stack.state, news)).deleteBeforeReplace;
  // As the engine does with `replaceOnChanges`.
  expect(await first({ project: web, slug: "staging", description: "b" })).toBe(true);
  expect(await first({ project: web, slug: "qa", description: "b" })).toBe(false);
  expect(await first({ project: other, slug: "staging" })).toBe(false);
});

it("keeps its slug when the project that it names is renamed", async () => {
  const staging = w.stack(customEnvironment, "staging");
  await staging.up({ project: "web", slug: "staging" });
  await w.curl("PATCH", "/v9/projects/web", { name: "site" });
  staging.use(w.another());
  recordStack([{ type: "CustomEnvironment", name: "staging", outputs: staging.state }]);
  expect(await staging.up({ project: "site", slug: "staging", description: "a" })).toBe("update");
  expect(await environments()).toMatchObject([{ slug: "staging", description: "a" }]);
});

describe("a slug that is taken", () => {
  const reasons = async (client: Harness["client"], slug = "staging", project = "web"): Promise<string[]> =>
    (await customEnvironment.declare(w.runOf(client), {}, { project, slug })).map(({ reason }) => reason);

  it("is refused before a new one is made, with one list for all of the project, and free ones are not", async () => {
    const { id } = await w.curl("POST", `/v9/projects/${web}/custom-environments`, { slug: "staging" });
    const proxy = await openRecordingProxy(w.server.url);
    try {
      const client = w.another({ apiUrl: proxy.url });
      expect(await reasons(client)).toEqual([
        `The custom environment staging already exists (${web}/${id}), and is not in this stack. ` +
          "Import it with `slipway import` if no other program manages it, or choose another slug.",
      ]);
      expect(await Promise.all(["qa", "next", "demo"].map((slug) => reasons(client, slug, web)))).toEqual([
        [],
        [],
        [],
      ]);
      expect(proxy.requests.filter(({ path }) => path.includes("custom-environments"))).toHaveLength(1);
    } finally {
      await proxy.close();
    }
  });

  it("is not looked for in a project that is not there yet or not known", async () => {
    expect(await reasons(w.client, "staging", "later")).toEqual([]);
    expect(await reasons(w.client, "staging", "prj_gone")).toEqual([
      expect.stringMatching(/^The project prj_gone in project does not exist/),
    ]);
    expect(await customEnvironment.declare(w.run, {}, { project: unknown, slug: "staging" })).toEqual([]);
  });
});
