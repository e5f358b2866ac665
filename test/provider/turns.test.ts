import { claims, heldText, labelOf } from "../../provider/core/claims";
import { envVar } from "../../provider/resources/env-var";
import { envVars } from "../../provider/resources/env-vars";
import { project } from "../../provider/resources/project";
import { projectDomain } from "../../provider/resources/project-domain";
import { type Harness, type Stack, startHarness } from "./stack";

let w: Harness;
beforeEach(async () => {
  w = await startHarness();
  await w.curl("POST", "/v10/projects", { name: "web" });
});
afterEach(() => w.close());

const variable = (key: string, target = "production", value = "v") => ({
  ...{ project: "web", key, value, type: "plain", target: [target] },
});

async function keys(): Promise<string[]> {
  const { envs } = (await w.curl("GET", "/v9/projects/web/env")) as unknown as {
    envs: { key: string; target: string[] }[];
  };
  return envs.map(({ key, target }) => `${key} ${target.join()}`).sort();
}

const theirs = { key: "B", value: "theirs", type: "plain", target: ["production"] };

/** Variables of one resource, by key, with the target of each. */
const given = (targets: Record<string, string>) => ({
  project: "web",
  variables: Object.fromEntries(
    Object.entries(targets).map(([key, one]) => [key, { value: "v", target: [one] }]),
  ),
});

/** Variables that one run declares, each with what it becomes in the next. */
async function declared(...first: object[]): Promise<Stack[]> {
  const stacks = first.map(() => w.stack(envVar));
  for (const [i, stack] of stacks.entries()) await stack.up(first[i] as never);
  return stacks;
}

/** One run over all of them at once, as the engine does it, in a process of its own. */
function together(stacks: Stack[], next: object[]): Promise<PromiseSettledResult<unknown>[]> {
  const client = w.another();
  for (const stack of stacks) stack.use(client);
  return Promise.allSettled(stacks.map((stack, i) => stack.up(next[i] as never)));
}

const succeeds = async (run: Promise<PromiseSettledResult<unknown>[]>) =>
  expect((await run).map((one) => (one.status === "rejected" ? String(one.reason) : one.value)));

it("rotates keys, swaps targets and shifts a chain, whatever comes first", async () => {
  const stacks = await declared(variable("A"), variable("B"), variable("C"));
  const rotated = [variable("B"), variable("C"), variable("A")];
  (await succeeds(together(stacks, rotated))).toEqual(["update", "update", "update"]);
  expect(await keys()).toEqual(["A production", "B production", "C production"]);
  for (const [i, stack] of stacks.entries()) {
    stack.use(w.another());
    await stack.refresh();
    expect(await stack.up(rotated[i] as never)).toBe("same");
  }
  const shifted = [variable("C"), variable("D"), variable("B")];
  (await succeeds(together(stacks, shifted))).toEqual(["update", "update", "update"]);
  expect(await keys()).toEqual(["B production", "C production", "D production"]);
});

it("swaps what was read again in the same run: keys, names of projects, and variables of EnvVars", async () => {
  const [one, two] = await declared(variable("A"), variable("B"));
  const swaps: [Stack, object][] = [
    [one as Stack, variable("B")],
    [two as Stack, variable("A")],
  ];
  for (const [kind, from, to] of [
    [project, { name: "one" }, { name: "two" }],
    [envVars, given({ C: "production" }), given({ C: "preview" })],
  ] as const) {
    const [a, b] = [w.stack(kind as never), w.stack(kind as never)];
    await a.up(from);
    await b.up(to);
    swaps.push([a, to], [b, from]);
  }
  const client = w.another();
  for (const [stack] of swaps) stack.use(client);
  for (const [stack] of swaps) await stack.refresh();
  const run = Promise.allSettled(swaps.map(([stack, next]) => stack.up(next as never)));
  (await succeeds(run)).toEqual(swaps.map(() => "update"));
});

it("finds its way back from a run that was killed while a variable stood aside", async () => {
  const [a] = await declared(variable("A"), variable("A", "preview"));
  const { id } = a as Stack;
  await w.curl("PATCH", `/v9/projects/web/env/${id.split("/")[1]}`, { key: "A__MOVING_0a1b2c3d" });
  a?.use(w.another());
  expect(await a?.up(variable("A", "development"))).toBe("update");
  expect(await keys()).toEqual(["A development", "A preview"]);
});

it("waits for nobody of whom nothing is heard, and says who has the key and what to do", async () => {
  await w.curl("POST", "/v10/projects/web/env", {
    key: "B",
    value: "v",
    type: "plain",
    target: ["production"],
  });
  const [a] = await declared(variable("A"));
  await expect(a?.up(variable("B"))).rejects.toThrow(
    /prj_\w+\/\w+ has it, and no resource of this program gives it up in this run\. If one that leaves the program has it, remove that one in a run of its own; or choose another key, target or branch\./,
  );
  expect(await keys()).toEqual(["A production", "B production"]);
});

it.each([
  ["a variable", envVar, variable("A"), variable("B"), () => w.curl("POST", "/v10/projects/web/env", theirs)],
  [
    "a project",
    project,
    { name: "one" },
    { name: "two" },
    () => w.curl("POST", "/v10/projects", { name: "two" }),
  ],
] as const)(
  "tells at preview that %s cannot become by an update what it might have adopted",
  async (_what, kind, one, two, make) => {
    const stack = w.stack(kind as never);
    await stack.up({ ...one, adopt: true });
    await make();
    stack.use(w.another());
    await expect(stack.preview({ ...two, adopt: true })).rejects.toThrow(
      /cannot become the \w+ \S+: that is .* already, which no resource of the stack has, and an update adopts nothing/,
    );
    // What leaves its place in the same run is waited for.
    expect(await stack.preview({ ...one, adopt: true })).toBe("same");
  },
);

it("says that a resource of the program did not give the key up in time, and what to do", async () => {
  const [a, b] = (await declared(variable("A"), variable("B"))) as [Stack, Stack];
  const client = w.another({ times: { releaseWaitMs: 100 } });
  a.use(client);
  b.use(client);
  expect(await b.preview(variable("C"))).toBe("update");
  await expect(a.up(variable("B"))).rejects.toThrow(
    `${b.id} of this program has it, and has not given it up in time. Run again; ` +
      "with many that wait for each other, allow more at a time (--parallel).",
  );
});

it("takes a target that another one gives up, beside one that it keeps", async () => {
  const [a, b] = (await declared(variable("A", "preview"), variable("A"))) as [Stack, Stack];
  const next = [{ ...variable("A"), target: ["production", "preview"] }, variable("A", "development")];
  (await succeeds(together([b, a], next))).toEqual(["update", "update"]);
  expect(await keys()).toEqual(["A development", "A production,preview"]);
});

it("fails with its holder, and the next run does both", async () => {
  const stacks = await declared(variable("A"), variable("B"));
  const next = [variable("B"), { ...variable("C"), gitBranch: "main" }];
  const run = await together(stacks, next);
  expect(run.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await keys()).toEqual(["A production", "B production"]);
  (await succeeds(together(stacks, [variable("B"), variable("C")]))).toEqual(["update", "update"]);
  expect(await keys()).toEqual(["B production", "C production"]);
});

it("keeps the name of a half-done swap in the state, so that the next run ends it", async () => {
  const stacks = [w.stack(project), w.stack(project)];
  await stacks[0]?.up({ name: "left" });
  await stacks[1]?.up({ name: "right" });
  const ids = stacks.map(({ id }) => id);
  const path = `/v9/projects/${ids[0]}`;
  await w.server.control.addFaults({ method: "PATCH", path, times: 1, kind: "status", status: 400 });
  const run = await together(stacks, [{ name: "right" }, { name: "left" }]);
  expect(run.map(({ status }) => status)).toContain("rejected");
  await w.server.control.clearFaults();
  await together(stacks, [{ name: "right" }, { name: "left" }]);
  const later = w.another();
  const [right, left] = await Promise.all([later.project("right"), later.project("left")]);
  expect([right.id, left.id]).toEqual(ids);
});

it("swaps the names of two domains, none of which is taken away before both are known to move", async () => {
  const stacks = [w.stack(projectDomain), w.stack(projectDomain)];
  await stacks[0]?.up({ project: "web", name: "x.example.com" });
  await stacks[1]?.up({ project: "web", name: "y.example.com" });
  const next = [
    { project: "web", name: "y.example.com", gitBranch: "a" },
    { project: "web", name: "x.example.com", gitBranch: "b" },
  ];
  (await succeeds(together(stacks, next))).toEqual(["replace", "replace"]);
  expect(await w.curl("GET", "/v9/projects/web/domains/y.example.com")).toMatchObject({ gitBranch: "a" });
  expect(await w.curl("GET", "/v9/projects/web/domains/x.example.com")).toMatchObject({ gitBranch: "b" });
  const later = w.another();
  for (const stack of stacks) stack.use(later);
  await expect(stacks[0]?.up({ project: "web", name: "x.example.com" })).rejects.toThrow(
    /is left as it is: the domain x\.example\.com, which it is to become, is ProjectDomain/,
  );
  expect(await w.curl("GET", "/v9/projects/web/domains/y.example.com")).toMatchObject({ gitBranch: "a" });
});

it("lets the new half of a replacement pass while the one that has its name was not heard of yet", async () => {
  const stacks = [w.stack(projectDomain), w.stack(projectDomain)] as const;
  await stacks[0].up({ project: "web", name: "x.example.com" });
  await stacks[1].up({ project: "web", name: "y.example.com" });
  const later = w.another();
  for (const stack of stacks) stack.use(later);
  const refusals = (name: string) => projectDomain.refusals(later, {}, { project: "web", name });
  expect(await refusals("y.example.com")).toEqual([
    { property: undefined, reason: expect.stringContaining("the domain y.example.com exists already") },
  ]);
  expect(await stacks[0].preview({ project: "web", name: "y.example.com" })).toBe("replace");
  expect(await refusals("y.example.com")).toEqual([]);
  expect(await stacks[1].preview({ project: "web", name: "x.example.com" })).toBe("replace");
  expect(await refusals("x.example.com")).toEqual([]);
});

it("refuses at once what another resource of the program keeps, whichever is compared first", async () => {
  const [a, b] = (await declared(variable("A"), variable("B"))) as [Stack, Stack];
  expect(await b.preview(variable("B"))).toBe("same");
  await expect(a.preview(variable("B"))).rejects.toThrow(
    `EnvVar ${a.id} cannot become the variable B/production: EnvVar ${b.id} of this program is that, and stays it. Give one of them another key, target or branch.`,
  );
  const later = w.another();
  a.use(later);
  b.use(later);
  expect(await a.preview(variable("B"))).toBe("update");
  await expect(b.preview(variable("B"))).rejects.toThrow(
    `EnvVar ${a.id} cannot become the variable B/production`,
  );
});

it("tells of a new one that is there already, but not of one that becomes free", async () => {
  const [a] = (await declared(variable("A"))) as [Stack];
  const later = w.another();
  a.use(later);
  const reasons = async () => (await envVar.refusals(later, {}, variable("A"))).map(({ reason }) => reason);
  const stranger = w.another();
  expect((await envVar.refusals(stranger, {}, variable("A"))).map(({ reason }) => reason)).toEqual([
    expect.stringContaining(`the variable A/production exists already: it is EnvVar ${a.id}.`),
  ]);
  expect(await envVar.refusals(stranger, {}, { ...variable("A"), adopt: true })).toEqual([]);
  expect(await a.preview(variable("A"))).toBe("same");
  expect(await reasons()).toEqual([expect.stringContaining(`is that of EnvVar ${a.id} of this program.`)]);
  expect(await a.preview(variable("B"))).toBe("update");
  expect(await reasons()).toEqual([]);
  // The new half of a replacement of its own.
  expect(await a.preview({ ...variable("A"), project: "other" })).toBe("replace");
  expect(await reasons()).toEqual([]);
});

it("knows of what it has removed that it has nothing, although a list may still tell of it", async () => {
  const [a] = (await declared(variable("A"))) as [Stack];
  await a.destroy();
  expect(w.client.turns.outlook(a.id, ["any"])).toBe("in turn");
});

/** Why a new one is refused before anything is changed, in a run that is told what the stack holds. */
async function refused(
  resource: typeof envVar | typeof projectDomain | typeof project,
  news: object,
  held: Stack[],
  self?: string,
): Promise<string[]> {
  const client = w.another();
  claims.learn(heldText(held.map(({ type, state }, i) => ({ type, name: `held-${i}`, outputs: state }))));
  return (await resource.refusals(client, {}, news as never, self)).map(({ reason }) => reason);
}

describe.each([
  ["a variable", envVar, variable("A"), /^The variable A \(\w+\) belongs to EnvVar "held-0" of this stack/],
  [
    "a domain",
    projectDomain,
    { project: "web", name: "x.example.com" },
    /^The domain x.example.com belongs to ProjectDomain "held-0"/,
  ],
  ["a project", project, { name: "site" }, /^The project "site" belongs to Project "held-0"/],
] as const)("%s that the stack has", (_, resource, inputs, belongs) => {
  it("is not adopted, in the words of the update", async () => {
    const owner = w.stack(resource);
    await owner.up(inputs);
    const adopting = { ...inputs, adopt: true };
    const [reason = ""] = await refused(resource, adopting, [owner]);
    expect(reason).toMatch(belongs);
    await expect(resource.create(w.client, () => {}, adopting)).rejects.toThrow(reason);
    // The new half of a replacement on request, which the engine has checked as if it were new.
    expect(await refused(resource, adopting, [owner], labelOf(resource.type, "held-0"))).toEqual([]);
    expect(await refused(resource, adopting, [])).toEqual([]);
  });

  it("is left to the update by a host that can ask only there what the stack has", async () => {
    const owner = w.stack(resource);
    await owner.up(inputs);
    const held = heldText([{ type: owner.type, name: "held-0", outputs: owner.state }]);
    claims.ask = async () => ({ text: held, left: [] });
    try {
      const adopting = { ...inputs, adopt: true };
      expect(await refused(resource, inputs, [])).toEqual([expect.stringMatching(/exists already/)]);
      expect(await refused(resource, adopting, [])).toEqual([]);
      await expect(resource.create(w.another(), () => {}, adopting)).rejects.toThrow(belongs);
    } finally {
      claims.ask = undefined;
    }
  });
});

it("gives one that adopts what another one of the run gives up, as a new one", async () => {
  const [a] = (await declared(variable("A"))) as [Stack];
  const client = w.another();
  a.use(client);
  claims.learn(heldText([{ type: a.type, name: "a", outputs: a.state }]));
  const heir = { ...variable("A", "production", "heir"), adopt: true };
  expect(await a.preview(variable("B"))).toBe("update");
  expect(await envVar.refusals(client, {}, heir)).toEqual([]);
  const made = envVar.create(client, () => {}, heir);
  expect(await a.up(variable("B"))).toBe("update");
  expect((await made).id).not.toBe(a.id);
  expect(await keys()).toEqual(["A production", "B production"]);
});

it("takes over the domain that a lost run had made for a replacement, and lets the old one go afterwards", async () => {
  const domain = w.stack(projectDomain);
  await domain.up({ project: "web", name: "x.example.com", adopt: true });
  await w.curl("POST", "/v10/projects/web/domains", { name: "y.example.com" });
  domain.use(w.another());
  expect(await domain.up({ project: "web", name: "y.example.com", adopt: true })).toBe("replace");
  expect(domain.id).toMatch(/y\.example\.com$/);
  const { domains } = (await w.curl("GET", "/v9/projects/web/domains")) as unknown as {
    domains: { name: string }[];
  };
  expect(domains.map(({ name }) => name)).toEqual(["y.example.com"]);
});

it("takes over what a lost run had made, also where the old domain has to go first", async () => {
  const stacks = [w.stack(projectDomain), w.stack(projectDomain)] as const;
  await stacks[0].up({ project: "web", name: "z.example.com" });
  await stacks[1].up({ project: "web", name: "x.example.com", adopt: true });
  await w.curl("POST", "/v10/projects/web/domains", { name: "y.example.com" });
  // The first one waits for the name of the second.
  const next = [
    { project: "web", name: "x.example.com" },
    { project: "web", name: "y.example.com", adopt: true },
  ];
  (await succeeds(together([...stacks], next))).toEqual(["replace", "replace"]);
});
