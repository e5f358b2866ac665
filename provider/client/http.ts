import type { Agent, RequestInit, Response } from "undici";
import { isLoopback } from "./config";

/**
 * How requests leave this machine: through the proxy in the environment (HTTPS_PROXY, HTTP_PROXY, NO_PROXY, in either
 * case), but never to addresses of this machine, whose tokens a proxy must not see. Undici is loaded with the first
 * request, since it loads slowly.
 */

/** Loads undici as CommonJS: `import()` fails inside Jest, where tests run programs with look-ups. */
export const loadUndici = (): typeof import("undici") => require("undici");

/** Opens the connections to an address. */
export async function openDispatcher(url: URL, options: Agent.Options = {}) {
  const { Agent, EnvHttpProxyAgent } = loadUndici();
  const Pool = isLoopback(url) ? Agent : EnvHttpProxyAgent;
  return new Pool(options);
}

/** The time after which unused connections of a single request close, in milliseconds. */
const briefly = 1;

/** Sends a single request, as `fetch` of Node.js does. Redirects are not followed, since others must not get tokens. */
export async function fetchOnce(url: string, init: RequestInit = {}): Promise<Response> {
  const dispatcher = await openDispatcher(new URL(url), { keepAliveTimeout: briefly });
  const { fetch } = loadUndici();
  return fetch(url, { redirect: "manual", ...init, dispatcher });
}
