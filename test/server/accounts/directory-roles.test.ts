import { useTestServer } from "../../support/world";

const world = useTestServer();
const set = async (body: object, token?: string) => {
  const { status, body: answer } = await world.call("POST", "/v1/teams/acme/dsync-roles", {
    body,
    ...(token && { token }),
  });
  return [status, answer.error?.code ?? answer];
};
const saml = async () => (await world.call("GET", "/v2/teams/acme")).body.saml;

it("sets the roles of the groups of a directory, which the team shows", async () => {
  await world.seed({ accessGroups: [{ id: "ag_1", team: "acme", name: "designers" }] });
  const roles = { engineering: "DEVELOPER", design: { accessGroupId: "ag_1" } };
  expect(await set({ roles })).toEqual([200, { ok: true }]);
  expect(await saml()).toEqual({ enforced: false, roles });
  await world.call("PATCH", "/v2/teams/acme", { body: { saml: { enforced: true } } });
  expect(await set({ roles: {} })).toEqual([200, { ok: true }]);
  expect(await saml()).toEqual({ enforced: true, roles: {} });
});

it.each([
  ["no roles", {}],
  ["an unknown role", { roles: { a: "BOSS" } }],
  ["an unknown access group", { roles: { a: { accessGroupId: "ag_none" } } }],
  ["an unknown member", { roles: {}, other: 1 }],
])("refuses %s", async (_, body) => {
  expect(await set(body)).toEqual([400, "bad_request"]);
  expect(await saml()).toBeUndefined();
});

it("is refused to those who are no owners", async () => {
  expect(await set({ roles: {} }, await world.member("MEMBER"))).toEqual([403, "forbidden"]);
});
