import { FakeCli } from "../support/fake-cli";
import { inProcessHost } from "./in-process-host";
import { inProcessPluginHost } from "./in-process-plugin-host";

const config = { apiUrl: "http://127.0.0.1:1", token: "t", team: "acme" };
const prefixed = Object.fromEntries(Object.entries(config).map(([key, value]) => [`slipway:${key}`, value]));
const cli = new FakeCli();
const hosts = {
  dynamic: () => inProcessHost(prefixed),
  plugin: () => inProcessPluginHost(config, cli),
};
// The dynamic host says what it cannot find out.
beforeAll(() => void jest.spyOn(console, "error").mockImplementation(() => {}));
afterAll(() => {
  cli.close();
  jest.restoreAllMocks();
});

describe.each(["dynamic", "plugin"] as const)("the %s host", (name) => {
  it.each([
    [3000, "3000"],
    [-0.5, "-0.5"],
    [true, "true"],
    [false, "false"],
    ["007", "007"],
  ])("takes the value %j of a variable as the text %j", async (given, text) => {
    const host = await hosts[name]();
    const one = { project: "prj_1", key: "K", target: ["production"] };
    const variable = await host.check("EnvVar", one, { ...one, value: given });
    expect(variable).toMatchObject({ failures: [], inputs: { value: text } });
    const many = { project: "prj_1", variables: { A: given, B: { value: given } } };
    const variables = await host.check("EnvVars", many, many);
    expect(variables).toMatchObject({ failures: [], inputs: { variables: { A: text, B: { value: text } } } });
    const built = { project: "prj_1", ref: "main", environment: { A: given } };
    const deployment = await host.check("Deployment", built, built);
    expect(deployment).toMatchObject({ failures: [], inputs: { environment: { A: text } } });
  });

  it("refuses a value that is no scalar", async () => {
    const host = await hosts[name]();
    const { failures } = await host.check(
      "EnvVar",
      {},
      { project: "prj_1", key: "K", value: [1], target: ["preview"] },
    );
    expect(failures).toEqual([expect.objectContaining({ reason: "value must be a string." })]);
  });
});
