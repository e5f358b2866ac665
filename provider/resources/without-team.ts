import type { Client } from "../client/client";
import { ApiError, isRefused } from "../client/errors";

/** Refusals of requests about objects of teams, because no team is configured. */

/** True for a refusal because no team is configured. The token of a single team needs no configuration. */
export const isWithoutTeam = ({ settings }: Client, error: unknown): error is ApiError =>
  settings.team === undefined &&
  error instanceof ApiError &&
  (error.status === 403 || (isRefused(error) && /team/i.test(error.said)));

/** For an existing object: without a team, throws a 404, as for an object of another account. */
export async function ofTeam<T>(client: Client, step: Promise<T>, path: string, hint: string): Promise<T> {
  try {
    return await step;
  } catch (error) {
    if (!isWithoutTeam(client, error) || !isRefused(error)) throw error;
    throw new ApiError({
      ...{ asked: { method: "PATCH", path }, status: 404, code: "not_found" },
      ...{ said: error.said, hint },
    });
  }
}
