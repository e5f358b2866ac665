import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { Provider } from "../../sdk";
import { until } from "../support/until";

interface Registration {
  getType(): string;
  getObject(): { toJavaScript(): Record<string, unknown> };
  getReplacementTrigger(): { toJavaScript(): unknown } | undefined;
}

/** How the engine marks a secret. */
const secret = (value: string) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});

beforeEach(() =>
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs }),
    call: () => ({}),
  }),
);
afterEach(() => {
  pulumi.runtime.setAllConfig({});
  jest.restoreAllMocks();
});

/** A provider, as the engine knows it. */
async function registration(declare: () => Provider): Promise<Registration> {
  const requests = jest.spyOn(MockMonitor.prototype, "registerResource").mock.calls;
  declare();
  const isProvider = ([request]: [Registration, unknown]) =>
    request.getType().startsWith("pulumi:providers:");
  const [request] = await until("the provider is registered", () => requests.find(isProvider));
  return request as Registration;
}

/** The inputs with which a provider is registered, as they go to the engine. */
const registered = async (declare: () => Provider): Promise<Record<string, unknown>> =>
  (await registration(declare)).getObject().toJavaScript();

describe("an explicit Provider", () => {
  it("registers the stack's token as a secret", async () => {
    pulumi.runtime.setAllConfig({ "slipway:token": "canary", "slipway:team": "acme" }, ["slipway:token"]);
    const inputs = await registered(() => new Provider("own"));
    expect(inputs).toMatchObject({ "slipway:token": secret("canary"), "slipway:team": "acme" });
  });

  it("registers the stack's token as a secret, also where it was configured in clear", async () => {
    pulumi.runtime.setAllConfig({ "slipway:token": "canary" });
    const inputs = await registered(() => new Provider("own"));
    expect(inputs).toMatchObject({ "slipway:token": secret("canary") });
  });

  it("registers a token of its own as a secret, also where it is given in clear", async () => {
    const inputs = await registered(() => new Provider("own", { token: "canary", team: "acme" }));
    expect(inputs).toMatchObject({ "slipway:provider.token": secret("canary") });
    expect(JSON.stringify(inputs).match(/canary/g)).toHaveLength(1);
  });

  it.each([
    ["a team", { team: "acme" }, ["acme"]],
    ["the user's own account", {}, [null]],
  ])("is replaced when its account changes: it says that it is for %s", async (_, args, trigger) => {
    const request = await registration(() => new Provider("own", args));
    expect(request.getReplacementTrigger()?.toJavaScript()).toEqual(trigger);
  });
});
