import type { ControlClient } from "../../server";
import { type RequestOptions, sendRequest } from "./request";

/** The account that a test uses. */
export interface Account {
  /** Default: a token of the development account. */
  token?: string;
  /** The slug or id of a team; `null` for the personal account of the token's user. Default: `acme`. */
  team?: string | null;
}

/** A server that has started. */
export interface StartedServer {
  /** The address of the API, such as `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly token: string;
  /** The slug or id of the team of the tests; `null` for the personal account. Default: `acme`. */
  readonly team?: string | null;
  /** The control plane: builds, DNS, the clock, faults. */
  readonly control: ControlClient;
  /** Ends the server, and waits until it has ended. */
  close(): Promise<void>;
}

/** The variables that point a child process, such as the Pulumi CLI, at a server. An empty team is the personal account. */
export interface ServerVariables {
  [name: string]: string;
  SLIPWAY_API_URL: string;
  SLIPWAY_TOKEN: string;
  SLIPWAY_TEAM: string;
}

/** The members with which a test calls a server. */
export interface TestServer extends Required<Omit<StartedServer, "close">> {
  /** SLIPWAY_API_URL, SLIPWAY_TOKEN and SLIPWAY_TEAM, for a child process. */
  readonly env: ServerVariables;
  /**
   * Calls the API with the token, about the team of the test.
   * @param path such as `/v9/projects/web`. Without `slug` or `teamId` in its query, it gets the team of the test
   * @param body sent as JSON
   * @returns the JSON of the answer; undefined if the answer has no body
   * @throws RequestError if the API refuses the request
   */
  request<T = unknown>(method: string, path: string, body?: unknown): Promise<T>;
}

const defaultTeam = "acme";

export function testServer(started: StartedServer, account: Account): TestServer {
  const { url, control } = started;
  const { token = started.token, team = started.team === undefined ? defaultTeam : started.team } = account;
  const options: RequestOptions = { url, token, team };
  return {
    ...options,
    control,
    env: { SLIPWAY_API_URL: url, SLIPWAY_TOKEN: token, SLIPWAY_TEAM: team ?? "" },
    request: async <T>(method: string, path: string, body?: unknown) =>
      (await sendRequest(options, method, path, body)) as T,
  };
}
