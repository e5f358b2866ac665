import type { Plain } from "../../provider/core/values";
import { envVar } from "../../provider/resources/env-var";
import { project } from "../../provider/resources/project";
import { hosted, hostNames } from "./hosted";
import { type Harness, startHarness } from "./stack";

let w: Harness;
beforeEach(async () => {
  w = await startHarness();
});
afterEach(() => w.close());

describe.each(hostNames)("through the %s", (host) => {
  // So a secret Output arrives whose value is undefined.
  it("an input that is null is one that was not given, where null says nothing else", async () => {
    const { id } = (await w.curl("POST", "/v10/projects", { name: "web" })) as Plain;
    const stack = await hosted(w, envVar, host);
    const given = { project: id, key: "A", value: "canary-1", target: ["preview"] };
    await stack.up({ ...given, gitBranch: null, comment: null });
    expect(stack.inputs).toEqual(given);
    expect(await stack.up(given)).toBe("same");
    await expect(stack.preview({ ...given, key: null })).rejects.toThrow("key is missing.");
  });

  it("null is kept where it is a value", async () => {
    const stack = await hosted(w, project, host);
    await stack.up({ name: "web", framework: null });
    expect(stack.inputs).toEqual({ name: "web", framework: null });
  });
});
