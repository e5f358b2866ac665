import type { Client } from "../../../../provider/client/client";
import { refuseFailed } from "../../../../provider/resources/deployment/wait";

const clientOf = (team?: string): Client =>
  ({ settings: { apiUrl: "https://api.test", token: "t", team } }) as Client;
const events = "https://api.test/v3/deployments/dpl_1/events";

it.each([
  ["its page", undefined, { inspectorUrl: "https://pages.test/1" }, "https://pages.test/1"],
  ["its events", undefined, { inspectorUrl: null }, `${events} (vercel inspect dpl_1 --logs)`],
  ["its events, for a team by slug", "acme", {}, `${events}?slug=acme (vercel inspect dpl_1 --logs)`],
  ["its events, for a team by id", "team_1", {}, `${events}?teamId=team_1 (vercel inspect dpl_1 --logs)`],
])("names %s as the log of a build that failed", (_, team, more, log) => {
  const deployment = { id: "dpl_1", readyState: "ERROR", errorMessage: "No space for hunter2. ", ...more };
  expect(() => refuseFailed(clientOf(team), deployment, ["hunter2"])).toThrow(
    `The build of the deployment dpl_1 failed: No space for [secret]. Its log is at ${log}. Correct the cause`,
  );
});

it("says why a deployment is blocked, and where to read about it", () => {
  const deployment = {
    id: "dpl_1",
    readyState: "BLOCKED",
    readyStateReason: "The committer has no seat.",
    errorLink: "https://pages.test/blocked",
    seatBlock: { blockCode: "TEAM_ACCESS_REQUIRED" },
  };
  expect(() => refuseFailed(clientOf(), deployment, [])).toThrow(
    "The build of the deployment dpl_1 was blocked: The committer has no seat. See https://pages.test/blocked. " +
      "Correct the cause and run again, which creates a new deployment.",
  );
  expect(() => refuseFailed(clientOf(), { id: "dpl_1", readyState: "BLOCKED" }, [])).toThrow(
    /was blocked\. Its log/,
  );
});
