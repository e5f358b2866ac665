import type { App } from "../http/app";
import { type ControlClient, controlClient } from "./client";

/** A client of the control plane in the same process, without the network. */
export function controlOf(app: App, token: string): ControlClient {
  return controlClient(async (method, path, body) => {
    const response = await app.inject({
      method,
      url: `/_control${path}`,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    if (response.statusCode >= 300) {
      throw new Error(`${method} /_control${path}: ${response.statusCode} ${response.body}`);
    }
    return response.body === "" ? undefined : response.json();
  });
}
