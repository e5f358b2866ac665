import type { IncomingMessage } from "node:http";
import { logRequests } from "../../../server/http/observers";
import { isRoutine } from "../../../server/ops/routine";

/** The level at which a request of this path is logged. */
function levelOf(path: string, level: "debug" | "info"): string | undefined {
  let logged: string | undefined;
  const at = (name: string) => () => {
    logged = name;
  };
  const log = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
  logRequests(
    log,
    level,
    isRoutine,
  )({
    request: { method: "GET" } as IncomingMessage,
    path,
    route: undefined,
    requestId: "id",
    status: 200,
    ms: 1,
    caller: undefined,
    account: undefined,
    projectKey: undefined,
  });
  return logged;
}

it.each([
  "/v9/projects",
  "/",
  "/documents",
  "/openapi.json",
  // Names may be any.
  "/v9/projects/docs",
  "/v9/projects/metrics/env",
  "/v10/projects/_health/domains",
])("a request of %s is logged like any other", (path) => {
  expect([levelOf(path, "info"), levelOf(path, "debug")]).toEqual(["info", "debug"]);
});

it.each(["/_health", "/_ready", "/metrics", "/docs", "/docs/start.js", "/_dashboard/stream"])(
  "a request of %s, which comes again and again, is logged for those who look closely",
  (path) => {
    expect([levelOf(path, "info"), levelOf(path, "debug")]).toEqual(["debug", "debug"]);
  },
);
