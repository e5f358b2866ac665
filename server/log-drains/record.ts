import { newId } from "../platform/ids";

/** An answered request in the log, without query, body and token. */
export interface LogLine {
  accountId: string;
  /** When it was answered. */
  at: number;
  requestId: string;
  method: string;
  host: string;
  /** As it was sent, without the query. */
  path: string;
  status: number;
  ms: number;
  userAgent: string | undefined;
  /** The project in the path, by id or name. */
  projectKey: string | undefined;
}

/** The project that a line is about. */
export interface LogProject {
  id: string;
  name: string;
  deploymentId: string | null;
}

/** The source of all lines, for the filters of drains. @choice The lines do not come from a deployment. */
export const lineSource = "external";
export const lineEnvironment = "production";

/**
 * A line in the form that drains receive.
 * @choice Drains receive the log of the API's requests, since this server runs no deployments.
 * @source wire-shapes 10
 */
export function logRecord(line: LogLine, project: LogProject | undefined): Record<string, unknown> {
  const { at, method, host, path, status, requestId, userAgent } = line;
  return {
    id: newId("row"),
    timestamp: at,
    deploymentId: project?.deploymentId ?? "",
    source: lineSource,
    host,
    ...(project ? { projectId: project.id, projectName: project.name } : {}),
    level: status >= 500 ? "error" : status >= 400 ? "warning" : "info",
    message: `${method} ${path} ${status} in ${line.ms} ms`,
    environment: lineEnvironment,
    path,
    statusCode: status,
    requestId,
    proxy: {
      timestamp: at,
      method,
      host,
      path,
      statusCode: status,
      userAgent: userAgent === undefined ? [] : [userAgent],
    },
  };
}

/** The line that a test of a drain sends. */
export const testRecord = (accountId: string, at: number): Record<string, unknown> =>
  logRecord(
    {
      ...{
        accountId,
        at,
        requestId: newId("row"),
        method: "GET",
        host: "test.invalid",
        path: "/",
        status: 200,
      },
      ...{ ms: 0, userAgent: undefined, projectKey: undefined },
    },
    undefined,
  );

/** The body of a request with lines, each already JSON, and its type. */
export const linesOf = (lines: readonly string[], format: "json" | "ndjson") =>
  format === "ndjson"
    ? { body: `${lines.join("\n")}\n`, contentType: "application/x-ndjson" }
    : { body: `[${lines.join(",")}]`, contentType: "application/json" };
