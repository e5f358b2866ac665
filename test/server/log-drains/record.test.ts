/** @own-code What is random is fake. */

import { logRecord } from "../../../server/log-drains/record";
import { isWanted, type OpenDrain } from "../../../server/log-drains/store";
import { logLine } from "../../support/log-line";

it.each([
  [399, "info"],
  [400, "warning"],
  [499, "warning"],
  [500, "error"],
])("a line of the status %d has the level %s, and the deployment in production", (status, level) => {
  const project = { id: "prj_1", name: "web", deploymentId: "dpl_1" };
  const record = logRecord({ ...logLine, status }, project);
  expect(record).toMatchObject({ statusCode: status, level, projectId: "prj_1", deploymentId: "dpl_1" });
});

describe("a sampling rate", () => {
  afterEach(() => jest.restoreAllMocks());

  it.each([
    [0.5, 0.499, true],
    [0.5, 0.5, false],
    [1, 0.999, true],
    [undefined, 0.999, true],
  ])("of %p passes a line at the random number %d: %p", (samplingRate, random, isPassed) => {
    jest.spyOn(Math, "random").mockReturnValue(random);
    const filters: OpenDrain["filters"] = { environments: ["production"], samplingRate };
    const drain = {
      id: "ld_1",
      accountId: "team_1",
      secret: null,
      settings: "",
      covered: undefined,
      filters,
    };
    expect(isWanted(drain, undefined)).toBe(isPassed);
  });
});
