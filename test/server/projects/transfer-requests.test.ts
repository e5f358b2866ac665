import { developmentToken } from "../../../server/seed/development-account";
import { useTestServer } from "../../support/world";

const world = useTestServer();
const day = 86_400_000;
let other: string;

beforeEach(async () => {
  other = await world.team("other");
  await world.seed({
    projects: [{ id: "prj_web", team: "acme", name: "web" }],
    deployments: [{ id: "dpl_1", team: "acme", project: "web", target: "production" }],
    domains: [{ team: "acme", project: "web", name: "www.example.com", verified: true }],
  });
});

const request = async (body?: object): Promise<string> =>
  (await world.call("POST", "/projects/web/transfer-request", body ? { body } : {})).body.code;
const accept = async (code: string, body: object = {}, team = "other", token = other) => {
  const answer = await world.call("PUT", `/projects/transfer-request/${code}`, { team, token, body });
  return [answer.status, answer.body.error?.code ?? answer.body];
};
const nothing = { partnerCalls: [], resourceTransferErrors: [], transferredStoreIds: [] };
const inOther = (path: string) => world.call("GET", path, { team: "other", token: other });

it("moves the project with what it has to the account that sends the code", async () => {
  const code = await request({ callbackUrl: "https://example.com/hook", callbackSecret: "s" });
  expect(code).toMatch(/^\w{32}$/);
  expect(await accept(code)).toEqual([202, nothing]);
  const { body } = await inOther("/v9/projects/prj_web");
  expect(body).toMatchObject({ id: "prj_web", name: "web", transferredFromAccountId: expect.any(String) });
  expect((await inOther("/v9/projects/web/domains/www.example.com")).body.verified).toBe(true);
  expect((await inOther("/v13/deployments/dpl_1")).status).toBe(200);
  expect((await world.call("GET", "/v9/projects/prj_web")).status).toBe(404);
});

it("gives the project another name, also where the new account has its name", async () => {
  await world.seed({ projects: [{ team: "other", name: "web" }] });
  const code = await request();
  expect(await accept(code)).toEqual([409, "conflict"]);
  expect(await accept(code, { newProjectName: "web" })).toEqual([409, "conflict"]);
  expect(await accept(code, { newProjectName: "web-2" })).toEqual([202, nothing]);
  expect((await inOther("/v9/projects/web-2")).body.id).toBe("prj_web");
  expect((await inOther("/v6/deployments?app=web-2")).body.deployments).toHaveLength(1);
});

it("refuses a name that the old account has", async () => {
  await world.seed({ projects: [{ team: "acme", name: "docs" }] });
  expect(await accept(await request(), { newProjectName: "docs" })).toEqual([409, "conflict"]);
  expect((await world.call("GET", "/v9/projects/web")).status).toBe(200);
});

it("accepts a code once, and for a day", async () => {
  const used = await request();
  await accept(used);
  expect(await accept(used, {}, "acme", developmentToken)).toEqual([404, "not_found"]);
  await world.seed({ projects: [{ id: "prj_docs", team: "acme", name: "web" }] });
  const code = await request();
  await world.control.advanceClock(day);
  expect(await accept(code)).toEqual([404, "not_found"]);
});

it("gives the project to one of two accounts that send the code at the same time", async () => {
  const third = await world.team("third");
  const code = await request();
  const answers = await Promise.all([accept(code), accept(code, {}, "third", third)]);
  expect(answers.map(([status]) => status).sort()).toEqual([202, 404]);
});

it("accepts only the last code of a project, and none of a project that is gone", async () => {
  const [first, second] = [await request(), await request()];
  expect(await accept(first)).toEqual([404, "not_found"]);
  await world.call("DELETE", "/v9/projects/web");
  expect(await accept(second)).toEqual([404, "not_found"]);
});

it("refuses the account that has the project, and an account that is blocked", async () => {
  const code = await request();
  const answer = await world.call("PUT", `/projects/transfer-request/${code}`);
  expect([answer.status, answer.body.error.code]).toEqual([400, "bad_request"]);
  await world.control.changeTeam("other", { softBlocked: true });
  expect(await accept(code)).toEqual([402, "payment_required"]);
});

it.each([{ other: 1 }, { newProjectName: "A" }, { acceptedPolicies: { a: { eula: "soon" } } }])(
  "refuses the body %j",
  async (body) => expect(await accept(await request(), body)).toEqual([400, "bad_request"]),
);

it("takes the members of the official client that have no effect", async () => {
  const paidFeatures = { concurrentBuilds: 1, passwordProtection: null, previewDeploymentSuffix: true };
  const policies = {
    eula: "2026-01-01T00:00:00Z",
    privacy: "2026-01-01T00:00:00Z",
    more: "2026-01-01T00:00:00Z",
  };
  const body = { paidFeatures, acceptedPolicies: { icfg_1: policies } };
  expect(await accept(await request(), body)).toEqual([202, nothing]);
});

it("is refused to a callback that is no URL", async () => {
  const { status } = await world.call("POST", "/projects/web/transfer-request", {
    body: { callbackUrl: "no" },
  });
  expect(status).toBe(400);
});

it("keeps the code out of the store, the snapshot and the logs", async () => {
  const code = await request();
  await accept(code, { other: 1 });
  const rows = await world.services.store.read((tx) =>
    tx.selectFrom("transfer_requests").selectAll().execute(),
  );
  expect(rows).toHaveLength(1);
  const requests = await world.control.requests();
  expect(requests.map(({ path }) => path)).toContain("/projects/transfer-request/***");
  for (const kept of [rows, await world.control.snapshot(), requests])
    expect(JSON.stringify(kept)).not.toContain(code);
});
