import { closest } from "../../../server/http/closest";

const known = [
  "/v9/projects/:idOrName",
  "/v9/projects/:idOrName/env",
  "/v2/user",
  "/v2/teams",
  "/v1/webhooks",
];

it.each([
  ["/projcts/web", "/v9/projects/{idOrName}"],
  ["/projects/web/evn", undefined],
  ["/projects/web/envs", "/v9/projects/{idOrName}/env"],
  ["/usr", "/v2/user"],
  ["/team", "/v2/teams"],
  ["/projects/", undefined],
  ["/nothing/like/it", undefined],
])("somebody who asks for %s may have meant %s", (path, meant) => {
  expect(closest(path, known)).toBe(meant);
});

it("is the nearest of several, wherever it stands", () => {
  const near = ["/v1/projekts", "/v1/projects", "/v1/brojecttss"];
  for (const order of [near, near.toReversed()]) expect(closest("/projectts", order)).toBe("/v1/projects");
});
