import { type Plain, unknown } from "../../../provider/core/values";
import { envVar } from "../../../provider/resources/env-var";
import { envVars } from "../../../provider/resources/env-vars";
import { type HostName, hosted, hostNames } from "../hosted";
import { type Harness, startHarness } from "../stack";

let w: Harness;
let web: string;
beforeEach(async () => {
  delete process.env.SLIPWAY_DEFAULT_VARIABLE_TYPE;
  w = await startHarness();
  web = ((await w.curl("POST", "/v10/projects", { name: "web" })) as Plain).id as string;
});
afterEach(() => w.close());

const settings = { apiUrl: "", token: "", team: undefined };
const variable = { project: "web", key: "K", value: "canary" };
const typeOf = (inputs: Plain, previous: Plain = {}): unknown =>
  envVar.complete(settings, previous, { ...variable, ...inputs }).type;
const typesOf = (inputs: Plain, previous: Plain = {}): unknown => {
  const { type, variables } = envVars.complete(settings, previous, { project: "web", ...inputs });
  return [type, variables];
};

describe("a variable without a type", () => {
  it.each([
    [["production"], "sensitive"],
    [["production", "preview"], "sensitive"],
    [["production", "development"], "encrypted"],
    [undefined, "sensitive"],
    [unknown, unknown],
  ])("for %j becomes %p", (target, type) => {
    expect(typeOf({ target, ...(target === undefined && { customEnvironmentIds: ["env_1"] }) })).toBe(type);
  });

  it.each([
    ["with a type of its own", { type: "plain", target: ["preview"] }, "plain"],
    ["that adopts", { adopt: true, target: ["preview"] }, undefined],
    ["that is empty", { value: "", target: ["preview"] }, "encrypted"],
  ])("is left alone, or readable, %s", (_what, inputs, type) => {
    expect(typeOf(inputs)).toBe(type);
  });

  it.each([
    ["no type", undefined, ["preview"], undefined],
    ["encrypted", "encrypted", ["preview"], "encrypted"],
    ["sensitive", "sensitive", ["preview"], "sensitive"],
    ["sensitive, now for development", "sensitive", ["development"], "encrypted"],
    ["plain, which the program has removed", "plain", ["preview"], "sensitive"],
  ])("that has %s keeps what it has", (_what, before, target, type) => {
    expect(typeOf({ target }, { ...variable, target: ["preview"], type: before })).toBe(type);
  });

  it("is encrypted where the provider is set to the old default", () => {
    const old = { ...settings, defaultVariableType: "encrypted" as const };
    expect(envVar.complete(old, {}, { ...variable, target: ["preview"] })).not.toHaveProperty("type");
  });
});

describe("variables without types", () => {
  it.each([
    ["the usual environments", { variables: { A: "a" } }, [undefined, { A: "a" }]],
    ["common environments", { target: ["preview"], variables: { A: "a" } }, ["sensitive", { A: "a" }]],
    [
      "environments of their own",
      { variables: { A: { value: "a", target: ["preview"] }, B: { value: "b" } } },
      [undefined, { A: { value: "a", target: ["preview"], type: "sensitive" }, B: { value: "b" } }],
    ],
    [
      "an exception",
      { target: ["preview"], variables: { A: { value: "a", target: ["development"] } } },
      ["sensitive", { A: { value: "a", target: ["development"], type: "encrypted" } }],
    ],
    ["a common type", { type: "plain", variables: { A: "a" } }, ["plain", { A: "a" }]],
    ["variables that are not known", { target: ["preview"], variables: unknown }, [undefined, unknown]],
  ])("for %s", (_what, inputs, types) => {
    expect(typesOf(inputs)).toEqual(types);
  });

  it("keep what they have, and a new one is hidden", () => {
    const before = { project: "web", variables: { A: { value: "a", target: ["preview"] } } };
    const B = { value: "b", target: ["preview"] };
    expect(typesOf({ variables: { ...before.variables, B } }, before)).toEqual([
      undefined,
      { ...before.variables, B: { ...B, type: "sensitive" } },
    ]);
  });
});

describe.each(hostNames)("through the %s host", (name: HostName) => {
  const remote = async (): Promise<Plain[]> => {
    const { envs } = (await w.curl("GET", `/v9/projects/${web}/env`)) as unknown as { envs: Plain[] };
    return envs;
  };

  it("a variable is created as sensitive, stays as it is, and is readable for development", async () => {
    const stack = await hosted(w, envVar, name);
    await stack.up({ ...variable, target: ["production"] });
    expect(await remote()).toMatchObject([{ type: "sensitive" }]);
    expect(await stack.up({ ...variable, target: ["production"] })).toBe("same");
    expect(await stack.refresh(w.another())).toBe(true);
    expect(await stack.up({ ...variable, target: ["production"] })).toBe("same");
    expect(await stack.up({ ...variable, value: "canary-2", target: ["production"] })).toBe("update");
    expect(await stack.up({ ...variable, target: ["production", "development"] })).toBe("replace");
    expect(await remote()).toMatchObject([{ type: "encrypted" }]);
  });

  it("a variable of an earlier version stays encrypted", async () => {
    process.env.SLIPWAY_DEFAULT_VARIABLE_TYPE = "encrypted";
    const stack = await hosted(w, envVar, name);
    await stack.up({ ...variable, target: ["production"] });
    delete process.env.SLIPWAY_DEFAULT_VARIABLE_TYPE;
    expect(await stack.up({ ...variable, target: ["production"] })).toBe("same");
    expect(await stack.up({ ...variable, target: ["production"], comment: "why" })).toBe("update");
    expect(await remote()).toMatchObject([{ type: "encrypted" }]);
  });

  it("several variables are created with the type that their environments permit", async () => {
    const stack = await hosted(w, envVars, name);
    const declared = {
      project: "web",
      variables: { A: "canary-a", B: { value: "canary-b", target: ["preview"] } },
    };
    await stack.up(declared);
    const types = (await remote()).map(({ key, type }) => `${key} ${type}`).sort();
    expect(types).toEqual(["A encrypted", "B sensitive"]);
    expect(await stack.up(declared)).toBe("same");
    expect(await stack.refresh(w.another())).toBe(true);
    expect(await stack.up(declared)).toBe("same");
  });
});
