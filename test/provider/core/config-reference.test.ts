import { configReference, refuseConfigReference } from "../../../provider/core/config-reference";
import { envVar } from "../../../provider/resources/env-var";
import { project } from "../../../provider/resources/project";
import { type Harness, startHarness } from "../stack";

let w: Harness;
beforeEach(async () => {
  w = await startHarness();
});
afterEach(() => w.close());

const reference = configReference("imported-web-A");
const variable = { project: "web", key: "A", target: ["production"], value: reference };

it("refuses a reference that was left in the program, in an update", async () => {
  const refusals = await envVar.declare(w.run, variable, variable);
  expect(refusals).toEqual([
    {
      property: "value",
      reason:
        'value is "config:imported-web-A", which stands for the secret imported-web-A of the configuration. Declare that secret.',
    },
  ]);
  const protection = { name: "web", passwordProtection: { deploymentType: "all", password: reference } };
  const [refusal] = await project.declare(w.run, { name: "web" }, protection);
  expect(refusal?.reason).toMatch(/^passwordProtection is "config:imported-web-A"/);
});

it("permits a reference in an import, and other texts", async () => {
  expect(refuseConfigReference({}, "value", reference)).toEqual([]);
  for (const value of ["config:other", "imported-web-A", "", undefined, null, 1])
    expect(refuseConfigReference(variable, "value", value)).toEqual([]);
});
