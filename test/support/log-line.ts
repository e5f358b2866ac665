import type { LogLine } from "../../server/log-drains/record";

/** A line of the request log. */
export const logLine: LogLine = {
  accountId: "team_1",
  at: 5,
  requestId: "id",
  method: "GET",
  host: "localhost",
  path: "/v9/projects",
  status: 200,
  ms: 1,
  userAgent: undefined,
  projectKey: undefined,
};
