import type { ScopeName } from "../../../server/access/scopes";
import { domainsOf, installation, publish, transfer } from "../../support/domains";
import { useTestServer } from "../../support/world";

const world = useTestServer();
const web = domainsOf(world);

beforeEach(() => world.seed({ projects: [{ team: "acme", name: "web" }] }));

const webId = async (): Promise<string> => (await world.call("GET", "/v9/projects/web")).body.id;

/** The six operations, each on the domain `www.example.com` of `web`, which is there. */
const operations = [
  ["add", "POST", "/v10/projects/web/domains", { name: "new.example.com" }],
  ["list", "GET", "/v9/projects/web/domains", undefined],
  ["get", "GET", "/v9/projects/web/domains/www.example.com", undefined],
  ["update", "PATCH", "/v9/projects/web/domains/www.example.com", { gitBranch: "next" }],
  ["delete", "DELETE", "/v9/projects/web/domains/www.example.com", undefined],
  ["verify", "POST", "/v9/projects/web/domains/www.example.com/verify", undefined],
] as const;
const writing = ["add", "update", "delete", "verify"];

describe("every domain operation", () => {
  beforeEach(() => web.add("www.example.com"));

  // DO-03
  it.each(operations)("%s reaches its project by id as by name", async (name, method, path, body) => {
    if (name === "verify") await publish(world, await web.get("www.example.com"));
    const answer = await world.call(method, path.replace("/web/", `/${await webId()}/`), { body });
    expect(answer.status).toBe(200);
  });

  // ER-04, VE-03, VE-04
  it.each(operations)("%s succeeds with 200 under any version", async (name, method, path, body) => {
    if (name === "verify") await publish(world, await web.get("www.example.com"));
    expect((await world.call(method, path.replace(/^\/v\d+/, ""), { body })).status).toBe(200);
  });

  // DO-18, DO-40, DO-44, DO-54, DO-60, DO-71
  it.each(operations)("%s without a token is refused with 401", async (_name, method, path, body) => {
    const answer = await world.call(method, path, { body, token: null });
    expect(answer.status).toBe(401);
    expect(answer.body.error.code).toBe("forbidden");
  });

  // DO-21, DO-41, DO-45, DO-55, DO-61, DO-72
  it.each(operations)("%s without permission is refused with 403", async (name, method, path, body) => {
    const token = await world.member(writing.includes(name) ? "VIEWER" : "CONTRIBUTOR");
    const before = await world.control.snapshot();
    const answer = await world.call(method, path, { body, token });
    expect(answer.status).toBe(403);
    expect(answer.body.error.code).toBe("forbidden");
    expect(await world.control.snapshot()).toEqual(before);
  });

  // DO-10, DO-39, DO-43, DO-52, DO-59, DO-66
  it.each(operations)(
    "%s with an invalid query value is refused with 400",
    async (_name, method, path, body) => {
      const answer = await world.call(method, `${path}?slug=acme&slug=other`, { body });
      expect(answer.status).toBe(400);
      expect(answer.body.error.code).toBe("bad_request");
    },
  );

  // X-05, DO-62
  it.each(operations)("%s of an unknown project is refused with 404", async (_name, method, path, body) => {
    const answer = await world.call(method, path.replace("/web/", "/nobody/"), { body });
    expect(answer.status).toBe(404);
    expect(answer.body.error.code).toBe("not_found");
  });

  // X-06, DO-62
  it.each(operations.filter(([name]) => ["get", "update", "delete"].includes(name)))(
    "%s of an unknown domain is refused with 404",
    async (_name, method, path, body) => {
      for (const unknown of ["other.example.com", "not%20a%20name"]) {
        const answer = await world.call(method, path.replace("www.example.com", unknown), { body });
        expect(answer.status).toBe(404);
        expect(answer.body.error.code).toBe("not_found");
      }
    },
  );

  // DO-27, DO-56, DO-63, T-06, T-08
  it.each(operations.filter(([name]) => ["add", "update", "delete"].includes(name)))(
    "%s changes nothing while the project is transferred, and does afterwards",
    async (_name, method, path, body) => {
      await transfer(world, "web", "somebody");
      const before = await world.control.snapshot();
      const answer = await world.call(method, path, { body });
      expect(answer.status).toBe(409);
      expect(answer.body.error.code).toBe("conflict");
      expect(await world.control.snapshot()).toEqual(before);
      await transfer(world, "web", null);
      expect((await world.call(method, path, { body })).status).toBe(200);
    },
  );

  // T-07
  it.each(operations.filter(([name]) => ["list", "get", "verify"].includes(name)))(
    "%s goes on while the project is transferred",
    async (_name, method, path) => {
      await publish(world, await web.get("www.example.com"));
      await transfer(world, "web", "somebody");
      expect((await world.call(method, path)).status).toBe(200);
    },
  );

  // ER-01
  it.each(operations.filter(([name]) => name !== "add"))(
    "%s passes for a blocked account",
    async (name, method, path, body) => {
      if (name === "verify") await publish(world, await web.get("www.example.com"));
      await world.control.changeTeam("acme", { softBlocked: true, paymentMethodNeedsUpdate: true });
      expect((await world.call(method, path, { body })).status).toBe(200);
    },
  );

  // AU-31, AU-32, AU-33, AU-34
  it.each(operations.filter(([name]) => ["add", "update", "delete"].includes(name)))(
    "%s needs to write both project and domain",
    async (_name, method, path, body) => {
      const lacking: ScopeName[][] = [
        ["read-write:project"],
        ["read-write:domain"],
        ["read-write:project", "read:domain"],
      ];
      for (const scopes of lacking) {
        const token = await installation(world, scopes);
        expect((await world.call(method, path, { body, token })).status).toBe(403);
      }
      const token = await installation(world, ["read-write:project", "read-write:domain"]);
      expect((await world.call(method, path, { body, token })).status).toBe(200);
    },
  );

  // AU-05
  it("reaches no project that the installation does not cover", async () => {
    await world.seed({ projects: [{ team: "acme", name: "other" }] });
    const token = await installation(world, ["read-write:project", "read-write:domain"], {
      projects: ["other"],
    });
    for (const [, method, path, body] of operations) {
      expect((await world.call(method, path, { body, token })).status).toBe(403);
    }
  });
});
