import * as z from "zod";
import { advanceClock, latestTime } from "../../platform/clock";
import { badRequest } from "../../platform/refusal";
import { runDueWork } from "../../workers/due-work";
import { controlRoute } from "../route";

/** Ten years, after which everything has expired. */
const longestMs = 10 * 365.25 * 24 * 60 * 60 * 1000;

/** Advances the clock. Before the answer is sent, the work that becomes due is done. */
const postClock = controlRoute({
  method: "POST",
  path: "/clock",
  operationId: "advanceClock",
  summary: "Advances the clock. Work that becomes due is done before the answer.",
  example: { advanceMs: 60_000 },
  body: z.strictObject({ advanceMs: z.int().min(0).max(longestMs, "must be at most ten years") }),
  async handle({ body, services }) {
    if (services.clock.now() + body.advanceMs > latestTime) {
      throw badRequest("The clock cannot go beyond the year 9999. Advance it by less.");
    }
    await advanceClock(services, body.advanceMs);
    await runDueWork(services);
    return { now: services.clock.now() };
  },
});

export const clockRoutes = [postClock];
