import { lateBy } from "../../../../provider/core/turns/messages";

const kind = { noun: "the variable", choices: "another key, target or branch" };
const holder = { type: "EnvVar", id: "prj_1/env_1" };

it("says who gives a place up too late, and what to do", () => {
  expect(lateBy(kind, { type: "EnvVar", id: "prj_1/env_2" }, holder, ["prj_1/A production"])).toBe(
    "EnvVar prj_1/env_2 cannot become the variable A production yet: EnvVar prj_1/env_1 of this program gives it up " +
      "only when the run ends, since it is declared before. Declare it after this one, or make the change in two runs.",
  );
  expect(lateBy(kind, undefined, holder, ["prj_1/A production"])).toMatch(/^It cannot become the variable A/);
});
