import { domainRoutes } from "../../../server/domains/routes";
import { App } from "../../../server/http/app";
import { serveApi } from "../../../server/http/pipeline";
import { developmentToken } from "../../../server/seed/development-account";
import { domainsOf, publish } from "../../support/domains";
import { type Answer, useTestServer } from "../../support/world";

const world = useTestServer();
const web = domainsOf(world);
const other = domainsOf(world, "other");
const name = "www.example.com";

/** Another account with a project of its own. */
let claimant: { token: string; team: string };

beforeEach(async () => {
  const token = await world.team("claimant");
  claimant = { token, team: "claimant" };
  await world.seed({
    projects: [
      { team: "acme", name: "web" },
      { team: "acme", name: "other" },
      { team: "claimant", name: "web" },
    ],
  });
});

const isVerified = async (domain = name): Promise<boolean> => (await web.get(domain)).body.verified;
const challengeOf = ({ body }: Answer): { domain: string; value: string } => body.verification[0];
const aliases = async (): Promise<string[]> =>
  (await world.call("GET", "/v9/projects/web")).body.alias.map(({ domain }: { domain: string }) => domain);

describe("a domain starts", () => {
  // S-10, S-11, D-05, D-11, X-48
  it("unverified, with a challenge that add, get and list show alike", async () => {
    const added = await web.add(name);
    expect(added.body.verified).toBe(false);
    expect(added.body.verification).toEqual([
      {
        type: "TXT",
        domain: "_vercel.example.com",
        value: expect.stringMatching(/^vc-domain-verify=www\.example\.com,[0-9a-f]{20}$/),
        reason: "pending_domain_verification",
      },
    ]);
    expect((await web.get(name)).body.verification).toEqual(added.body.verification);
    expect((await web.list()).body.domains[0].verification).toEqual(added.body.verification);
    await web.verify(name);
    await web.update(name, { gitBranch: "next" });
    expect((await web.get(name)).body.verification).toEqual(added.body.verification);
  });

  it("with a challenge of its own", async () => {
    expect(challengeOf(await web.add("a.example.com")).value).not.toBe(
      challengeOf(await web.add("b.example.com")).value,
    );
  });

  //
  it("verified when the apex is a verified domain of the account, on any of its projects", async () => {
    await publish(world, await other.add("example.com"));
    await other.verify("example.com");
    const added = await web.add("blog.example.com");
    expect(added.body.verified).toBe(true);
    expect(added.body.verification).toBeUndefined();
    expect((await web.add("*.example.com")).body.verified).toBe(true);
    expect((await web.add("example.org")).body.verified).toBe(false);
  });

  //
  it("unverified below an apex that is claimed only, and beside names that proved themselves", async () => {
    await web.add("example.com");
    for (const proof of [name, "*.example.com"]) {
      await publish(world, await other.add(proof));
      expect((await other.verify(proof)).status).toBe(200);
      await world.control.setTxt("_vercel.example.com");
    }
    expect((await web.add("blog.example.com")).body.verified).toBe(false);
    expect((await web.get("example.com")).body.verified).toBe(false);
  });

  //
  it("unverified when another account has proved the apex", async () => {
    await publish(world, await web.add("example.com", {}, claimant));
    expect((await web.verify("example.com", claimant)).status).toBe(200);
    expect((await web.add(name)).body.verified).toBe(false);
  });

  //
  it("unverified again once the account's apex is gone, while what was verified by it stays so", async () => {
    await publish(world, await web.add("example.com"));
    await web.verify("example.com");
    await web.add("blog.example.com");
    await web.remove("example.com");
    expect((await web.get("blog.example.com")).body.verified).toBe(true);
    expect((await web.add(name)).body.verified).toBe(false);
  });

  //
  it("unverified for each account that claims the name", async () => {
    const ours = await web.add(name);
    const theirs = await web.add(name, {}, claimant);
    expect(theirs.body.verified).toBe(false);
    expect(challengeOf(theirs).domain).toBe(challengeOf(ours).domain);
    expect(challengeOf(theirs).value).not.toBe(challengeOf(ours).value);
  });
});

describe("verify", () => {
  // S-12, DO-64, D-06, D-11, X-49
  it("verifies a domain whose record is published", async () => {
    await publish(world, await web.add(name));
    const answer = await web.verify(name);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ name, verified: true });
    expect(answer.body.verification).toBeUndefined();
    expect((await web.get(name)).body).toEqual(answer.body);
    expect((await web.list()).body.domains[0]).toEqual(answer.body);
  });

  // D-06
  it("finds the record among others at the same name", async () => {
    const { domain, value } = challengeOf(await web.add(name));
    await world.control.setTxt(domain, "v=spf1 -all", "vc-domain-verify=www.example.com,0", value);
    expect((await web.verify(name)).status).toBe(200);
  });

  // D-07
  it("alone verifies: a published record does not", async () => {
    await publish(world, await web.add(name));
    expect(await isVerified()).toBe(false);
    expect((await web.list()).body.domains[0].verified).toBe(false);
    await web.update(name, { gitBranch: "next" });
    expect(await isVerified()).toBe(false);
  });

  // D-03, D-04
  it("makes the domain an alias of the project, which it was not before", async () => {
    await publish(world, await web.add(name));
    expect(await aliases()).not.toContain(name);
    await web.verify(name);
    expect(await aliases()).toContain(name);
  });

  // S-13, DO-65
  it("leaves a verified domain verified, record or not, without an event", async () => {
    const added = await web.add(name);
    await publish(world, added);
    const verified = await web.verify(name);
    const events = (await world.control.events()).length;
    expect((await web.verify(name)).body).toEqual(verified.body);
    await world.control.setTxt(challengeOf(added).domain);
    const again = await web.verify(name);
    expect(again.status).toBe(200);
    expect(again.body).toEqual(verified.body);
    expect((await world.control.events()).length).toBe(events);
  });

  // S-14, DO-68, X-11
  it("is refused without a record, naming where and what it must be", async () => {
    const { domain, value } = challengeOf(await web.add(name));
    const answer = await web.verify(name);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe("missing_txt_record");
    expect(answer.body.error.message).toContain(domain);
    expect(answer.body.error.message).toContain(value);
    expect(await isVerified()).toBe(false);
  });

  // DO-68
  it("is refused for a record that verifies another name", async () => {
    const { domain, value } = challengeOf(await web.add(name));
    await world.control.setTxt(domain, value.replace("www.example.com", "example.com"));
    expect((await web.verify(name)).body.error.code).toBe("missing_txt_record");
  });

  // D-12
  it("is refused for the right value at another name", async () => {
    const { value } = challengeOf(await web.add(name));
    for (const place of ["example.com", "_vercel.www.example.com", name])
      await world.control.setTxt(place, value);
    const answer = await web.verify(name);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe("missing_txt_record");
    expect(await isVerified()).toBe(false);
  });

  // S-15, DO-69
  it.each([
    ["another value", (value: string) => value.replace(/,.*/, ",0123456789abcdef0123")],
    ["a longer value", (value: string) => `${value}0`],
    ["a shorter value", (value: string) => value.slice(0, -1)],
  ])("is refused for a record with %s", async (_what, change) => {
    const { domain, value } = challengeOf(await web.add(name));
    await world.control.setTxt(domain, change(value));
    const answer = await web.verify(name);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe("mismatched_txt_record");
    expect(answer.body.error.message).toContain(value);
    expect(await isVerified()).toBe(false);
  });

  // S-16, DO-67, X-11
  it("is refused for a record that verifies the domain for another project", async () => {
    await web.add(name);
    await publish(world, await web.add(name, {}, claimant));
    const answer = await web.verify(name);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe("existing_project_domain");
    expect(await isVerified()).toBe(false);
  });

  // S-16, DO-67
  it("is refused once another account has verified the name, whatever is published", async () => {
    const ours = await web.add(name);
    const theirs = await web.add(name, {}, claimant);
    await publish(world, ours, theirs);
    expect((await web.verify(name, claimant)).status).toBe(200);
    const answer = await web.verify(name);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe("existing_project_domain");
    expect(await isVerified()).toBe(false);
  });

  it("succeeds once the owner has let the name go", async () => {
    const ours = await web.add(name);
    const theirs = await web.add(name, {}, claimant);
    await publish(world, ours, theirs);
    await web.verify(name, claimant);
    await web.remove(name, claimant);
    expect((await web.verify(name)).status).toBe(200);
  });

  // S-17, DO-70, X-06
  it("is refused for a domain of another project, and changes none", async () => {
    await publish(world, await other.add(name));
    const before = await world.control.snapshot();
    for (const domain of [name, "unknown.example.com", "no domain"]) {
      const answer = await web.verify(domain);
      expect(answer.status).toBe(400);
      expect(answer.body.error).toMatchObject({
        code: "bad_request",
        message: expect.stringMatching(/not assigned/),
      });
    }
    expect(await world.control.snapshot()).toEqual(before);
  });

  // S-14, DO-68, X-50
  it.each([
    ["a name beside it", name],
    ["its apex", "example.com"],
  ])("is refused without a record of its own, though the account proved %s", async (_what, proof) => {
    await web.add("blog.example.com");
    await publish(world, await other.add(proof));
    expect((await other.verify(proof)).status).toBe(200);
    await world.control.setTxt("_vercel.example.com");
    const answer = await web.verify("blog.example.com");
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe("missing_txt_record");
    expect(await isVerified("blog.example.com")).toBe(false);
  });

  it("gives a name to exactly one of those who race for it", async () => {
    const ours = await web.add(name);
    const theirs = await web.add(name, {}, claimant);
    await publish(world, ours, theirs);
    const answers = await Promise.all([web.verify(name), web.verify(name, claimant)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  describe("while the look-up fails", () => {
    const lookupTxt = jest.fn(() => Promise.reject(new Error("SERVFAIL")));
    const verify = async () => {
      lookupTxt.mockClear();
      const services = { ...world.services, lookupTxt };
      const app = new App(services.log);
      serveApi(app, domainRoutes, { services, strict: true, limited: false });
      const answer = await app.inject({
        method: "POST",
        url: `/v9/projects/web/domains/${name}/verify?slug=acme`,
        headers: { authorization: `Bearer ${developmentToken}` },
      });
      return answer;
    };

    // DO-68
    it("is refused as without a record", async () => {
      await web.add(name);
      const answer = await verify();
      expect(answer.statusCode).toBe(400);
      expect(answer.json().error.code).toBe("missing_txt_record");
    });

    // DO-65
    it("leaves a verified domain verified, for which it asks nothing", async () => {
      await publish(world, await web.add(name));
      await web.verify(name);
      expect((await verify()).statusCode).toBe(200);
      expect(lookupTxt).not.toHaveBeenCalled();
    });
  });
});
