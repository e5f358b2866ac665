import type { Plain } from "../../../provider/core/values";
import { alias } from "../../../provider/resources/alias";
import { type Harness, recordStack, startHarness } from "../stack";

const name = "next-web.vercel.app";
let w: Harness;

beforeEach(async () => {
  w = await startHarness();
  await w.curl("POST", "/v10/projects", { name: "web" });
  const built = { team: "acme", project: "web", readyState: "READY" } as const;
  await w.server.control.deploy(
    { ...built, id: "dpl_1" },
    { ...built, id: "dpl_2" },
    { ...built, id: "dpl_3" },
    { ...built, id: "dpl_failed", readyState: "ERROR" },
  );
});
afterEach(() => w.close());

const declared = (more: object = {}) => ({ alias: name, deploymentId: "dpl_1", ...more });
const assign = (deployment: string, body: object = {}) =>
  w.curl("POST", `/v2/deployments/${deployment}/aliases`, { alias: name, ...body });
const target = async (of = name): Promise<unknown> =>
  ((await w.curl("GET", `/v4/aliases/${of}`)) as Plain).deploymentId;
const assignments = async () =>
  (await w.server.control.requests()).filter(
    ({ method, path }) => method === "POST" && `${path}`.endsWith("/aliases"),
  );

it("points a name to a deployment, moves it in one request, and removes it", async () => {
  const next = w.stack(alias);
  await next.up(declared());
  expect(next.id).toBe(name);
  expect(next.state).toMatchObject({ aliasId: expect.any(String) });
  expect(await next.up(declared({ deploymentId: "dpl_2" }))).toBe("update");
  expect(await target()).toBe("dpl_2");
  expect(await assignments()).toHaveLength(2);
  await next.destroy();
  await expect(target()).rejects.toThrow(/404/);
});

it("refuses an alias that the account has, and adopts it on request", async () => {
  await assign("dpl_2");
  await expect(w.stack(alias, "refused").preview(declared())).rejects.toThrow(
    /The alias next-web.vercel.app already exists .*adopt/,
  );
  await expect(w.stack(alias).up(declared())).rejects.toThrow(/already exists .*adopt/);
  expect(await target()).toBe("dpl_2");
  await w.stack(alias).up(declared({ adopt: true }));
  expect(await target()).toBe("dpl_1");
});

it("changes the redirect of an alias that others move, and leaves it where it is", async () => {
  const next = w.stack(alias);
  await next.up(declared());
  await assign("dpl_3");
  await next.up(declared({ redirect: "one.example.com" }));
  const found = () => w.curl("GET", `/v4/aliases/${name}`);
  expect(await found()).toMatchObject({ deploymentId: "dpl_3", redirect: "one.example.com" });
  await assign("dpl_3", { redirect: "theirs.example.com" });
  await next.up(declared({ deploymentId: "dpl_2", redirect: "one.example.com" }));
  expect(await found()).toMatchObject({ deploymentId: "dpl_2", redirect: "theirs.example.com" });
});

it("adopts an alias with its redirect, if the program declares none", async () => {
  await assign("dpl_2", { redirect: "theirs.example.com" });
  const next = w.stack(alias);
  await next.up(declared({ adopt: true }));
  expect(await w.curl("GET", `/v4/aliases/${name}`)).toMatchObject({
    deploymentId: "dpl_1",
    redirect: "theirs.example.com",
  });
});

it("makes an alias again that somebody has removed", async () => {
  const next = w.stack(alias);
  await next.up(declared());
  await w.curl("DELETE", `/v2/aliases/${name}`);
  await next.up(declared({ deploymentId: "dpl_2" }));
  expect(await target()).toBe("dpl_2");
  await next.destroy();
  await expect(target()).rejects.toThrow(/404/);
});

it("leaves the deployment and the redirect alone that an adoption ignores", async () => {
  await assign("dpl_2", { redirect: "one.example.com" });
  const ignored = { ignored: async () => ["deploymentId"] };
  await w.stack(alias).up(declared({ redirect: "two.example.com", adopt: true }), ignored);
  expect(await w.curl("GET", `/v4/aliases/${name}`)).toMatchObject({
    deploymentId: "dpl_2",
    redirect: "two.example.com",
  });
});

it("points an alias back that somebody else creates meanwhile", async () => {
  const send = w.client.create.bind(w.client);
  w.client.create = async (call) => {
    await assign("dpl_3");
    return send(call);
  };
  await expect(w.stack(alias).up(declared())).rejects.toThrow(/already exists .*adopt/);
  expect(await target()).toBe("dpl_3");
});

it.each(["drop-after", "drop-before"] as const)(
  "creates an alias although a request fails: %s",
  async (kind) => {
    const path = "/v2/deployments/dpl_1/aliases";
    await w.server.control.addFaults({ kind, method: "POST", path, times: 1 });
    const next = w.stack(alias);
    await next.up(declared());
    expect(await target()).toBe("dpl_1");
    expect(await next.up(declared())).toBe("same");
  },
);

it("moves an alias although the answer is lost", async () => {
  const next = w.stack(alias);
  await next.up(declared());
  const path = "/v2/deployments/dpl_2/aliases";
  await w.server.control.addFaults({ kind: "drop-after", method: "POST", path, times: 1 });
  await next.up(declared({ deploymentId: "dpl_2" }));
  expect(await target()).toBe("dpl_2");
});

it("passes on between resources, and the name always points to a deployment", async () => {
  const [first, last] = [w.stack(alias, "alias-0"), w.stack(alias, "alias-1")];
  await first.up(declared());
  await last.up(declared({ alias: "other.vercel.app", deploymentId: "dpl_2" }));
  const later = w.another();
  recordStack([
    { type: "Alias", name: "alias-0", outputs: first.state },
    { type: "Alias", name: "alias-1", outputs: last.state },
  ]);
  for (const stack of [first, last]) stack.use(later);
  expect(await first.up(declared({ alias: "other.vercel.app", deploymentId: "dpl_2" }))).toBe("replace");
  await last.destroy();
  expect(await target("other.vercel.app")).toBe("dpl_2");
  await expect(target()).rejects.toThrow(/404/);
});

it("clears the redirect of an alias that it takes from a resource of the stack", async () => {
  const old = w.stack(alias, "old");
  await old.up(declared({ redirect: "one.example.com" }));
  const later = w.another();
  recordStack([{ type: "Alias", name: "old", outputs: old.state }]);
  const heir = w.stack(alias, "heir");
  for (const stack of [old, heir]) stack.use(later);
  expect(await heir.up(declared())).toBe("create");
  await old.destroy();
  expect(await w.curl("GET", `/v4/aliases/${name}`)).toMatchObject({ deploymentId: "dpl_1", redirect: null });
});

it("never takes the domain of a project", async () => {
  await w.curl("POST", "/v10/projects/web/promote/dpl_1").catch(() => {});
  const own = w.stack(alias);
  await expect(own.up(declared({ alias: "web.vercel.app", adopt: true }))).rejects.toThrow(
    /domain of a project.*ProjectDomain|name of a project/,
  );
});

it("says why a deployment cannot have an alias", async () => {
  await expect(w.stack(alias, "failed").preview(declared({ deploymentId: "dpl_failed" }))).rejects.toThrow(
    /dpl_failed is ERROR. Only a READY deployment can have an alias/,
  );
  const { url } = (await w.curl("GET", "/v13/deployments/dpl_1")) as Plain;
  await expect(w.stack(alias, "url").preview(declared({ deploymentId: url }))).rejects.toThrow(/not its URL/);
  await expect(w.stack(alias, "missing").preview(declared({ deploymentId: "dpl_no" }))).rejects.toThrow(
    /deployment.*getDeployment/,
  );
  await expect(w.stack(alias).up(declared({ alias: "shop.example.com" }))).rejects.toThrow(
    /has not proved that it owns/,
  );
});

it("finds what others did: moved, and removed with its deployment", async () => {
  const next = w.stack(alias);
  await next.up(declared());
  await assign("dpl_3");
  await next.refresh(w.another());
  expect(await next.preview(declared())).toBe("update");
  await w.curl("DELETE", "/v13/deployments/dpl_3");
  expect(await next.refresh(w.another())).toBe(false);
  await next.destroy();
});

it("does not remove an alias that somebody has recreated", async () => {
  const next = w.stack(alias);
  await next.up(declared());
  await w.curl("DELETE", `/v2/aliases/${name}`);
  await assign("dpl_3");
  await next.destroy();
  expect(await target()).toBe("dpl_3");
});

it("is imported by its name", async () => {
  await assign("dpl_2", { redirect: "one.example.com" });
  expect(await alias.read(w.runOf(w.another()), name, undefined)).toMatchObject({
    id: name,
    inputs: { alias: name, deploymentId: "dpl_2", redirect: "one.example.com" },
  });
  await expect(alias.read(w.runOf(w.another()), "none.vercel.app", undefined)).rejects.toThrow(/404/);
});
