import { explicitKey, nodeProblem, settingsFrom, warningsOf } from "../../../provider/client/config";

const from = (config: Record<string, string>, environment: Record<string, string> = {}) =>
  settingsFrom((key) => config[key], environment);

it("prefers an explicit provider to the environment, and that to the stack's configuration", () => {
  const stack = { "slipway:token": "stack", "slipway:team": "stack", "slipway:apiUrl": "https://stack" };
  expect(from(stack)).toEqual({ apiUrl: "https://stack", token: "stack", team: "stack" });
  expect(from(stack, { SLIPWAY_TOKEN: "env", SLIPWAY_TEAM: "env" })).toMatchObject({
    token: "env",
    team: "env",
  });
  const explicit = { ...stack, [explicitKey("token")]: "own", [explicitKey("team")]: "" };
  expect(from(explicit, { SLIPWAY_TOKEN: "env", SLIPWAY_TEAM: "env" })).toMatchObject({
    token: "own",
    team: undefined,
  });
});

it("takes an empty address of an explicit provider for none, and its empty token for a mistake", () => {
  const environment = { SLIPWAY_API_URL: "https://env", SLIPWAY_TOKEN: "env" };
  expect(from({ [explicitKey("apiUrl")]: "" }, environment).apiUrl).toBe("https://env");
  expect(() => from({ [explicitKey("token")]: "" }, environment)).toThrow(/No access token/);
});

it.each([
  [{}, undefined],
  [{ defaultVariableType: "encrypted" }, undefined],
  [{ token: "own" }, "without-team"],
  [{ apiUrl: "https://own" }, "without-team"],
  [{ team: "" }, "with-team"],
  [{ token: "own", team: "acme" }, "with-team"],
])("knows whether an explicit provider names its team: %j is %s", (given, expected) => {
  const explicit = Object.entries(given).map(([setting, value]) => [explicitKey(setting), value]);
  expect(from({ "slipway:token": "t", ...Object.fromEntries(explicit) }).explicitProvider).toBe(expected);
});

it("is the bundled server and the personal account by default", () => {
  expect(from({ "slipway:token": "t" })).toEqual({
    apiUrl: "http://127.0.0.1:4000",
    token: "t",
    team: undefined,
  });
});

it("finds the bundled server at the port that it was given, unless an address says otherwise", () => {
  const environment = { SLIPWAY_TOKEN: "t", SLIPWAY_PORT: "4001" };
  expect(from({}, environment).apiUrl).toBe("http://127.0.0.1:4001");
  expect(from({ "slipway:apiUrl": "https://stack" }, environment).apiUrl).toBe("https://stack");
  expect(from({}, { ...environment, SLIPWAY_API_URL: "https://env" }).apiUrl).toBe("https://env");
  expect(from({}, { ...environment, SLIPWAY_PORT: "" }).apiUrl).toBe("http://127.0.0.1:4000");
  const unused = { ...environment, SLIPWAY_PORT: "abc", SLIPWAY_API_URL: "https://env" };
  expect(from({}, unused).apiUrl).toBe("https://env");
});

it.each([
  [{}, /No access token is configured. Set SLIPWAY_TOKEN/],
  [{ SLIPWAY_TOKEN: "t", SLIPWAY_PORT: "abc" }, /SLIPWAY_PORT=abc is not a valid port.* 1 to 65535/],
  [{ SLIPWAY_TOKEN: "t", SLIPWAY_PORT: "0" }, /SLIPWAY_PORT=0 is not a valid port/],
  [{ SLIPWAY_TOKEN: "t", SLIPWAY_PORT: "65536" }, /SLIPWAY_PORT=65536 is not a valid port/],
  [{ SLIPWAY_TOKEN: "a b" }, /is invalid in HTTP headers/],
  [{ SLIPWAY_TOKEN: "t", SLIPWAY_API_URL: "nonsense" }, /is not an http/],
  [{ SLIPWAY_TOKEN: "t", SLIPWAY_API_URL: "http://api.example.com" }, /is not sent over plain http/],
  [{ SLIPWAY_TOKEN: "t", SLIPWAY_API_URL: "https://a:b@example.com" }, /may contain only a scheme/],
  [{ SLIPWAY_TOKEN: "t", SLIPWAY_API_URL: "ftp://example.com" }, /is not an http/],
  [{ SLIPWAY_TOKEN: "t", SLIPWAY_API_URL: "https://:b@example.com" }, /may contain only a scheme/],
  [{ SLIPWAY_TOKEN: "t", SLIPWAY_API_URL: "https://example.com?a=1" }, /may contain only a scheme/],
  [{ SLIPWAY_TOKEN: "t", SLIPWAY_API_URL: "https://example.com#a" }, /may contain only a scheme/],
  [{ SLIPWAY_TOKEN: "t\u00e9" }, /is invalid in HTTP headers/],
  [{ SLIPWAY_TOKEN: "t", SLIPWAY_DEFAULT_VARIABLE_TYPE: "plain" }, /must be one of sensitive, encrypted/],
])("refuses %j", (environment, message) => {
  expect(() => from({}, environment)).toThrow(message);
});

it.each([
  "http://evillocalhost",
  "http://localhost.example.com",
  "http://127.0.0.1.example.com",
  "http://127.example.com",
  "http://0.0.0.0",
  "http://10.0.0.1",
])("sends no token in clear to %s, which is not this machine", (SLIPWAY_API_URL) => {
  expect(() => from({}, { SLIPWAY_TOKEN: "t", SLIPWAY_API_URL })).toThrow(/is not sent over plain http/);
});

it.each([
  "http://localhost:1",
  "http://api.localhost:1",
  "http://127.0.0.1",
  "http://127.1.2.3",
  "http://[::1]:2",
  "https://api.example.com/base",
])("sends a token to %s", (SLIPWAY_API_URL) => {
  expect(from({}, { SLIPWAY_TOKEN: "t", SLIPWAY_API_URL: `${SLIPWAY_API_URL}/` }).apiUrl).toBe(
    SLIPWAY_API_URL,
  );
});

describe("a team of the environment", () => {
  const warnings = (config: Record<string, string>, environment: Record<string, string>): string[] =>
    warningsOf((key) => config[key], environment);

  it("is warned about when it differs from that of the stack", () => {
    expect(warnings({ "slipway:team": "acme" }, { SLIPWAY_TEAM: "globex" })).toEqual([
      "SLIPWAY_TEAM=globex overrides slipway:team of the stack (acme). Unset SLIPWAY_TEAM, or set both to the same team.",
    ]);
  });

  it.each([
    [{ "slipway:team": "acme" }, { SLIPWAY_TEAM: "acme" }],
    [{ "slipway:team": "acme" }, {}],
    [{ "slipway:team": "acme" }, { SLIPWAY_TEAM: "" }],
    [{}, { SLIPWAY_TEAM: "acme" }],
    [{ "slipway:team": "acme", [explicitKey("team")]: "own" }, { SLIPWAY_TEAM: "globex" }],
    [{ "slipway:team": "acme", [explicitKey("team")]: "" }, { SLIPWAY_TEAM: "globex" }],
  ])("is not warned about for %j and %j", (config, environment) => {
    expect(warnings(config as Record<string, string>, environment as Record<string, string>)).toEqual([]);
  });
});

it("says which Node.js is needed, before anything else", () => {
  const needed =
    "Node.js 22.19 or later is required. This is 20.19.2. Install a later version, and run Pulumi with it first on PATH.";
  expect(nodeProblem("20.19.2")).toBe(needed);
  expect(nodeProblem("22.18.0")).toMatch(/^Node\.js 22\.19 or later is required/);
  expect(["22.19.0", "23.0.0", "24.1.0", process.versions.node].map(nodeProblem)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  const { versions } = process;
  Object.defineProperty(process, "versions", { value: { ...versions, node: "20.19.2" }, configurable: true });
  try {
    expect(() => settingsFrom(() => undefined, {})).toThrow(needed);
  } finally {
    Object.defineProperty(process, "versions", { value: versions, configurable: true });
  }
});
