import { newId } from "../platform/ids";

/** A request that was answered, as far as it shows in logs. Neither query nor body nor token are in it. */
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
  /** Id or name of the project in the path. */
  projectKey: string | undefined;
}

/** The project that a line is about. */
export interface LogProject {
  id: string;
  name: string;
  deploymentId: string | null;
}

/** What the lines of this server's log count as in a drain's lists. @choice Nothing of a deployment made them. */
export const lineSource = "external";
export const lineEnvironment = "production";

/**
 * A line as a drain gets it.
 * @choice The log that is forwarded is that of the API's requests: this server runs no deployments.
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
