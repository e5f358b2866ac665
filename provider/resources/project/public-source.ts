import { isRefused } from "../../client/errors";

/**
 * Sends settings of a project, without `publicSource` if the API no longer knows this setting.
 * @source the public API: it refused the setting in June 2026, and ignores it since
 */
export async function withoutPublicSource<T>(
  settings: object,
  send: (settings: object) => Promise<T>,
): Promise<T> {
  try {
    return await send(settings);
  } catch (error) {
    const isUnknown = "publicSource" in settings && isRefused(error) && error.said.includes("publicSource");
    if (!isUnknown) throw error;
    const { publicSource: _, ...rest } = settings;
    return send(rest);
  }
}
