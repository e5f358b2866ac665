import { z } from "zod";
import { maybe, pagination, string, text, times } from "./shapes";

export const aliasList = z.looseObject({
  aliases: z.array(
    z.looseObject({
      ...{ uid: string, alias: string, deploymentId: text, redirect: text },
      ...{ creator: maybe(z.looseObject({ uid: text })), ...times },
    }),
  ),
  pagination,
});
