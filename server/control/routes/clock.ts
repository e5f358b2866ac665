import * as z from "zod";
import { advanceClock } from "../../platform/clock";
import { badRequest } from "../../platform/refusal";
import { runDueWork } from "../../workers/due-work";
import { controlRoute } from "../route";

/** Ten years at once: whatever expires has expired by then. */
const longestMs = 10 * 365.25 * 24 * 60 * 60 * 1000;
/** Times of five-digit years are written in another way. */
const end = Date.UTC(9999, 11, 31);

/** Moves time on, and does what became due, before it answers. */
const postClock = controlRoute({
  method: "POST",
  path: "/clock",
  body: z.strictObject({ advanceMs: z.int().min(0).max(longestMs) }),
  async handle({ body, services }) {
    if (services.clock.now() + body.advanceMs > end) {
      throw badRequest("The clock does not go beyond the year 9999.");
    }
    await advanceClock(services, body.advanceMs);
    await runDueWork(services);
    return { now: services.clock.now() };
  },
});

export const clockRoutes = [postClock];
