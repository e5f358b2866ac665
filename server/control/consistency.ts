import * as z from "zod";
import type { Middleware } from "../http/app";
import { badRequest } from "../platform/refusal";
import type { Services } from "../platform/services";
import { isOwn } from "./faults";
import { controlRoute } from "./route";
import type { ControlState } from "./state";

/** Sets how old reads may be after a write. Only the profile `hosted` has old reads. */
const postConsistency = controlRoute({
  method: "POST",
  path: "/consistency",
  operationId: "setConsistency",
  summary: "Sets how many milliseconds reads may be old after a write, in the profile hosted. 0: none.",
  example: { staleMs: 0 },
  body: z.strictObject({ staleMs: z.int().min(0).max(600_000).default(0) }),
  async handle({ body, services, state }) {
    if (body.staleMs > 0 && services.profile.name !== "hosted")
      throw badRequest("Only the profile hosted has old reads. Start the server with --profile hosted.");
    state.consistency.set(body.staleMs);
    return body;
  },
});

export const consistencyRoutes = [postConsistency];

/** Answers reads as they were answered before the last write, if the control plane says so. */
export const keepOldReads =
  ({ clock }: Pick<Services, "clock">, { consistency }: ControlState): Middleware =>
  async (context, next) => {
    if (!consistency.isOn || isOwn(context.path)) return next();
    const answer = await next();
    const account = context.account?.id;
    if (!answer || account === undefined || answer.stream || answer.status >= 429) return answer;
    if (context.method !== "GET") {
      if (answer.status < 400) consistency.wrote(account, clock.now());
      return answer;
    }
    const key = `${context.headers.authorization} ${context.request.url}`;
    return consistency.read(key, account, answer, clock.now());
  };
