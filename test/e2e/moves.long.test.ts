import { withoutDefault } from "../support/domains";
import { declare, interpreter } from "../support/programs/interpreter";
import type { Declaration, Program } from "../support/programs/program";
import { toYaml } from "../support/programs/yaml";
import { type Stack, Workspace } from "../support/pulumi";
import { inFull, isLong, sharedOut } from "../support/slices";

/** Unique keys that move between resources in one run, through both hosts and the real engine. */

let world: Workspace;
beforeAll(async () => {
  world = await Workspace.start({
    projects: [{ team: "acme", name: "owner" }],
    domains: [{ team: "acme", project: "owner", name: "example.com", verified: true }],
  });
});
afterAll(() => world.stop());

const get = async (path: string) => (await world.server.request("GET", path)).body;

const hosts = ["dynamic", "plugin"] as const;
let stacks = 0;

/** A stack of one host, with a way to carry out programs. */
async function stackOf(
  host: (typeof hosts)[number],
): Promise<{ stack: Stack; write(program: Program): void }> {
  const name = `moves-${host}-${stacks++}`;
  if (host === "dynamic") {
    const stack = await world.stack(name, interpreter);
    return { stack, write: (program) => declare(stack, program) };
  }
  const stack = await world.yaml(name, "");
  return { stack, write: (program) => stack.yaml(toYaml(program, "acme")) };
}

/** Carries out one program after the other; each takes one run, after which nothing differs (short: after the last). */
async function carryOut(
  { stack, write }: Awaited<ReturnType<typeof stackOf>>,
  programs: readonly Program[],
  args: string[] = [],
): Promise<void> {
  for (const [at, program] of programs.entries()) {
    write(program);
    const run = await stack.up({ preview: true, args });
    expect(run.errors).toEqual([]);
    expect(run.code).toBe(0);
    if (!isLong && at < programs.length - 1) continue;
    const { code, output } = await stack.preview({ args: ["--refresh", "--expect-no-changes"] });
    expect([code, output]).toEqual([0, expect.anything()]);
  }
}

const project = (name: string, provider?: string): Declaration => ({
  type: "Project",
  name,
  args: { name: `${name}-${stacks}` },
  ...(provider !== undefined && { provider }),
});
const of = (name: string) => ({ $ref: name, output: "id" });
const variable = (name: string, key: string, more: Partial<Declaration> = {}): Declaration => ({
  type: "EnvVar",
  name,
  args: { project: of("web"), key, value: `of ${key}`, type: "plain", target: ["production"] },
  ...more,
});
const domain = (name: string, on: string, domainName: string, more: object = {}): Declaration => ({
  type: "ProjectDomain",
  name,
  args: { project: of(on), name: domainName, ...more },
});

/** The values of the variables of a project, by key. */
async function variables(): Promise<Record<string, string>> {
  const { envs } = await get(`/v9/projects/web-${stacks}/env?decrypt=true`);
  return Object.fromEntries(envs.map(({ key, value }: { key: string; value: string }) => [key, value]));
}

const valuesOf = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, `of ${key}`]));

describe.each(hosts)("through the %s host", (host) => {
  const story = sharedOut(hosts, host);
  for (const args of isLong ? [["--parallel", "1"], []] : [["--parallel", "1"]])
    story(
      `shifts lists that are named by index: variables, domains, projects and environments (${args.join(" ")})`,
      async () => {
        const stack = await stackOf(host);
        const at = stacks;
        const list = (keys: string[], containers = keys): Program => [
          project("web"),
          ...keys.map((key, i) => variable(`v${i}`, key)),
          ...keys.map((key, i) => domain(`d${i}`, "web", `${key.toLowerCase()}-${at}.example.com`)),
          ...containers.map(
            (key, i): Declaration => ({
              type: "Project",
              name: `p${i}`,
              args: { name: `${key.toLowerCase()}-${at}` },
            }),
          ),
          ...containers.map(
            (key, i): Declaration => ({
              type: "CustomEnvironment",
              name: `c${i}`,
              args: { project: of("web"), slug: key.toLowerCase() },
            }),
          ),
        ];
        await carryOut(stack, [list(["A", "B", "C"]), list(["B", "C"])], args);
        // A new project or environment does not take the name of another one, which may be the same under a new name.
        stack.write(list(["X", "B", "C"]));
        const { errors } = await stack.stack.preview({ args });
        // The engine stops at the first.
        expect(errors.join()).toMatch(
          /The (project c-\d+ belongs to Project "p1"|custom environment c belongs to CustomEnvironment "c1") of this stack/,
        );
        await carryOut(stack, [list(["X", "B", "C"], ["B", "C"])], args);
        expect(await variables()).toEqual(valuesOf(["X", "B", "C"]));
        const { domains } = await get(`/v9/projects/web-${at}/domains`);
        expect(
          withoutDefault(domains)
            .map(({ name }: { name: string }) => name)
            .sort(),
        ).toEqual(["x", "b", "c"].map((name) => `${name}-${at}.example.com`).sort());
      },
    );

  inFull(
    "shifts more keys than resources are changed at once, and swaps keys of resources that depend on each other",
    async () => {
      const stack = await stackOf(host);
      const keys = Array.from({ length: 12 }, (_, i) => `K${i}`);
      const shifted = (by: number): Program => [
        project("web"),
        ...keys.map((_, i) => variable(`v${i}`, keys[(i + by) % keys.length] ?? "")),
      ];
      await carryOut(stack, [shifted(0), shifted(1)], ["--parallel", "2"]);
      const swapped = (keys: readonly string[], more: Partial<Declaration> = {}): Program => [
        project("web"),
        variable("a", keys[0] ?? ""),
        variable("b", keys[1] ?? "", more),
      ];
      await carryOut(stack, [
        swapped(["A", "B"]),
        swapped(["B", "A"]),
        swapped(["A", "B"], { dependsOn: ["a"] }),
      ]);
      expect(await variables()).toEqual(valuesOf(["A", "B"]));
    },
  );

  inFull(
    "refuses at preview that resources of two providers exchange keys, which takes two runs",
    async () => {
      const { stack, write } = await stackOf(host);
      const program = (a: string | undefined, b: string | undefined): Program => [
        project("web"),
        ...(a === undefined ? [] : [variable("a", a, { provider: "own" })]),
        ...(b === undefined ? [] : [variable("b", b, { provider: "other" })]),
      ];
      await carryOut({ stack, write }, [program("A", "B")]);
      write(program("B", "A"));
      expect((await stack.preview()).errors.join()).toMatch(
        /The variable [AB]\/production belongs to EnvVar "[ab]", which has another provider/,
      );
      expect(await variables()).toEqual(valuesOf(["A", "B"]));
      await carryOut({ stack, write }, [program("A", undefined), program("B", undefined), program("B", "A")]);
      expect(await variables()).toEqual(valuesOf(["A", "B"]));
    },
  );

  story("moves domains and variables between resources and projects", async () => {
    const stack = await stackOf(host);
    const at = stacks;
    const [x, y] = [`x-${at}.example.com`, `y-${at}.example.com`];
    const both = [project("web"), project("other")];
    await carryOut(stack, [
      [...both, domain("d", "web", x), domain("e", "other", y), variable("v", "K")],
      [...both, domain("d", "web", y), domain("e", "other", x), variable("w", "K")],
      [...both, domain("f", "web", x), domain("g", "other", y), variable("v", "K")],
      [...both, domain("f", "web", y), domain("h", "web", x, { gitBranch: "next" })],
      [...both, domain("f", "web", x), domain("h", "web", y, { gitBranch: "next" })],
    ]);
    const { domains } = await get(`/v9/projects/web-${at}/domains`);
    const branches = withoutDefault(domains).map(({ name, gitBranch }: Record<string, string>) => [
      name,
      gitBranch,
    ]);
    expect(Object.fromEntries(branches)).toEqual({ [x]: null, [y]: "next" });
  });

  story("refuses at preview what two resources declare, and what nobody of the stack has", async () => {
    const { stack, write } = await stackOf(host);
    await carryOut({ stack, write }, [[project("web"), variable("a", "A"), variable("b", "B")]]);
    write([project("web"), variable("a", "B"), variable("b", "B")]);
    expect((await stack.preview()).errors.join()).toMatch(/both declare the variable B\/production/);
    await world.server.request("POST", `/v10/projects/web-${stacks}/env`, {
      ...{ key: "C", value: "theirs", type: "plain", target: ["production"] },
    });
    write([project("web"), variable("a", "C"), variable("b", "B")]);
    expect((await stack.preview()).errors.join()).toMatch(
      /The variable C\/production already exists .*is not in this stack, and an update cannot adopt it/,
    );
    expect(await variables()).toEqual({ ...valuesOf(["A", "B"]), C: "theirs" });
  });
});
