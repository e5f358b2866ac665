import { Client } from "../../../provider/client/client";
import { isSameProject } from "../../../provider/core/project-reference";
import type { Resource } from "../../../provider/core/resource";
import type { Plain } from "../../../provider/core/values";
import { customEnvironment } from "../../../provider/resources/custom-environment";
import { domainVerification } from "../../../provider/resources/domain-verification";
import { envVar } from "../../../provider/resources/env-var";
import { envVars } from "../../../provider/resources/env-vars";
import { project } from "../../../provider/resources/project";
import { projectDomain } from "../../../provider/resources/project-domain";
import { promotion } from "../../../provider/resources/promotion";
import { type Harness, type Stack, startHarness } from "../stack";

it("tells the id of another project from its own without asking the service", async () => {
  const client = new Client({ apiUrl: "http://127.0.0.1:9", token: "t", team: undefined });
  const state = { project: "web", projectId: "prj_1" };
  expect(await isSameProject(client, state, "web")).toBe(true);
  expect(await isSameProject(client, state, "prj_1")).toBe(true);
  expect(await isSameProject(client, state, "prj_2")).toBe(false);
  await client.close();
});

/** A resource of a project that is declared by the name `shop`. */
interface Case {
  resource: Resource;
  declared: Plain;
  changed: Plain;
  /** The inputs when it moves to the other project; by default the same. */
  moved?: Plain;
  /** Where the service tells what a project has, and how to find the object there. */
  list: string;
  find(answer: Plain): unknown;
  /** The results of `find` in its project, in the other project after the move, and in its former one then. */
  found: [there: unknown, moved: unknown, left: unknown];
  /** Makes what it needs in its first project, and in the other one. */
  prepare?(w: Harness, id: string): Promise<unknown>;
  /** Makes it possible in the other project. */
  clear?(w: Harness, from: string, to: string): Promise<unknown>;
}

const variable = { key: "A", type: "plain", target: ["preview"] };
const values = ({ envs }: Plain) => (envs as Plain[]).map(({ key, value }) => `${key}=${value}`);
/** The names of domains, without default domains. */
const names = ({ domains }: Plain) =>
  (domains as Plain[]).map(({ name }) => name as string).filter((name) => !name.endsWith(".vercel.app"));
/** Adds the domain to a project, and publishes what proves it. */
async function addDomain(w: Harness, id: string): Promise<void> {
  const answer = await w.curl("POST", `/v10/projects/${id}/domains`, { name: "example.com" });
  const { verification = [] } = answer as { verification?: { domain: string; value: string }[] };
  for (const { domain, value } of verification) await w.server.control.setTxt(domain, value);
}
const deploy = (w: Harness, ...deployments: string[]) =>
  w.server.control.deploy(
    ...deployments.map(
      (deployment, at) =>
        ({
          team: "acme",
          project: "shop",
          id: deployment,
          target: "production",
          ...(at > 0 && { readySubstate: "STAGED" as const }),
          readyState: "READY",
          createdAt: at + 1,
        }) as const,
    ),
  );

const cases: Case[] = [
  {
    resource: envVar,
    declared: { ...variable, value: "1" },
    changed: { ...variable, value: "2" },
    list: "/env",
    find: values,
    found: [["A=1"], ["A=1"], []],
  },
  {
    resource: envVars,
    declared: { variables: { A: "1" }, type: "plain" },
    changed: { variables: { A: "2", B: "2" }, type: "plain" },
    list: "/env",
    find: values,
    found: [["A=1"], ["A=1"], []],
  },
  {
    resource: projectDomain,
    declared: { name: "www.example.com" },
    changed: { name: "www.example.com", gitBranch: "next" },
    list: "/domains",
    find: names,
    found: [["www.example.com"], ["www.example.com"], []],
  },
  {
    resource: customEnvironment,
    declared: { slug: "staging" },
    changed: { slug: "staging", description: "other" },
    list: "/custom-environments",
    find: ({ environments }) => (environments as Plain[]).map(({ slug, description }) => [slug, description]),
    found: [[["staging", undefined]], [["staging", undefined]], []],
  },
  {
    resource: domainVerification,
    declared: { name: "example.com" },
    changed: { name: "example.com", timeoutMs: 5_000 },
    list: "/domains",
    find: names,
    found: [["example.com"], ["example.com"], []],
    prepare: addDomain,
    async clear(w, from, to) {
      await w.curl("DELETE", `/v9/projects/${from}/domains/example.com`);
      await addDomain(w, to);
    },
  },
  {
    resource: promotion,
    declared: { deployment: "dpl_2", onDelete: "rollback" },
    changed: { deployment: "dpl_3", onDelete: "rollback" },
    moved: { deployment: "dpl_5", onDelete: "rollback" },
    list: "",
    find: ({ targets }) => ((targets as Plain).production as Plain).id,
    found: ["dpl_2", "dpl_5", "dpl_1"],
    prepare: (w) => deploy(w, "dpl_1", "dpl_2", "dpl_3"),
    clear: (w) => deploy(w, "dpl_4", "dpl_5"),
  },
];

describe("a name of a project", () => {
  let w: Harness;
  let first: string;
  beforeEach(async () => {
    w = await startHarness();
    await w.server.control.changeTeam("acme", { plan: "enterprise" });
    first = await add("shop");
  });
  afterEach(() => w.close());

  const add = async (name: string) => `${(await w.curl("POST", "/v10/projects", { name })).id}`;
  const rename = (id: string, name: string) => w.curl("PATCH", `/v9/projects/${id}`, { name });
  const shop = (inputs: Plain): Plain => ({ project: "shop", ...inputs });

  /** Declares it in the first project. */
  async function made({ resource, declared, prepare }: Case): Promise<Stack> {
    await prepare?.(w, first);
    const stack = w.stack(resource);
    await stack.up(shop(declared));
    expect(stack.state.projectId).toBe(first);
    stack.use(w.another());
    return stack;
  }

  describe.each(cases.map((one) => [one.resource.type, one] as const))("that a %s has", (_, one) => {
    const { resource, declared, changed, moved = declared, list, find, found, clear } = one;
    const seen = async (id: string) => find(await w.curl("GET", `/v9/projects/${id}${list}`));

    it("comes to another project: a refresh shows it, and an update goes to neither", async () => {
      const stack = await made(one);
      await rename(first, "shop-legacy");
      const second = await add("shop");

      await expect(stack.up(shop(changed))).rejects.toThrow(
        `${resource.type} ${stack.id}: the name in the input project now belongs to another project`,
      );
      await expect(stack.up(shop(changed))).rejects.toThrow(
        `run again with --refresh. To keep it in its project, set project to the project's id, ${first}.`,
      );
      expect(await seen(first)).toEqual(found[0]);

      stack.use(w.another());
      expect(await stack.refresh()).toBe(true);
      expect(stack.inputs.project).toBe(first);
      expect(await stack.preview({ ...declared, project: first })).toBe("same");
      expect(await stack.preview(shop(declared))).toBe("replace");
      await clear?.(w, first, second);
      expect(await stack.up(shop(moved))).toBe("replace");
      expect(stack.state).toMatchObject({ project: "shop", projectId: second });
      expect(await seen(second)).toEqual(found[1]);
      expect(await seen(first)).toEqual(found[2]);
    });

    it("stays as declared while it is this project's, or nobody's", async () => {
      const stack = await made(one);
      expect(await stack.refresh()).toBe(true);
      expect(stack.inputs.project).toBe("shop");
      await rename(first, "shop-legacy");
      stack.use(w.another());
      expect(await stack.refresh()).toBe(true);
      expect(stack.inputs.project).toBe("shop");
      expect(await stack.preview(shop(declared))).toBe("same");
      expect(await stack.up(shop(changed))).toBe("update");
      expect(stack.state).toMatchObject({ project: "shop", projectId: first });
    });
  });

  it("follows its project through a swap of names in one run, in which values change too", async () => {
    const second = await add("outlet");
    const projects = [w.stack(project), w.stack(project)] as const;
    const variables = [w.stack(envVar), w.stack(envVar)] as const;
    const at = ["shop", "outlet"] as const;
    for (const [i, name] of at.entries()) {
      await projects[i]?.up({ name, adopt: true });
      await projects[i]?.up({ name });
      await variables[i]?.up({ ...variable, project: name, value: "1" });
    }
    const later = w.another();
    for (const stack of [...projects, ...variables]) {
      stack.use(later);
      await stack.refresh();
    }
    // The engine has shown the refresh, and plans now: the projects first.
    const swapped = at.toReversed();
    for (const [i, name] of swapped.entries()) expect(await projects[i]?.preview({ name })).toBe("update");
    const steps = [...projects, ...variables].map((stack, i) => {
      const name = swapped[i % 2] as string;
      return stack.up(i < 2 ? { name } : { ...variable, project: name, value: "2" });
    });
    expect(await Promise.all(steps)).toEqual(["update", "update", "update", "update"]);
    expect(variables.map(({ state }) => [state.project, state.projectId])).toEqual([
      ["outlet", first],
      ["shop", second],
    ]);
  });
});
