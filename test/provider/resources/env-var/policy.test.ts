import { ApiError } from "../../../../provider/client/errors";
import { envVar } from "../../../../provider/resources/env-var";
import { envVars } from "../../../../provider/resources/env-vars";
import { type Harness, startHarness } from "../../stack";

let w: Harness;
beforeEach(async () => {
  w = await startHarness();
  await w.curl("POST", "/v10/projects", { name: "web" });
});
afterEach(() => w.close());

const switchOn = () => w.server.control.changeTeam("acme", { sensitiveEnvironmentVariablePolicy: "on" });
const variable = (more: object) => ({ project: "web", key: "K", value: "v", ...more });
const refused = /policy of the team .* Change K \((encrypted|plain)\)/;

it.each([
  ["encrypted", { type: "encrypted", target: ["production"] }],
  ["plain", { type: "plain", target: ["preview", "development"] }],
])("a preview refuses a new variable of type %s where the policy of the team does", async (_, settings) => {
  expect(await w.stack(envVar, "before").preview(variable(settings))).toBe("create");
  await switchOn();
  const next = w.stack(envVar, "next");
  next.use(w.another());
  await expect(next.preview(variable(settings))).rejects.toThrow(refused);
  const many = w.stack(envVars, "many");
  many.use(w.another());
  const { type, target } = settings;
  await expect(
    many.preview({ project: "web", variables: { K: { value: "v", type, target } } }),
  ).rejects.toThrow(refused);
});

it.each([
  ["is sensitive", { type: "sensitive", target: ["production"] }],
  ["is for development alone", { type: "encrypted", target: ["development"] }],
])("a preview accepts a variable that %s, and up creates it", async (_, settings) => {
  await switchOn();
  const stack = w.stack(envVar, "it");
  expect(await stack.preview(variable(settings))).toBe("create");
  await stack.up(variable(settings));
});

it("a variable that was readable before the policy may stay, and change", async () => {
  const settings = { type: "encrypted", target: ["production"] };
  const stack = w.stack(envVar, "it");
  await stack.up(variable(settings));
  await switchOn();
  stack.use(w.another());
  expect(await stack.preview(variable({ ...settings, value: "other" }))).toBe("update");
  await stack.up(variable({ ...settings, value: "other" }));
  await expect(stack.preview(variable({ ...settings, key: "L" }))).rejects.toThrow(/Change L \(/);
});

it("a preview leaves a variable to the service where the token may not read the team", async () => {
  await switchOn();
  const client = w.another();
  const get = client.get.bind(client);
  const refusal = {
    asked: { method: "GET", path: "/v2/teams/acme" },
    status: 403,
    code: "forbidden",
    said: "No",
  };
  jest.spyOn(client, "get").mockImplementation(async (path, ...rest) => {
    if (path.startsWith("/v2/teams/")) throw new ApiError(refusal);
    return get(path, ...rest) as never;
  });
  const stack = w.stack(envVar, "it");
  stack.use(client);
  expect(await stack.preview(variable({ type: "encrypted", target: ["production"] }))).toBe("create");
});
