import type { Plain } from "../../../provider/core/values";
import { project } from "../../../provider/resources/project";
import { byProfile } from "../../support/profile";
import { type Harness, quietStep, startHarness } from "../stack";
import { subject } from "../subjects/project";

let w: Harness;
beforeEach(async () => {
  w = await startHarness();
  await w.server.control.changeTeam("acme", {
    plan: "enterprise",
    addons: ["advanced-deployment-protection"],
  });
});
afterEach(() => w.close());

const remote = (id: string): Promise<Plain> => w.curl("GET", `/v9/projects/${id}`);
const secret = "a".repeat(32);

it("makes all of it at once, and finds nothing to change", async () => {
  const stack = w.stack(project);
  await w.server.control.seed({
    gitProviders: [{ team: "acme", type: "github", repos: ["acme/web"] }],
  });
  const whole = subject.rows.filter(({ path }) => !path.includes("."));
  const all = Object.fromEntries(whole.map(({ path, first }) => [path, first]));
  await stack.up(all);
  expect(await remote(stack.id)).toMatchObject({
    paused: true,
    dataCache: { userDisabled: true },
    nodeVersion: "20.x",
  });
  expect(await stack.up(all)).toBe("same");
  await stack.refresh(w.another());
  expect(await stack.up(all)).toBe("same");
});

it("keeps nodeVersion when it leaves the program", async () => {
  const stack = w.stack(project);
  await stack.up({ name: "web", nodeVersion: "18.x" });
  expect(await stack.up({ name: "web" })).toBe("update");
  expect(await remote(stack.id)).toMatchObject({ nodeVersion: "18.x" });
  await w.curl("PATCH", `/v9/projects/${stack.id}`, { nodeVersion: "20.x" });
  await stack.refresh();
  expect(await stack.up({ name: "web" })).toBe("same");
});

it("does not manage what was never given", async () => {
  const stack = w.stack(project);
  await stack.up({ name: "web" });
  await w.curl("PATCH", `/v9/projects/${stack.id}`, { buildCommand: "make", gitLFS: true });
  await stack.refresh();
  expect(await stack.up({ name: "web" })).toBe("same");
  expect(await stack.up({ name: "web", directoryListing: true })).toBe("update");
  expect(await remote(stack.id)).toMatchObject({ buildCommand: "make", gitLFS: true });
});

it("renames in place", async () => {
  const stack = w.stack(project);
  await stack.up({ name: "web" });
  const { id } = stack;
  expect(await stack.up({ name: "site" })).toBe("update");
  expect(stack.id).toBe(id);
  expect(await remote("site")).toMatchObject({ id });
});

it("pauses, unpauses, sees both done behind its back, and applies the assignment of domains after unpausing", async () => {
  const stack = w.stack(project);
  await stack.up({ name: "web", paused: true });
  expect(await remote(stack.id)).toMatchObject({ paused: true });
  expect(await stack.up({ name: "web", paused: false, autoAssignCustomDomains: false })).toBe("update");
  expect(await remote(stack.id)).toMatchObject({ paused: false, autoAssignCustomDomains: false });
  await w.curl("POST", `/v1/projects/${stack.id}/pause`);
  await stack.refresh();
  expect(await stack.up({ name: "web", paused: false, autoAssignCustomDomains: false })).toBe("update");
  expect(await remote(stack.id)).toMatchObject({ paused: false, autoAssignCustomDomains: false });
  await stack.up({ name: "web", paused: true });
  expect(await stack.up({ name: "web" })).toBe("update");
  expect(await remote(stack.id)).toMatchObject({ paused: false });
});

it("applies the assignment of domains when what it adopts was paused", async () => {
  const { id } = await w.curl("POST", "/v10/projects", { name: "web" });
  await w.curl("POST", `/v1/projects/${id}/pause`);
  const stack = w.stack(project);
  await stack.up({ name: "web", paused: false, autoAssignCustomDomains: false, adopt: true });
  expect(await remote("web")).toMatchObject({ paused: false, autoAssignCustomDomains: false });
});

it("leaves to others what the program does not change", async () => {
  const stack = w.stack(project);
  const declared = { name: "web", buildCommand: "make", dataCache: { disabled: false }, gitLFS: false };
  await stack.up(declared);
  await w.curl("PATCH", `/v9/projects/${stack.id}`, { buildCommand: "theirs" });
  await w.curl("PATCH", `/v1/data-cache/projects/${stack.id}`, { disabled: true });
  expect(await stack.up({ ...declared, gitLFS: true })).toBe("update");
  expect(await remote(stack.id)).toMatchObject({
    buildCommand: "theirs",
    gitLFS: true,
    dataCache: { userDisabled: true },
  });
});

it("sends a change with one request", async () => {
  const stack = w.stack(project);
  await stack.up({ name: "web", gitLFS: false });
  const sent = jest.spyOn(w.client, "send");
  await project.update(w.run, quietStep, stack.id, stack.state, { name: "web", gitLFS: true });
  expect(sent.mock.calls.map(([{ method, body }]) => [method, body])).toEqual([["PATCH", { gitLFS: true }]]);
});

it("refuses to be paused while domains are assigned", async () => {
  const stack = w.stack(project);
  await expect(stack.up({ name: "web", paused: true, autoAssignCustomDomains: true })).rejects.toThrow(
    /paused and autoAssignCustomDomains cannot both be true/,
  );
});

it("takes a password, changes it, and claims no drift of it", async () => {
  const stack = w.stack(project);
  const passwordProtection = { deploymentType: "all", password: "canary-1" };
  await stack.up({ name: "web", passwordProtection });
  expect(await remote(stack.id)).toMatchObject({ passwordProtection: { deploymentType: "all" } });
  await stack.refresh();
  expect(await stack.up({ name: "web", passwordProtection })).toBe("same");
  expect(
    await stack.up({ name: "web", passwordProtection: { ...passwordProtection, password: "canary-2" } }),
  ).toBe("update");
  await w.curl("PATCH", `/v9/projects/${stack.id}`, { passwordProtection: null });
  await stack.refresh();
  expect(await stack.up({ name: "web", passwordProtection })).toBe("update");
  expect(await stack.up({ name: "web" })).toBe("update");
  expect(await remote(stack.id)).toMatchObject({ passwordProtection: null });
});

describe("bypass secrets", () => {
  const storedSecrets = async (id: string): Promise<string[]> =>
    Object.keys((await remote(id)).protectionBypass as Plain).sort();
  const secrets = (state: Plain): Record<string, string> => state.bypassSecrets as Record<string, string>;

  it("are generated under labels that every object has, too", async () => {
    const stack = w.stack(project);
    const labels = { constructor: {}, toString: { note: "tests" } };
    await stack.up({ name: "web", protectionBypass: labels });
    expect(Object.keys(secrets(stack.state))).toEqual(Object.keys(labels));
    const before = secrets(stack.state);
    await stack.refresh(w.another());
    expect(await stack.up({ name: "web", protectionBypass: labels })).toBe("same");
    await stack.up({ name: "web", protectionBypass: { ...labels, valueOf: { rotation: "1" } } });
    expect(secrets(stack.state)).toEqual({ ...before, valueOf: expect.stringMatching(/^\w{32}$/) });
  });

  it("are generated and given, rotated, and revoked", async () => {
    const stack = w.stack(project);
    await stack.up({ name: "web", protectionBypass: { ci: {}, given: { secret } } });
    const first = secrets(stack.state);
    expect(first).toEqual({ ci: expect.stringMatching(/^[a-zA-Z0-9]{32}$/), given: secret });
    expect(await storedSecrets(stack.id)).toEqual(Object.values(first).sort());

    expect(
      await stack.up({ name: "web", protectionBypass: { ci: { rotation: "2" }, given: { secret } } }),
    ).toBe("update");
    const second = secrets(stack.state);
    expect(second.ci).not.toBe(first.ci);
    expect(await storedSecrets(stack.id)).toEqual(Object.values(second).sort());

    await stack.up({ name: "web", protectionBypass: { ci: { rotation: "2" } } });
    expect(await storedSecrets(stack.id)).toEqual([second.ci]);
    await stack.up({ name: "web" });
    expect(await storedSecrets(stack.id)).toEqual([]);
    expect(stack.state.bypassSecrets).toEqual({});
  });

  it("are not the same again under the same label", async () => {
    const stack = w.stack(project);
    const generated = new Set<string | undefined>();
    for (let i = 0; i < 3; i++) {
      await stack.up({ name: "web", protectionBypass: { ci: {} } });
      generated.add(secrets(stack.state).ci);
      await stack.up({ name: "web" });
    }
    expect(generated.size).toBe(3);
  });

  it("that are rotated stay in the state until they are revoked", async () => {
    const stack = w.stack(project);
    await stack.up({ name: "web", protectionBypass: { ci: {} } });
    const { ci: old = "" } = secrets(stack.state);
    const rotated = { name: "web", protectionBypass: { ci: { rotation: "2" } } };
    const path = `/v1/projects/${stack.id}/protection-bypass`;
    // The new one is made, the old one not revoked.
    await w.server.control.addFaults({
      method: "PATCH",
      path,
      skip: 1,
      times: 20,
      kind: "status",
      status: 503,
    });
    await expect(stack.up(rotated)).rejects.toThrow(/503/);
    await w.server.control.clearFaults();
    expect(Object.values(secrets(stack.state))).toContain(old);
    await stack.up(rotated);
    expect(await storedSecrets(stack.id)).toEqual(Object.values(secrets(stack.state)));
    expect(await storedSecrets(stack.id)).not.toContain(old);
  });

  it("that are rotated are valid until the next ones are", async () => {
    const stack = w.stack(project);
    await stack.up({ name: "web", protectionBypass: { ci: {} } });
    const { ci: old = "" } = secrets(stack.state);
    await w.server.control.addFaults({
      method: "PATCH",
      path: `/v1/projects/${stack.id}/protection-bypass`,
      skip: 1,
      times: 20,
      kind: "status",
      status: 503,
    });
    await expect(stack.up({ name: "web", protectionBypass: { ci: { rotation: "2" } } })).rejects.toThrow(
      /503/,
    );
    expect(await storedSecrets(stack.id)).toEqual(Object.values(secrets(stack.state)).sort());
    expect(await storedSecrets(stack.id)).toContain(old);
  });

  it("leave unmanaged ones alone", async () => {
    const stack = w.stack(project);
    await stack.up({ name: "web", protectionBypass: { ci: {} } });
    await w.curl("PATCH", `/v1/projects/${stack.id}/protection-bypass`, { generate: { secret } });
    await stack.refresh();
    expect(await stack.up({ name: "web", protectionBypass: { ci: {} } })).toBe("same");
    await stack.up({ name: "web" });
    expect(await storedSecrets(stack.id)).toEqual([secret]);
  });

  it("of a run that was lost are found again", async () => {
    const stack = w.stack(project);
    await stack.up({ name: "web", protectionBypass: { ci: {} } });
    const rotated = { name: "web", protectionBypass: { ci: { rotation: "2" }, more: {} } };
    const lost = await project.update(w.runOf(w.another()), quietStep, stack.id, stack.state, rotated);
    await stack.up(rotated);
    expect(stack.state.bypassSecrets).toEqual(lost.bypassSecrets);
    expect(await storedSecrets(stack.id)).toEqual(Object.values(secrets(stack.state)).sort());
  });

  it("come back when they were revoked elsewhere", async () => {
    const stack = w.stack(project);
    await stack.up({ name: "web", protectionBypass: { ci: {} } });
    const { ci } = secrets(stack.state);
    await w.curl("PATCH", `/v1/projects/${stack.id}/protection-bypass`, {
      revoke: { secret: ci, regenerate: false },
    });
    await stack.refresh();
    expect(await stack.up({ name: "web", protectionBypass: { ci: {} } })).toBe("update");
    expect(await storedSecrets(stack.id)).toEqual(Object.values(secrets(stack.state)));
  });
});

it("names the option when the name is taken, and adopts with it", async () => {
  await w.curl("POST", "/v10/projects", { name: "web", framework: "vue", buildCommand: "keep me" });
  const stack = w.stack(project);
  await expect(stack.up({ name: "web", framework: "nextjs" })).rejects.toThrow(
    /409 conflict: .* Adopt it with \{ adopt: true \}/,
  );
  await stack.up({ name: "web", framework: "nextjs", adopt: true });
  expect(await remote(stack.id)).toMatchObject({ framework: "nextjs", buildCommand: "keep me" });
  await stack.refresh();
  expect(await stack.up({ name: "web", framework: "nextjs", adopt: true })).toBe("same");
});

it("keeps what was made when a later step fails, and goes on from there", async () => {
  const stack = w.stack(project);
  await w.server.control.changeTeam("acme", { plan: "hobby", addons: [] });
  const declared = { name: "web", passwordProtection: { deploymentType: "all", password: "canary-1" } };
  await expect(stack.up(declared)).rejects.toThrow(/PATCH .* 428 .*This needs a plan or an add-on/);
  expect(await remote(stack.id)).toMatchObject({ name: "web", passwordProtection: null });
  await w.server.control.changeTeam("acme", {
    plan: "enterprise",
    addons: ["advanced-deployment-protection"],
  });
  expect(await stack.up(declared)).toBe("update");
  expect(await remote(stack.id)).toMatchObject({ passwordProtection: { deploymentType: "all" } });
  expect(await stack.up(declared)).toBe("same");
});

it("still sends all of it when the run after one of which nobody knows whether it took effect fails", async () => {
  await w.server.control.seed({ gitProviders: [{ team: "acme", type: "github", repos: ["acme/web"] }] });
  const stack = w.stack(project);
  const declared = { name: "web", dataCache: { disabled: false } };
  await stack.up(declared);
  const path = `/v1/data-cache/projects/${stack.id}`;
  await w.server.control.addFaults({ method: "PATCH", path, times: 10, kind: "drop-after" });
  await expect(stack.up({ ...declared, dataCache: { disabled: true } })).rejects.toThrow(/out of reach/);
  await w.server.control.clearFaults();
  const gitRepository = { type: "github", repo: "acme/none" };
  await expect(stack.up({ ...declared, gitRepository })).rejects.toThrow(/POST .*link.* 4\d\d /);
  await stack.up(declared);
  expect(await remote(stack.id)).toMatchObject({ dataCache: { userDisabled: false } });
});

it("does not make a project twice when answers get lost", async () => {
  await w.server.control.addFaults({ method: "POST", path: "/v10/projects", times: 1, kind: "drop-after" });
  const stack = w.stack(project);
  await stack.up({ name: "web" });
  expect(await w.curl("GET", "/v9/projects")).toMatchObject({ projects: [{ id: stack.id }] });
});

it("takes for gone what the account does not have, and only that", async () => {
  const stack = w.stack(project);
  await stack.up({ name: "web" });
  await expect(stack.refresh(w.another({ team: "" }))).rejects.toThrow(
    /was created in another account, so it does not count as deleted/,
  );
  await expect(stack.destroy(w.another({ team: "" }))).rejects.toThrow(/was created in another account/);
  await expect(stack.refresh(w.another({ token: "wrong" }))).rejects.toThrow(
    byProfile(/401 .*SLIPWAY_TOKEN/, /403 .*SLIPWAY_TOKEN/),
  );
  await w.curl("DELETE", `/v9/projects/${stack.id}`);
  await expect(stack.up({ name: "web", gitLFS: true })).rejects.toThrow(/404 not_found.*--refresh/);
  expect(await stack.refresh()).toBe(false);
  await stack.destroy();
});

it("tells what a project is by its name, for a get", async () => {
  const stack = w.stack(project);
  await stack.up({ name: "web", framework: "nextjs" });
  const found = await project.read(w.run, "web", {});
  expect(found).toMatchObject({ id: stack.id, inputs: { name: "web", framework: "nextjs", paused: false } });
  await expect(project.read(w.run, "nope", {})).rejects.toThrow(/404 not_found/);
});

describe("the repository", () => {
  const gitRepository = { type: "github", repo: "acme/web" };

  const links = (repo: string, productionBranch = "main") => {
    const [org, name] = repo.split("/");
    return { link: { type: "github", org, repo: name, productionBranch } };
  };
  const grant = (...repos: string[]) =>
    w.server.control.seed({ gitProviders: [{ team: "acme", type: "github", repos, webhooks: "ok" }] });

  it("is connected, exchanged, disconnected and connected again in place, its branch too", async () => {
    await grant("acme/web", "acme/b");
    const stack = w.stack(project);
    const steps: [object, object][] = [
      [{ gitRepository: { ...gitRepository, productionBranch: "stable" } }, links("acme/web", "stable")],
      [{ gitRepository: { ...gitRepository, productionBranch: "next" } }, links("acme/web", "next")],
      [{ gitRepository: { ...gitRepository, repo: "acme/b" } }, links("acme/b")],
      [{}, { link: null }],
      [{ gitRepository }, links("acme/web")],
    ];
    const made = new Set<string>();
    for (const [declared, expected] of steps) {
      const program = { name: "web", ...declared };
      expect(await stack.up(program)).toBe(made.size === 0 ? "create" : "update");
      made.add(stack.id);
      expect({ link: null, ...(await remote(stack.id)) }).toMatchObject(expected);
      expect(await stack.up(program)).toBe("same");
      await stack.refresh(w.another());
      expect(await stack.up(program)).toBe("same");
    }
    expect([...made]).toEqual([stack.id]);
  });

  it("is connected again after somebody has disconnected it or connected another one", async () => {
    const stack = w.stack(project);
    const program = { name: "web", gitRepository };
    await stack.up(program);
    await w.curl("DELETE", `/v9/projects/${stack.id}/link`);
    await stack.refresh(w.another());
    expect(await stack.up(program)).toBe("update");
    expect(await remote(stack.id)).toMatchObject(links("acme/web"));
    await w.curl("DELETE", `/v9/projects/${stack.id}/link`);
    await w.curl("POST", `/v9/projects/${stack.id}/link`, { type: "gitlab", repo: "acme/web" });
    await stack.refresh(w.another());
    expect(await stack.up(program)).toBe("update");
    expect(await remote(stack.id)).toMatchObject(links("acme/web"));
  });

  it("is left alone when somebody writes its name in other letters, or the program never gave it", async () => {
    await w.curl("POST", "/v10/projects", { name: "web", gitRepository });
    const stack = w.stack(project);
    await stack.up({ name: "web", adopt: true, gitRepository: { ...gitRepository, repo: "Acme/Web" } });
    await stack.refresh(w.another());
    expect(
      await stack.up({ name: "web", adopt: true, gitRepository: { ...gitRepository, repo: "Acme/Web" } }),
    ).toBe("same");
    const other = w.stack(project);
    await other.up({ name: "site" });
    await w.curl("POST", `/v9/projects/${other.id}/link`, gitRepository);
    await other.refresh(w.another());
    expect(await other.up({ name: "site", gitLFS: true })).toBe("update");
    expect(await remote(other.id)).toMatchObject(links("acme/web"));
    expect(await remote("web")).toMatchObject(links("acme/web"));
  });

  it("is left to others while the program changes something else", async () => {
    const stack = w.stack(project);
    await stack.up({ name: "web", gitRepository });
    await w.curl("DELETE", `/v9/projects/${stack.id}/link`);
    expect(await stack.up({ name: "web", gitRepository, gitLFS: true })).toBe("update");
    expect((await remote(stack.id)).link ?? null).toBeNull();
  });

  it("stays connected when a program adopts the project without it", async () => {
    await w.curl("POST", "/v10/projects", { name: "web", gitRepository });
    await w.stack(project).up({ name: "web", adopt: true, gitLFS: true });
    expect(await remote("web")).toMatchObject({ ...links("acme/web"), gitLFS: true });
  });

  it("stays connected as it was when the next one is refused, and the next run tries again", async () => {
    await grant("acme/web");
    const stack = w.stack(project);
    await stack.up({ name: "web", gitRepository: { ...gitRepository, productionBranch: "stable" } });
    const next = { name: "web", gitRepository: { type: "github", repo: "acme/b" } };
    await expect(stack.up(next)).rejects.toThrow(
      /The project stays connected to acme\/web. Give the account's connection to github access to acme\/b, or correct gitRepository\./,
    );
    expect(await remote(stack.id)).toMatchObject(links("acme/web", "stable"));
    await expect(stack.up(next)).rejects.toThrow(/The project stays connected to acme\/web/);
    await grant("acme/web", "acme/b");
    expect(await stack.up(next)).toBe("update");
    expect(await remote(stack.id)).toMatchObject(links("acme/b"));
  });

  it.each([
    ["DELETE", "link"],
    ["POST", "link"],
    ["PATCH", "branch"],
  ] as const)("is what was declared although the answer to %s …/%s is lost", async (method, action) => {
    const stack = w.stack(project);
    await stack.up({ name: "web", gitRepository });
    const program = {
      name: "web",
      gitRepository: { type: "github", repo: "acme/b", productionBranch: "next" },
    };
    const path = `/v9/projects/${stack.id}/${action}`;
    await w.server.control.addFaults({ method, path, times: 1, kind: "drop-after" });
    await stack.up(program);
    expect(await remote(stack.id)).toMatchObject(links("acme/b", "next"));
    expect(await stack.up(program)).toBe("same");
  });

  it.each([
    ["DELETE", "link"],
    ["POST", "link"],
    ["PATCH", "branch"],
  ] as const)("is reached by the next run when %s …/%s fails for good", async (method, action) => {
    const stack = w.stack(project);
    await stack.up({ name: "web", gitRepository });
    const program = {
      name: "web",
      gitRepository: { type: "github", repo: "acme/b", productionBranch: "next" },
    };
    const path = `/v9/projects/${stack.id}/${action}`;
    // A connection that was made is found.
    const kind = method === "POST" ? "drop-before" : "drop-after";
    await w.server.control.addFaults({ method, path, times: 50, kind });
    await expect(stack.up(program)).rejects.toThrow();
    await w.server.control.clearFaults();
    stack.use(w.another());
    await stack.up(program);
    expect(await remote(stack.id)).toMatchObject(links("acme/b", "next"));
    expect(await stack.up(program)).toBe("same");
  });

  it("says what keeps a branch from becoming the production branch", async () => {
    const stack = w.stack(project);
    await stack.up({ name: "web", gitRepository });
    await w.curl("POST", "/v10/projects/web/env", {
      ...{ key: "K", value: "v", type: "plain", target: ["preview"], gitBranch: "next" },
    });
    await expect(
      stack.up({ name: "web", gitRepository: { ...gitRepository, productionBranch: "next" } }),
    ).rejects.toThrow(/remove gitBranch next from the domain or variable, and run again/);
  });

  it("is connected by adoption where there is none, and another one is not taken over", async () => {
    await w.curl("POST", "/v10/projects", { name: "bare" });
    await w.stack(project).up({ name: "bare", adopt: true, gitRepository });
    expect(await remote("bare")).toMatchObject(links("acme/web"));

    const theirs = { type: "github", repo: "other/web" };
    await w.curl("POST", "/v10/projects", { name: "web", gitRepository: theirs });
    await expect(w.stack(project).up({ name: "web", adopt: true, gitRepository })).rejects.toThrow(
      /^The project "web" is connected to other\/web, not to the declared acme\/web, so it is not adopted/,
    );
    expect(await remote("web")).toMatchObject({ link: { org: "other" } });
  });
});

it("gives the region to the machines, or the regions to the functions, and never both", async () => {
  const stack = w.stack(project);
  const several = { name: "web", resourceConfig: { fluid: false, functionDefaultRegions: ["fra1", "sfo1"] } };
  await stack.up(several);
  expect(await stack.up({ name: "web", serverlessFunctionRegion: "cdg1" })).toBe("update");
  const { serverlessFunctionRegion, resourceConfig } = await w.curl("GET", `/v9/projects/${stack.id}`);
  expect(serverlessFunctionRegion).toBe("cdg1");
  expect(resourceConfig).toMatchObject({ fluid: true, functionDefaultRegions: ["cdg1"] });
  expect(await stack.up(several)).toBe("update");
  expect((await w.curl("GET", `/v9/projects/${stack.id}`)).resourceConfig).toMatchObject(
    several.resourceConfig,
  );
  for (const serverlessFunctionRegion of ["cdg1", null]) {
    await expect(stack.up({ ...several, serverlessFunctionRegion })).rejects.toThrow(
      "serverlessFunctionRegion and resourceConfig.functionDefaultRegions are the same setting. Remove one of them.",
    );
  }
});

it("refuses two bypass secrets that are the same, which the service stores once", async () => {
  const secret = "a".repeat(32);
  const declare = (more: object) =>
    w.stack(project).up({ name: "web", protectionBypass: { one: { secret, note: "1" }, ...more } });
  await expect(declare({ two: { secret } })).rejects.toThrow(/the same secret twice.*secret of its own/);
  expect(await declare({ two: { secret: "b".repeat(32) }, three: {} })).toBe("create");
});

it("refuses two bypass secrets for one variable, and moves the variable before it revokes the old secret", async () => {
  const stack = w.stack(project);
  const declared = (one: object, two: object) => ({ name: "web", protectionBypass: { one, two } });
  await expect(stack.up(declared({ isEnvVar: true }, { isEnvVar: true }))).rejects.toThrow(
    /isEnvVar: true more than once/,
  );
  const variable = async () => {
    const { protectionBypass } = (await remote(stack.id)) as { protectionBypass: Record<string, Plain> };
    return Object.keys(protectionBypass).filter((secret) => protectionBypass[secret]?.isEnvVar === true);
  };
  const secretOf = (label: string) => (stack.state.bypassSecrets as Record<string, string>)[label];
  await stack.up(declared({}, { isEnvVar: true }));
  expect(await variable()).toEqual([secretOf("two")]);
  const old = secretOf("two");
  await stack.up(declared({}, { isEnvVar: true, rotation: "2" }));
  expect(secretOf("two")).not.toBe(old);
  expect(await variable()).toEqual([secretOf("two")]);
  await stack.up(declared({ isEnvVar: true }, { rotation: "2" }));
  expect(await variable()).toEqual([secretOf("one")]);
});

it("keeps the members of settings that the program does not set, also when it adopts the project", async () => {
  const byHand = {
    tracing: { domains: "a.example.com", ignorePaths: ["/a"] },
    passport: { connectorId: "con_1", deploymentType: "preview" },
    sandbox: { region: "fra1" },
    deploymentPolicy: {
      gitSources: [{ enabled: true, environments: [{ type: "system", target: "production" }], sources: [] }],
    },
  };
  const declared = (ignorePaths: string[], more: object = {}) => ({
    ...{ name: "web", adopt: true, tracing: { ignorePaths, ...more }, passport: { connectorId: "con_2" } },
    sandbox: { failoverRegions: ["sfo1"] },
    deploymentPolicy: { deploymentSources: [{ enabled: true, environments: ["env_1"], sources: ["cli"] }] },
  });
  const { id } = (await w.curl("POST", "/v10/projects", { name: "web" })) as unknown as { id: string };
  await w.curl("PATCH", `/v9/projects/${id}`, byHand);
  const stack = w.stack(project);
  const kept = {
    passport: { connectorId: "con_2", deploymentType: "preview" },
    sandbox: { region: "fra1", failoverRegions: ["sfo1"] },
    deploymentPolicy: {
      ...byHand.deploymentPolicy,
      deploymentSources: [
        { enabled: true, environments: [{ type: "custom", environmentId: "env_1" }], sources: ["cli"] },
      ],
    },
  };
  await stack.up(declared(["/b"]));
  expect(await remote(id)).toMatchObject({
    ...kept,
    tracing: { domains: "a.example.com", ignorePaths: ["/b"] },
  });
  await w.curl("PATCH", `/v9/projects/${id}`, { tracing: { domains: "b.example.com", ignorePaths: ["/b"] } });
  await stack.refresh();
  expect(await stack.preview(declared(["/b"]))).toBe("same");
  await stack.up(declared(["/c"], { samplingRules: [{ rate: 1 }] }));
  expect(await remote(id)).toMatchObject({
    ...kept,
    tracing: { domains: "b.example.com", ignorePaths: ["/c"], samplingRules: [{ rate: 1 }] },
  });
  await stack.up(declared(["/c"]));
  const { tracing } = (await remote(id)) as { tracing: Plain };
  expect(tracing).toEqual({ domains: "b.example.com", ignorePaths: ["/c"] });
});

it("imports the newest settings without what the service alone has", async () => {
  const { id } = (await w.curl("POST", "/v10/projects", { name: "web" })) as unknown as { id: string };
  const network = {
    ...{ envId: "production", connectConfigurationId: "net_1" },
    ...{ passive: false, buildsEnabled: true },
  };
  const rule = { enabled: true, environments: [{ type: "system", target: "production" }], sources: ["git"] };
  await w.curl("PATCH", `/v9/projects/${id}`, {
    staticIps: { enabled: true },
    connectConfigurations: [network],
    deploymentPolicy: { gitSources: null, deploymentSources: [rule] },
    passport: { connectorId: "con_1" },
  });
  const found = (await project.read(w.runOf(w.another()), id, undefined))?.inputs ?? {};
  expect(found).toMatchObject({ passport: { connectorId: "con_1", deploymentType: "all" } });
  expect([found.staticIps, found.connectConfigurations, found.deploymentPolicy]).toEqual([
    { enabled: true },
    [network],
    { deploymentSources: [{ ...rule, environments: ["production"] }] },
  ]);
  expect(project.check({}, found)).toEqual([]);
});

it("gives no region to the machines where the program sets it to null, whatever regions the functions had", async () => {
  const stack = w.stack(project);
  for (const before of [{}, { serverlessFunctionRegion: null }]) {
    await stack.up({ name: "web", ...before });
    await w.curl("PATCH", `/v9/projects/${stack.id}`, {
      resourceConfig: { functionDefaultRegions: ["fra1"] },
    });
    await stack.refresh();
    await stack.up({ name: "web", resourceConfig: { functionDefaultRegions: ["fra1", "sfo1"] } });
    expect(await stack.up({ name: "web", serverlessFunctionRegion: null })).toBe("update");
    await stack.refresh();
    expect(await stack.preview({ name: "web", serverlessFunctionRegion: null })).toBe("same");
  }
});

it("tells what is particular to a project that it never saw, of its machines and its Git provider", async () => {
  const { id } = (await w.curl("POST", "/v10/projects", { name: "web" })) as unknown as { id: string };
  const read = async () => (await project.read(w.runOf(w.another()), id, undefined))?.inputs ?? {};
  const platform = ["resourceConfig", "gitProviderOptions", "trustedSources", "prioritiseProductionBuilds"];
  for (const key of platform) expect(await read()).not.toHaveProperty(key);
  await w.curl("PATCH", `/v9/projects/${id}`, {
    resourceConfig: { fluid: true, functionDefaultTimeout: 10, buildMachineType: "turbo" },
    gitProviderOptions: { createDeployments: "enabled", requireVerifiedCommits: true },
    productionDeploymentsFastLane: true,
    serverlessFunctionRegion: "fra1",
  });
  const found = await read();
  expect(found).toMatchObject({
    resourceConfig: { functionDefaultTimeout: 10 },
    gitProviderOptions: { requireVerifiedCommits: true },
    buildMachineType: "turbo",
    prioritiseProductionBuilds: true,
    serverlessFunctionRegion: "fra1",
  });
  expect(found.resourceConfig).toEqual({ functionDefaultTimeout: 10 });
  expect(project.check({}, found)).toEqual([]);
});

it("turns the data cache on again when it leaves the program turned off", async () => {
  const stack = w.stack(project);
  await stack.up({ name: "web", dataCache: { disabled: true } });
  expect(await stack.up({ name: "web" })).toBe("update");
  expect(await remote(stack.id)).toMatchObject({ dataCache: { userDisabled: false } });
});

it("asks about the data cache only where it is not as declared, also where the service does not tell of it", async () => {
  const sent = jest.spyOn(w.client, "send");
  const asked = () => sent.mock.calls.filter(([{ path }]) => path.startsWith("/v1/data-cache/")).length;
  await w.curl("POST", "/v10/projects", { name: "web" });
  const stack = w.stack(project);
  await stack.up({ name: "web", adopt: true, dataCache: { disabled: false } });
  expect(asked()).toBe(0);
  const read = w.client.project.bind(w.client);
  jest.spyOn(w.client, "project").mockImplementation(async (ref) => {
    const { dataCache: _, ...rest } = await read(ref);
    return rest;
  });
  await stack.up({ name: "web", adopt: true, dataCache: { disabled: true } });
  expect(asked()).toBe(1);
  expect(await remote(stack.id)).toMatchObject({ dataCache: { userDisabled: true } });
});

it("suggests the known value that was perhaps meant when the service refuses an unknown one", async () => {
  const says = /framework: did you mean nextjs\?/;
  const stack = w.stack(project);
  const refusal = await stack
    .up({ name: "website", framework: "nexjs" })
    .catch((error: Error) => error.message);
  expect(refusal).toMatch(says);
  // Not all frameworks that there are.
  expect(refusal.length).toBeLessThan(500);
  await stack.up({ name: "website" });
  await expect(stack.up({ name: "website", framework: "nexjs" })).rejects.toThrow(says);
});

it("says in a few words that a name is taken, and what to do", async () => {
  await w.curl("POST", "/v10/projects", { name: "website" });
  const refusal = await w
    .stack(project)
    .up({ name: "website" })
    .catch((error: Error) => error.message);
  expect(refusal).toMatch(/409 .*website.* Adopt it with \{ adopt: true \}.*choose another name/);
  expect(refusal.length).toBeLessThan(300);
});

describe("deploy hooks", () => {
  const gitRepository = { type: "github", repo: "acme/web" };
  const path = "/v2/projects/web/deploy-hooks";
  const program = (deployHooks: Plain) => ({ name: "web", gitRepository, deployHooks });
  interface Hook {
    id: string;
    name: string;
    ref: string;
    url: string;
  }
  const hooksOf = async (): Promise<Hook[]> =>
    ((await remote("web")) as { link?: { deployHooks: Hook[] } }).link?.deployHooks ?? [];
  const createHook = (name: string, ref: string) => w.curl("POST", path, { name, ref });
  beforeEach(() =>
    w.server.control.seed({
      gitProviders: [{ team: "acme", type: "github", repos: ["acme/web", "acme/other"] }],
    }),
  );

  it("have their URLs in a secret output, and keep them while other settings change", async () => {
    const stack = w.stack(project);
    await stack.up(program({ content: { ref: "main" }, nightly: { ref: "next" } }));
    const urls = stack.state.deployHookUrls;
    expect(urls).toEqual(Object.fromEntries((await hooksOf()).map(({ name, url }) => [name, url])));
    expect(project.traits.secret).toContain("deployHookUrls");
    await stack.up({
      ...program({ content: { ref: "main" }, nightly: { ref: "next" } }),
      buildCommand: "make",
    });
    await stack.refresh(w.another());
    expect(stack.state.deployHookUrls).toEqual(urls);
    await stack.up(program({ content: { ref: "stable" } }));
    expect(await hooksOf()).toMatchObject([{ name: "content", ref: "stable" }]);
    expect(stack.state.deployHookUrls).toEqual({ content: (await hooksOf())[0]?.url });
  });

  it("are created again, with other URLs, when the repository changes", async () => {
    const stack = w.stack(project);
    await stack.up(program({ content: { ref: "main" } }));
    const before = stack.state.deployHookUrls;
    await stack.up({
      ...program({ content: { ref: "main" } }),
      gitRepository: { ...gitRepository, repo: "acme/other" },
    });
    const [hook] = await hooksOf();
    expect(stack.state.deployHookUrls).toEqual({ content: hook?.url });
    expect(stack.state.deployHookUrls).not.toEqual(before);
    await stack.up({ name: "web" });
    expect(await remote("web")).not.toHaveProperty("link.deployHooks");
    expect(stack.state.deployHookUrls).toEqual({});
  });

  it.each(["drop-after", "drop-before"] as const)(
    "are created once when an answer gets lost: %s",
    async (kind) => {
      const stack = w.stack(project);
      await stack.up({ name: "web", gitRepository });
      for (const method of ["POST", "DELETE"]) {
        const at = { method, path: "/v2/projects/:id/deploy-hooks", times: 1, kind };
        await w.server.control.addFaults({ ...at, path: `/v2/projects/${stack.id}/deploy-hooks` });
      }
      await stack.up(program({ content: { ref: "main" } }));
      expect(await hooksOf()).toMatchObject([{ name: "content", ref: "main" }]);
    },
  );

  it("of others stay after an update that did not reach the hooks, and a revert", async () => {
    const stack = w.stack(project);
    await stack.up({ name: "web", gitRepository });
    await createHook("content", "main");
    const at = { method: "PATCH", path: `/v9/projects/${stack.id}`, kind: "drop-after" } as const;
    await w.server.control.addFaults({ ...at, times: 10 });
    const lost = { ...program({ content: { ref: "main" } }), buildCommand: "make" };
    await expect(stack.up(lost)).rejects.toThrow(/out of reach/);
    await w.server.control.clearFaults();
    // The program goes back, and changes something else.
    await stack.up({ name: "web", gitRepository, framework: "astro" });
    expect(await remote("web")).toMatchObject({ buildCommand: null, framework: "astro" });
    expect(await hooksOf()).toMatchObject([{ name: "content" }]);
  });

  it("are removed after a create whose answer was lost, and a revert", async () => {
    const stack = w.stack(project);
    await stack.up({ name: "web", gitRepository });
    await createHook("dashboard", "main");
    const hooks = {
      method: "POST",
      path: `/v2/projects/${stack.id}/deploy-hooks`,
      kind: "drop-after",
    } as const;
    const reads = { method: "GET", path: `/v9/projects/${stack.id}`, kind: "drop-before" } as const;
    let failure = "";
    // The read that looks the hook up fails too, after as many reads as the update needs before.
    for (let skip = 1; !/may have created/.test(failure); skip++) {
      expect(skip).toBeLessThan(8);
      await w.server.control.clearFaults();
      await w.server.control.addFaults({ ...hooks, times: 1 }, { ...reads, skip, times: 50 });
      failure = await stack.up(program({ content: { ref: "main" } })).then(
        () => "it succeeded",
        (error) => String(error),
      );
    }
    await w.server.control.clearFaults();
    expect((await hooksOf()).map(({ name }) => name).sort()).toEqual(["content", "dashboard"]);
    expect(await stack.up({ name: "web", gitRepository })).toBe("update");
    expect(await hooksOf()).toMatchObject([{ name: "dashboard" }]);
  });

  it("are taken over where the name and branch are the same, and leave others alone", async () => {
    const stack = w.stack(project);
    await stack.up({ name: "web", gitRepository });
    await createHook("content", "main");
    await createHook("content", "other");
    await createHook("mine", "main");
    const before = await hooksOf();
    await stack.up(program({ content: { ref: "main" } }));
    expect(await hooksOf()).toEqual(before);
    expect(stack.state.deployHookUrls).toEqual({ content: before[0]?.url });
    await stack.up(program({}));
    expect(await hooksOf()).toEqual(before.slice(1));
  });

  it("are known by their recorded URL where several have the same name and branch", async () => {
    const stack = w.stack(project);
    await stack.up({ name: "web", gitRepository });
    for (let i = 0; i < 3; i++) await createHook("content", "main");
    const [first, second, third] = await hooksOf();
    await stack.up(program({ content: { ref: "main" } }));
    expect(stack.state.deployHookUrls).toEqual({ content: first?.url });
    stack.state.deployHookUrls = { content: second?.url };
    await stack.refresh(w.another());
    expect(stack.state.deployHookUrls).toEqual({ content: second?.url });
    await stack.up(program({}));
    expect(await hooksOf()).toEqual([first, third]);
  });

  it("are all removed, also after one of them was deleted by hand", async () => {
    const stack = w.stack(project);
    await stack.up(program({ first: { ref: "main" }, second: { ref: "main" }, third: { ref: "main" } }));
    const gone = (await hooksOf()).find(({ name }) => name === "first");
    await w.curl("DELETE", `${path}/${gone?.id}`);
    await stack.up(program({ third: { ref: "main" } }));
    expect(await hooksOf()).toMatchObject([{ name: "third" }]);
  });

  it("keep what was reached when one is refused, and go on with the next run", async () => {
    const stack = w.stack(project);
    await stack.up(program({ a: { ref: "main" } }));
    await w.server.control.addFaults({
      ...{ method: "POST", path: `/v2/projects/${stack.id}/deploy-hooks`, skip: 1, times: 1 },
      ...{ kind: "status", status: 400 },
    });
    const wanted = program({ a: { ref: "next" }, b: { ref: "main" } });
    await expect(stack.up(wanted)).rejects.toThrow(/400/);
    expect(await hooksOf()).toMatchObject([{ name: "a", ref: "next" }]);
    expect(stack.state.deployHookUrls).toEqual({ a: (await hooksOf())[0]?.url });
    expect(await stack.up(wanted)).toBe("update");
    expect(await hooksOf()).toMatchObject([{ name: "a" }, { name: "b" }]);
  });

  it("are imported with their URLs: of those with one name, the oldest", async () => {
    const stack = w.stack(project);
    await stack.up({ name: "web", gitRepository });
    await createHook("content", "main");
    await createHook("content", "next");
    const read = await project.read(w.runOf(w.another()), stack.id, undefined);
    expect(read?.inputs.deployHooks).toEqual({ content: { ref: "main" } });
    expect(read?.state.deployHookUrls).toEqual({ content: (await hooksOf())[0]?.url });
  });

  it.each([
    [{ deployHooks: { a: { ref: "main" } } }, /^deployHooks needs gitRepository/],
    [{ gitRepository, deployHooks: { " a": { ref: "main" } } }, /^deployHooks must have names of 1 to 180/],
  ])("are refused at preview for %j", async (inputs, reason) => {
    await expect(w.stack(project).up({ name: "web", ...inputs })).rejects.toThrow(reason);
  });
});
