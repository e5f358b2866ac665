import { explicitKey, settingsFrom } from "../../../provider/client/config";

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

it("is the bundled server and the personal account by default", () => {
  expect(from({ "slipway:token": "t" })).toEqual({
    apiUrl: "http://127.0.0.1:4000",
    token: "t",
    team: undefined,
  });
});

it.each([
  [{}, /No access token is configured. Set SLIPWAY_TOKEN/],
  [{ SLIPWAY_TOKEN: "a b" }, /no header can carry/],
  [{ SLIPWAY_TOKEN: "t", SLIPWAY_API_URL: "nonsense" }, /is not an http/],
  [{ SLIPWAY_TOKEN: "t", SLIPWAY_API_URL: "http://api.example.com" }, /is not sent over plain http/],
  [{ SLIPWAY_TOKEN: "t", SLIPWAY_API_URL: "https://a:b@example.com" }, /nothing else/],
])("refuses %j", (environment, message) => {
  expect(() => from({}, environment)).toThrow(message);
});

it.each(["http://localhost:1", "http://127.0.0.1", "http://[::1]:2", "https://api.example.com/base"])(
  "sends a token to %s",
  (SLIPWAY_API_URL) => {
    expect(from({}, { SLIPWAY_TOKEN: "t", SLIPWAY_API_URL: `${SLIPWAY_API_URL}/` }).apiUrl).toBe(
      SLIPWAY_API_URL,
    );
  },
);
