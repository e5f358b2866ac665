import { useTestServer } from "../../support/world";

const world = useTestServer();
const codeOf = async (options: object = {}): Promise<string> =>
  (await world.call("GET", "/v1/verify-endpoint", options)).body.verificationCode;

describe("the verification code of endpoints", () => {
  it("is the same whenever an account asks for it", async () => {
    expect(await codeOf()).toMatch(/^[0-9a-f]{40}$/);
    expect(await codeOf()).toBe(await codeOf());
  });

  it("differs between accounts", async () => {
    expect(await codeOf({ team: null })).not.toBe(await codeOf());
  });
});
