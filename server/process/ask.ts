/**
 * Asks a server of this machine.
 * @param path without a token, such as `/_health` @param mostMs how long the answer may take, in milliseconds
 * @throws Error if there is no answer in JSON
 */
export async function ask<T>(url: string, path: string, mostMs: number): Promise<T> {
  // A dispatcher of its own, so that the request never goes through a proxy.
  const { Agent, request } = await import("undici");
  const dispatcher = new Agent({ keepAliveTimeout: 1 });
  const { body } = await request(`${url}${path}`, { dispatcher, signal: AbortSignal.timeout(mostMs) });
  return (await body.json()) as T;
}
