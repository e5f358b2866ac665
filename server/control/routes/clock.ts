import * as z from "zod";
import { advanceClock } from "../../platform/clock";
import { runDueWork } from "../../workers/due-work";
import { controlRoute } from "../route";

/** Moves time on, and does what became due, before it answers. */
const postClock = controlRoute({
  method: "POST",
  path: "/clock",
  body: z.strictObject({ advanceMs: z.int().min(0) }),
  async handle({ body, services }) {
    await advanceClock(services, body.advanceMs);
    await runDueWork(services);
    return { now: services.clock.now() };
  },
});

export const clockRoutes = [postClock];
