/** @own-code The time is fake, for the server too. */

import type { Plain } from "../../../provider/core/values";
import { unknown } from "../../../provider/core/values";
import { domainVerification } from "../../../provider/resources/domain-verification";
import { project } from "../../../provider/resources/project";
import { projectDomain } from "../../../provider/resources/project-domain";
import { pointUntil } from "../../../provider/resources/project-domain/dns";
import { Wait } from "../../../provider/resources/project-domain/wait";
import { takenApexes } from "../../support/domains";
import { byProfile } from "../../support/profile";
import { until } from "../../support/until";
import { type Harness, quietStep, recordStack, startHarness } from "../stack";

let w: Harness;
let web: string;
let other: string;
beforeEach(async () => {
  w = await startHarness();
  await w.server.control.seed(takenApexes("example.com"));
  web = ((await w.curl("POST", "/v10/projects", { name: "web" })) as Plain).id as string;
  other = ((await w.curl("POST", "/v10/projects", { name: "other" })) as Plain).id as string;
});
afterEach(async () => {
  jest.restoreAllMocks();
  await w.close();
});

const name = "www.example.com";
const remote = (project = web): Promise<Plain> => w.curl("GET", `/v9/projects/${project}/domains/${name}`);
/** A redirect needs its target on the project. */
const addTargets = async (): Promise<void> => {
  for (const target of ["example.com", "b.com"]) {
    await w.curl("POST", `/v10/projects/${web}/domains`, { name: target });
  }
};
const publish = ({ verification }: Plain): Promise<void> => {
  const [challenge] = verification as { domain: string; value: string }[];
  return w.server.control.setTxt(challenge?.domain ?? "", challenge?.value ?? "");
};

it("is added by the project's id or name, with its challenge", async () => {
  const stack = w.stack(projectDomain);
  await stack.up({ project: "web", name });
  expect(stack.id).toBe(`${web}/${name}`);
  expect(stack.state).toMatchObject({
    projectId: web,
    apexName: "example.com",
    verified: false,
    verification: [{ type: "TXT", domain: "_vercel.example.com" }],
  });
  // With its value and its reason, as the service tells it.
  expect(stack.state.verification).toEqual((await remote()).verification);
  expect(await stack.up({ project: web, name })).toBe("same");
  expect(await stack.up({ project: "web", name })).toBe("same");
  await stack.refresh();
  expect(await stack.up({ project: "web", name })).toBe("same");
});

it("is listed without the default domain of its project, which a program cannot have", async () => {
  await w.curl("POST", `/v10/projects/${web}/domains`, { name });
  const { items } = (await projectDomain.list?.page(
    w.client,
    { project: "web" },
    { until: undefined, limit: 100 },
  )) ?? { items: [] };
  expect(items).toEqual([{ id: `${web}/${name}`, name }]);
});

/** An apex, and a name that redirects to it, which the same program declares. */
async function declared() {
  const [apex, alias] = [w.stack(projectDomain, "apex"), w.stack(projectDomain, "alias")];
  await apex.up({ project: web, name: "example.com" });
  await alias.up({ project: web, name, redirect: "example.com" });
  const run = w.another();
  for (const stack of [apex, alias]) stack.use(run);
  recordStack([apex, alias].map(({ type, name, state }) => ({ type, name, outputs: state })));
  return { apex, alias };
}

describe("a domain to which another one redirects", () => {
  const names = async () =>
    ((await w.curl("GET", `/v9/projects/${web}/domains`)).domains as unknown as Plain[])
      .map((one) => one.name)
      .filter((name) => name !== "web.vercel.app")
      .sort();

  it("is removed in a run that removes both, whatever the order", async () => {
    const { apex, alias } = await declared();
    await apex.destroy();
    await alias.destroy();
    expect(await names()).toEqual([]);
  });

  it("is removed when the other one loses its redirect meanwhile", async () => {
    const { apex, alias } = await declared();
    await alias.up({ project: web, name, redirect: "example.com", redirectStatusCode: 301 });
    await Promise.all([apex.destroy(), alias.up({ project: web, name, redirectStatusCode: 301 })]);
    expect(await names()).toEqual([name]);
  });

  it("says which redirects it removes that the run has not checked", async () => {
    const { apex } = await declared();
    const told: string[] = [];
    const step = { ...quietStep, inform: (message: string) => void told.push(message) };
    await projectDomain.remove(w.runOf(apex.client), step, `${web}/example.com`, apex.state);
    expect(told).toEqual([expect.stringContaining(`Removed the redirects of ${name} to example.com`)]);
  });

  it("stays, with a hint, while the program declares the redirect", async () => {
    const { apex, alias } = await declared();
    expect(await alias.preview({ project: web, name, redirect: "example.com" })).toBe("same");
    await expect(apex.destroy()).rejects.toThrow(
      /409 domain_is_redirect: .* Other domains of the project redirect to example.com\. Change their `redirect`/,
    );
    expect(await remote()).toMatchObject({ redirect: "example.com" });
  });

  it("stays while a domain of somebody else redirects to it", async () => {
    const apex = w.stack(projectDomain);
    await apex.up({ project: web, name: "example.com" });
    await w.curl("POST", `/v10/projects/${web}/domains`, { name, redirect: "example.com" });
    await expect(apex.destroy()).rejects.toThrow(/409 domain_is_redirect/);
    expect(await remote()).toMatchObject({ redirect: "example.com" });
  });
});

it("says how the target of a redirect is added first", async () => {
  const stack = w.stack(projectDomain);
  await expect(stack.up({ project: web, name, redirect: "example.com" })).rejects.toThrow(
    /400 bad_request: .* If the program declares example\.com, set `redirect` to the `name` of its resource/,
  );
});

it("has no hint about the target of a redirect where the target is there", async () => {
  await w.curl("POST", `/v10/projects/${web}/domains`, { name: "example.com" });
  const path = `/v10/projects/${web}/domains`;
  await w.server.control.addFaults({ method: "POST", path, kind: "status", status: 400, times: 9 });
  const refused = w.stack(projectDomain).up({ project: web, name, redirect: "example.com" });
  await expect(refused).rejects.toThrow(
    /400 bad_request: This failure was injected by the control plane\. \(/,
  );
});

it("changes branch, redirect and status in place, clears each, and puts drift right", async () => {
  await addTargets();
  const stack = w.stack(projectDomain);
  await stack.up({ project: web, name, gitBranch: "dev" });
  expect(await remote()).toMatchObject({ gitBranch: "dev" });
  expect(await stack.up({ project: web, name, redirect: "example.com", redirectStatusCode: 308 })).toBe(
    "update",
  );
  expect(await remote()).toMatchObject({ gitBranch: null, redirect: "example.com", redirectStatusCode: 308 });
  await w.curl("PATCH", `/v9/projects/${web}/domains/${name}`, {
    redirect: "b.com",
    redirectStatusCode: 307,
  });
  await stack.refresh(w.another());
  expect(await stack.up({ project: web, name, redirect: "example.com", redirectStatusCode: 308 })).toBe(
    "update",
  );
  expect(await remote()).toMatchObject({ redirect: "example.com", redirectStatusCode: 308 });
  expect(await stack.up({ project: web, name })).toBe("update");
  expect(await remote()).toMatchObject({ gitBranch: null, redirect: null, redirectStatusCode: null });
  expect(await stack.up({ project: web, name })).toBe("same");
});

it("keeps its challenges in the state once it is verified, also after an update and a refresh", async () => {
  const stack = w.stack(projectDomain);
  await stack.up({ project: web, name });
  const { verification } = stack.state;
  await publish(stack.state);
  await w.curl("POST", `/v9/projects/${web}/domains/${name}/verify`);
  expect((await remote()).verification).toBeUndefined();
  expect(await stack.up({ project: web, name, gitBranch: "dev" })).toBe("update");
  expect(stack.state).toMatchObject({ verified: true, verification });
  await stack.refresh(w.another());
  expect(stack.state).toMatchObject({ verified: true, verification });
});

it("moves to another project: the old one goes first", async () => {
  const stack = w.stack(projectDomain);
  await stack.up({ project: web, name });
  expect(await stack.up({ project: other, name })).toBe("replace");
  expect(await remote(other)).toMatchObject({ projectId: other });
  await expect(remote()).rejects.toThrow(/404/);
});

it("replaces on another name, the new one first, and plans it when project or name are not known", async () => {
  const stack = w.stack(projectDomain);
  await stack.up({ project: web, name });
  expect(
    await projectDomain.diff(w.run, stack.id, stack.state, { project: web, name: "b.com" }),
  ).toMatchObject({
    replaces: ["name"],
    deleteBeforeReplace: false,
  });
  expect(await projectDomain.diff(w.run, stack.id, stack.state, { project: unknown, name })).toMatchObject({
    replaces: ["project"],
    deleteBeforeReplace: true,
  });
  expect(
    await projectDomain.diff(w.run, stack.id, stack.state, { project: web, name, gitBranch: unknown }),
  ).toMatchObject({
    changes: [{ path: "gitBranch", kind: "add" }],
    replaces: [],
  });
});

it("goes before the target of its redirect, when that is replaced", async () => {
  await addTargets();
  const stack = w.stack(projectDomain);
  await stack.up({ project: web, name, redirect: "b.com" });
  const diff = projectDomain.diff(w.run, stack.id, stack.state, { project: web, name, redirect: unknown });
  expect(await diff).toMatchObject({ replaces: ["redirect"], deleteBeforeReplace: true });
});

describe("a domain that moves to another project", () => {
  /** Moves it in a run, in which another domain redirects to it. */
  async function move() {
    const { apex, alias } = await declared();
    return { alias, moved: () => apex.up({ project: other, name: "example.com" }) };
  }

  it("takes along one that the program moves later", async () => {
    const { alias, moved } = await move();
    expect(await moved()).toBe("replace");
    expect(await alias.up({ project: other, name, redirect: "example.com" })).toBe("replace");
    expect(await remote(other)).toMatchObject({ redirect: "example.com" });
  });

  it("takes along one under another name, which stays until the end of the run", async () => {
    const { alias, moved } = await move();
    expect(await alias.preview({ project: web, name: "b.com" })).toBe("replace");
    expect(await moved()).toBe("replace");
    expect(await remote()).toMatchObject({ redirect: null });
  });

  it("leaves none behind without its redirect in silence", async () => {
    const { alias, moved } = await move();
    await moved();
    await expect(alias.up({ project: web, name, redirect: "example.com" })).rejects.toThrow(/example\.com/);
  });

  it("stays while the program keeps one that redirects to it", async () => {
    const { alias, moved } = await move();
    expect(await alias.preview({ project: web, name, redirect: "example.com" })).toBe("same");
    await expect(moved()).rejects.toThrow(/409 domain_is_redirect/);
    expect(await remote()).toMatchObject({ redirect: "example.com" });
  });
});

it("stays when its project is renamed, in a plan of both too", async () => {
  const stack = w.stack(projectDomain);
  await stack.up({ project: "web", name });
  expect(await stack.preview({ project: "site", name })).toBe("replace");
  const renamed = w.another();
  const { id, accountId } = await w.client.project("web");
  project.record(w.runOf(renamed), id, { name: "web", accountId }, { name: "site" });
  expect(
    await projectDomain.diff(w.runOf(renamed), stack.id, stack.state, { project: "site", name }),
  ).toMatchObject({
    changes: [],
  });
});

it("tells who holds a domain, and adopts one that is on the project", async () => {
  await addTargets();
  await w.curl("POST", `/v10/projects/${web}/domains`, { name, gitBranch: "dev" });
  const there = w.stack(projectDomain);
  await expect(there.up({ project: other, name })).rejects.toThrow(
    /409 .*The domain www\.example\.com already exists|The project prj_\w+ has www.example.com/,
  );
  await expect(there.up({ project: web, name })).rejects.toThrow(
    byProfile(/400 .*Adopt it with/, /409 .*Adopt it with/),
  );
  await there.up({ project: web, name, redirect: "example.com", adopt: true });
  expect(await remote()).toMatchObject({ redirect: "example.com", gitBranch: null });
});

it("is refused at preview where a killed run has attached it to another project of the stack", async () => {
  await w.curl("POST", `/v10/projects/${other}/domains`, { name });
  const ofOther = { type: "Promotion", name: "live", outputs: { projectId: other } };
  const domain = w.stack(projectDomain, "www");
  domain.use(w.another());
  recordStack([ofOther]);
  // Without a replacement that was not ended, a preview asks for no list of another project.
  expect(await domain.preview({ project: web, name })).toBe("create");
  domain.use(w.another());
  recordStack([ofOther], ["mark-1"]);
  await expect(domain.preview({ project: web, name })).rejects.toThrow(
    /The domain www\.example\.com already exists .*Adopt it with/,
  );
});

it("stays attached when its resource is deleted while another one takes it over", async () => {
  const old = w.stack(projectDomain, "old");
  await old.up({ project: web, name });
  const client = w.another();
  old.use(client);
  recordStack([{ type: old.type, name: old.name, outputs: old.state }]);
  await w.server.control.addFaults({
    method: "DELETE",
    path: `/v9/projects/${web}/domains/${name}`,
    times: 1,
    kind: "delay",
    delayMs: 500,
  });
  const next = projectDomain.create(w.runOf(client), quietStep, { project: web, name });
  await Promise.all([next, old.destroy()]);
  expect(await remote()).toMatchObject({ name });
});

it("leaves what it never declared to others, also when nobody knows whether its last change took effect", async () => {
  await addTargets();
  const stack = w.stack(projectDomain);
  await stack.up({ project: web, name });
  const path = `/v9/projects/${web}/domains/${name}`;
  await w.server.control.addFaults({ method: "PATCH", path, times: 50, kind: "drop-before" });
  await expect(stack.up({ project: web, name, gitBranch: "dev" })).rejects.toThrow();
  await w.server.control.clearFaults();
  await w.curl("PATCH", path, { redirect: "example.com" });
  expect(await stack.up({ project: web, name })).toBe("update");
  expect(await remote()).toMatchObject({ redirect: "example.com" });
});

it("is added once when the answer gets lost", async () => {
  await w.server.control.addFaults({
    method: "POST",
    path: `/v10/projects/${web}/domains`,
    times: 1,
    kind: "drop-after",
  });
  const stack = w.stack(projectDomain);
  await stack.up({ project: web, name });
  expect(stack.state).toMatchObject({ verification: [{ domain: "_vercel.example.com" }] });
});

it("waits for its verification when asked, and keeps the domain when the time is up", async () => {
  const stack = w.stack(projectDomain);
  const declared = { project: web, name, waitForVerification: true, timeoutMs: 0 };
  await expect(stack.up(declared)).rejects.toThrow(
    /was not verified within 0 s. Publish the DNS record TXT _vercel.example.com/,
  );
  expect(await remote()).toMatchObject({ verified: false });
  await publish(stack.state);
  expect(await stack.up({ ...declared, timeoutMs: 5000 })).toBe("update");
  expect(stack.state).toMatchObject({ verified: true, verification: [{ domain: "_vercel.example.com" }] });
});

it("is seen to be gone, and removed quietly when it is", async () => {
  const stack = w.stack(projectDomain);
  await stack.up({ project: web, name });
  await w.curl("DELETE", `/v9/projects/${web}/domains/${name}`);
  await stack.destroy();
  expect(await stack.refresh()).toBe(false);
  await stack.up({ project: web, name });
  await w.curl("DELETE", `/v9/projects/${web}`);
  expect(await stack.refresh(w.another())).toBe(false);
  await stack.destroy();
});

it.each([
  [{ name: "example.com", redirect: "example.com" }, /redirect is the domain itself/],
  [{ name, redirect: "example.com", gitBranch: "dev" }, /gitBranch conflicts with redirect/],
  [{ name, redirectStatusCode: 303 }, /redirectStatusCode must be one of 307, 301, 302, 308/],
  [{ name, customEnvironmentId: "prj_1/env_1" }, /customEnvironmentId must be the output environmentId/],
  [{ name: "" }, /name must not be empty/],
  [{ name: "https://example.com" }, /name must be a domain name/],
  [{ name, branch: "dev" }, /unknown input branch/],
])("refuses %j before anything is made", async (inputs, reason) => {
  await expect(w.stack(projectDomain).up({ project: web, ...inputs })).rejects.toThrow(reason);
});

describe("a verification", () => {
  it("holds once the record is there, and keeps trying at the next run when it was not", async () => {
    const domain = w.stack(projectDomain);
    await domain.up({ project: web, name });
    const stack = w.stack(domainVerification);
    await expect(stack.up({ project: web, name, timeoutMs: 0 })).rejects.toThrow(
      /was not verified within 0 s/,
    );
    expect(stack.state).toMatchObject({ verified: false });
    await publish(domain.state);
    expect(await stack.up({ project: web, name })).toBe("update");
    expect(stack.state).toMatchObject({ verified: true });
    expect(await stack.up({ project: web, name })).toBe("same");
    await stack.refresh();
    expect(await stack.up({ project: web, name })).toBe("same");
    // The resource that publishes the challenge does not change when it is met.
    const { verification } = domain.state;
    await domain.refresh(w.another());
    expect(domain.state).toMatchObject({ verified: true, verification });
    await stack.destroy();
    expect(await remote()).toMatchObject({ verified: true });
  });

  it("is done again in its place when the domain is found to be verified no more", async () => {
    const domain = w.stack(projectDomain);
    await domain.up({ project: web, name });
    await publish(domain.state);
    const stack = w.stack(domainVerification);
    await stack.up({ project: web, name });
    await w.curl("DELETE", `/v9/projects/${web}/domains/${name}`);
    await w.curl("POST", `/v10/projects/${web}/domains`, { name });
    expect(await stack.refresh(w.another())).toBe(true);
    expect(stack.state).toMatchObject({ verified: false });
    await publish(await remote());
    expect(await stack.up({ project: web, name })).toBe("update");
    expect(stack.state).toMatchObject({ verified: true });
  });

  it("says that a domain without a record to publish was not verified, and what to do", async () => {
    const domain = w.stack(projectDomain);
    await domain.up({ project: web, name });
    const get = w.client.get.bind(w.client);
    jest.spyOn(w.client, "get").mockImplementation(async (path, ...rest) => {
      const answer = await get(path, ...rest);
      return path.endsWith(`/domains/${name}`)
        ? { ...(answer as object), verification: null }
        : (answer as never);
    });
    await expect(w.stack(domainVerification).up({ project: web, name, timeoutMs: 0 })).rejects.toThrow(
      /was not verified within 0 s\. Run again: the next run continues\. To wait longer, set timeoutMs\./,
    );
  });

  it("waits for a record that is published meanwhile", async () => {
    const domain = w.stack(projectDomain);
    await domain.up({ project: web, name });
    const stack = w.stack(domainVerification);
    const verified = stack.up({ project: web, name, timeoutMs: 10_000 });
    await publish(domain.state);
    await verified;
    expect(stack.state).toMatchObject({ verified: true });
  });

  it("tells at once which record is missing, with its value, and for how long it waits", async () => {
    const domain = w.stack(projectDomain);
    await domain.up({ project: web, name });
    const stack = w.stack(domainVerification);
    const verified = stack.up({ project: web, name, timeoutMs: 10_000 });
    await until("the wait has told", () => w.warnings[0]);
    expect(w.warnings).toEqual([
      expect.stringMatching(
        /^www\.example\.com is not verified yet: waiting for up to \d+ s\. Publish the DNS record TXT _vercel\.example\.com "[^"]+"\.$/,
      ),
    ]);
    await publish(domain.state);
    await verified;
  });

  it("tells again every minute, and not each time that it tries", async () => {
    const domain = w.stack(projectDomain);
    await domain.up({ project: web, name });
    const send = jest.spyOn(w.client, "send");
    const tries = (): number => send.mock.calls.filter(([{ path }]) => path.endsWith("/verify")).length;
    const stack = w.stack(domainVerification);
    const now = Date.now.bind(Date);
    const verified = stack.up({ project: web, name });
    await until("it has tried three times", () => tries() >= 3);
    expect(w.warnings).toHaveLength(1);
    jest.spyOn(Date, "now").mockImplementation(() => now() + 60_000);
    await until("the wait has told again", () => w.warnings[1]);
    await publish(domain.state);
    await verified;
    expect(w.warnings).toHaveLength(2);
  });

  describe("with waitForDns", () => {
    const declared = { project: "web", name, waitForDns: true };
    const point = (...values: string[]) => w.server.control.setRecords(name, "CNAME", values);
    const [here, elsewhere] = ["cname.slipway.app", "elsewhere.example.net"];

    beforeEach(async () => {
      const domain = w.stack(projectDomain);
      await domain.up({ project: web, name });
      await publish(domain.state);
      await point(elsewhere);
    });

    it("waits until DNS points at the service, and tells which record is missing", async () => {
      const stack = w.stack(domainVerification);
      const done = stack.up({ ...declared, timeoutMs: 10_000 });
      await until("the wait has told", () => w.warnings[0]);
      expect(w.warnings).toEqual([
        expect.stringMatching(
          /^www\.example\.com does not point at the service yet: waiting for up to \d+ s\. Publish the DNS record CNAME www\.example\.com cname\.slipway\.app or A www\.example\.com 192\.0\.2\.1\.$/,
        ),
      ]);
      await point(here);
      await done;
      expect(stack.state).toMatchObject({ verified: true, configured: true });
      expect(await stack.up({ ...declared, timeoutMs: 10_000 })).toBe("same");
    });

    it("fails after the time, keeps what is met, and continues in the next run", async () => {
      const stack = w.stack(domainVerification);
      await expect(stack.up({ ...declared, timeoutMs: 0 })).rejects.toThrow(
        /^The DNS records of www\.example\.com did not point at the service within 0 s\. Publish the DNS record CNAME .*the next run continues\. To wait longer, set timeoutMs\.$/,
      );
      expect(stack.state).toMatchObject({ verified: true, configured: false });
      expect(await stack.preview({ ...declared, timeoutMs: 0 })).toBe("update");
      await point(here);
      expect(await stack.up({ ...declared, timeoutMs: 0 })).toBe("update");
      expect(stack.state).toMatchObject({ verified: true, configured: true });
    });

    it("has one deadline for both waits", async () => {
      const now = Date.now.bind(Date);
      const send = w.client.send.bind(w.client);
      jest.spyOn(w.client, "send").mockImplementation(async (request) => {
        const answer = await send(request);
        if (request.path.endsWith("/verify"))
          jest.spyOn(Date, "now").mockImplementation(() => now() + 90_000);
        return answer as never;
      });
      await expect(w.stack(domainVerification).up({ ...declared, timeoutMs: 60_000 })).rejects.toThrow(
        /did not point at the service within 60 s/,
      );
    });

    it("tells that records which point elsewhere keep the certificate from being issued", async () => {
      await point(here);
      await w.server.control.setRecords(name, "A", ["198.51.100.7"]);
      const stack = w.stack(domainVerification);
      const done = stack.up({ ...declared, timeoutMs: 10_000 });
      await until("the wait has told", () => w.warnings[0]);
      expect(w.warnings[0]).toMatch(
        /points at the service, and cannot get a certificate yet: remove its DNS/,
      );
      await w.server.control.setRecords(name, "A", []);
      await done;
    });

    it("waits again when a refresh finds that DNS points elsewhere", async () => {
      await point(here);
      const stack = w.stack(domainVerification);
      await stack.up(declared);
      await point(elsewhere);
      expect(await stack.refresh(w.another())).toBe(true);
      expect(stack.state).toMatchObject({ verified: true, configured: false });
      await point(here);
      expect(await stack.up(declared)).toBe("update");
      expect(stack.state).toMatchObject({ configured: true });
    });

    it("asks for DNS only where the program declares it", async () => {
      const stack = w.stack(domainVerification);
      await stack.up({ project: "web", name });
      expect(stack.state).not.toHaveProperty("configured");
      await stack.refresh(w.another());
      expect(stack.state).not.toHaveProperty("configured");
      const paths = (await w.server.control.requests()).map(({ path }) => path);
      expect(paths.filter((path) => String(path).endsWith("/config"))).toEqual([]);
      await point(here);
      expect(await stack.up(declared)).toBe("update");
      expect(await stack.up({ project: "web", name })).toBe("update");
      expect(stack.state).not.toHaveProperty("configured");
    });
  });

  it("fails at once for a domain that the project does not have", async () => {
    const stack = w.stack(domainVerification);
    await expect(stack.up({ project: web, name })).rejects.toThrow(
      /GET .*domains\/www.example.com: 404 .*pass its output `name` here/,
    );
  });
});

it("recommends the records of the lowest rank, no CNAME record for an apex, and names the dashboard where nothing is recommended", async () => {
  const configured = { misconfigured: true, acceptedChallenges: [] };
  const recommendations = {
    recommendedCNAME: [
      { rank: 2, value: "second.test" },
      { rank: 1, value: "cname.test" },
      { rank: 3, value: "third.test" },
    ],
    recommendedIPv4: [
      { rank: 2, value: ["192.0.2.9"] },
      { rank: 1, value: ["192.0.2.1", "192.0.2.2"] },
      { rank: 3, value: ["192.0.2.8"] },
    ],
  };
  const ask = (name: string, config: object) => {
    jest.spyOn(w.client, "send").mockResolvedValue({ ...configured, ...config } as never);
    const domain = { name, apexName: "example.com", projectId: web };
    return pointUntil(w.client, domain, new Wait(() => {}, 0));
  };
  const addresses = (of: string): string => `A ${of} 192.0.2.1 192.0.2.2, and run again`;
  await expect(ask("example.com", recommendations)).rejects.toThrow(
    `Publish the DNS record ${addresses("example.com")}`,
  );
  await expect(ask(name, recommendations)).rejects.toThrow(
    `Publish the DNS record CNAME ${name} cname.test or ${addresses(name)}`,
  );
  await expect(ask(name, {})).rejects.toThrow(
    "Publish the DNS record that the service's dashboard shows, and run again",
  );
});

/** Adds a custom environment, and returns its id. */
const environment = async (slug: string): Promise<string> =>
  ((await w.curl("POST", `/v9/projects/${web}/custom-environments`, { slug })) as Plain).id as string;

it("serves a custom environment, which no request changes, so that another one is not adopted", async () => {
  const [one, two] = [await environment("one"), await environment("two")];
  await w.curl("POST", `/v10/projects/${web}/domains`, { name, customEnvironmentId: one });
  const declared = { project: web, name, adopt: true };
  const stack = w.stack(projectDomain);
  await expect(stack.up({ ...declared, customEnvironmentId: two })).rejects.toThrow(
    /serves a different environment than the declared customEnvironmentId/,
  );
  expect(await remote()).toMatchObject({ customEnvironmentId: one });
  await stack.up({ ...declared, customEnvironmentId: one });
  await stack.refresh(w.another());
  expect(await stack.up({ ...declared, customEnvironmentId: one })).toBe("same");
  await expect(stack.up({ ...declared, customEnvironmentId: one, gitBranch: "dev" })).rejects.toThrow(
    /gitBranch conflicts with customEnvironmentId/,
  );
});

it("passes to a resource with another environment, and is put back when that fails", async () => {
  const [one, two] = [await environment("one"), await environment("two")];
  const [old, next] = [w.stack(projectDomain, "old"), w.stack(projectDomain, "next")];
  await old.up({ project: web, name, customEnvironmentId: one });
  const client = w.another();
  for (const stack of [old, next]) stack.use(client);
  recordStack([{ type: old.type, name: old.name, outputs: old.state }]);
  const path = `/v10/projects/${web}/domains`;
  await w.server.control.addFaults({ method: "POST", path, times: 1, kind: "status", status: 403 });
  const declared = { project: web, name, customEnvironmentId: two };
  await expect(next.up(declared)).rejects.toThrow(/403/);
  expect(await remote()).toMatchObject({ customEnvironmentId: one });
  expect(await next.up(declared)).toBe("create");
  await old.destroy();
  expect(await remote()).toMatchObject({ customEnvironmentId: two });
});
