import { type ControlClient, controlClient } from "./client";

/**
 * A client of the control plane of a server that runs elsewhere, such as in a container. Refused calls reject with the
 * request, the status and the body of the answer.
 * @param url the address of the server, without a path
 * @param token the control token of the server (`SLIPWAY_CONTROL_TOKEN`)
 */
export function controlAt(url: string, token: string): ControlClient {
  return controlClient(async (method, path, body) => {
    const response = await fetch(new URL(`/_control${path}`, url), {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} /_control${path}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  });
}
