import { z } from "zod";
import { boolean, maybe, number, pagination, string, text } from "../objects/shapes";

/** Schemas of the answers about the account itself. They have more fields than the provider uses. */

export const user = z.looseObject({
  user: z.looseObject({
    id: string,
    username: string,
    email: text,
    name: text,
    defaultTeamId: text,
    version: text,
    billing: maybe(z.looseObject({ plan: text })),
  }),
});

export const team = z.looseObject({
  id: string,
  slug: string,
  name: text,
  createdAt: number,
  sensitiveEnvironmentVariablePolicy: text,
  membership: maybe(z.looseObject({ role: text, createdAt: number })),
  billing: maybe(z.looseObject({ plan: text })),
});

export const members = z.looseObject({
  members: z.array(
    z.looseObject({
      uid: string,
      username: string,
      email: text,
      name: text,
      role: text,
      confirmed: boolean,
      createdAt: number,
    }),
  ),
  pagination,
});
