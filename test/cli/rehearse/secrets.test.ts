import { placeholder } from "../../../cli/objects/kind";
import { concealerOf } from "../../../cli/rehearse/conceal";
import type { Document } from "../../../cli/rehearse/copy";
import { secretTextsOf } from "../../../cli/rehearse/secrets";
import { resourcesIn } from "../../../cli/rehearse/stack";

const secret = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  plaintext: JSON.stringify(value),
});
const resource = (type: string, inputs: object, outputs: object = {}) => ({
  ...{ urn: `urn:${type}`, type: `slipway:index:${type}`, id: "id", custom: true, inputs, outputs },
});
const textsOf = (resources: object[], document: object = {}, config: [string, object][] = []) =>
  secretTextsOf({ config: new Map(config) as never, token: "canary-token" }, resourcesIn({ resources }), [
    document as Document,
  ]);

it("finds the secrets that the state marks, in inputs, outputs, members and JSON texts", () => {
  const { declared } = textsOf([
    resource("Webhook", { url: secret("https://hooks.test/canary-1"), events: ["x"] }),
    resource("Project", { buildCommand: secret("canary-2"), name: "web" }),
    resource("LogDrain", { sources: [secret("canary-3")] }, { endpoint: secret('{"key":"canary-4"}') }),
  ]);
  expect(declared).toEqual([
    "https://hooks.test/canary-1",
    "canary-2",
    "canary-3",
    ...['{"key":"canary-4"}', "canary-4"],
  ]);
});

it("finds secrets of the configuration, also in objects", () => {
  const config: [string, object][] = [
    ["web:key", { secret: true, value: "canary-5" }],
    ["web:object", { secret: true, objectValue: { a: ["canary-6"] }, value: '{"a":["canary-6"]}' }],
    ["web:region", { secret: false, value: "eu" }],
  ];
  expect(new Set(textsOf([], {}, config).declared)).toEqual(
    new Set(["canary-5", "canary-6", '{"a":["canary-6"]}']),
  );
});

it("finds the secrets by the schema in a state without marks and in the account", () => {
  const { usual } = textsOf(
    [
      resource("EnvVar", { value: "canary-7", key: "KEY" }),
      resource("EnvVars", { variables: { A: { value: "canary-8", type: "plain" } } }),
      resource("Project", { passwordProtection: { deploymentType: "all", password: "canary-9" } }),
    ],
    {
      env: [{ value: "canary-10" }, { value: placeholder }],
      webhooks: [{ url: "https://hooks.test/canary-11" }],
      logDrains: [{ url: "https://logs.test", headers: { a: "canary-12" } }],
      projects: [
        {
          bypassSecrets: [{ secret: "canary-13", note: "for tests" }],
          link: { repo: "web", deployHooks: [{ url: "https://deploy.test/canary-14" }] },
        },
      ],
    },
  );
  expect(usual).toEqual([
    ...["canary-token", "canary-7", "canary-8", "canary-9", "canary-13", "https://deploy.test/canary-14"],
    ...["canary-10", "https://hooks.test/canary-11", "https://logs.test", "canary-12"],
  ]);
  expect(concealerOf({ declared: [], usual }, [])("sent canary-12 and canary-token")).toBe(
    "sent [secret] and [secret]",
  );
});
