import * as z from "zod";
import { pagination } from "../http/query";
import { latestTime } from "../platform/clock";

/** @source the newest official client: createAuthToken. The longest name is that of the Terraform provider. */
export const createToken = z.strictObject({
  name: z
    .string()
    .max(256)
    .regex(/^\S(.*\S)?$/s, "must have a character, and no spaces at its beginning and end"),
  /** From then on, the token is refused. Default: it does not expire. */
  expiresAt: z.int().min(1).max(latestTime).optional(),
  projectId: z.string().optional(),
});

const lifetime = { createdAt: z.number(), expiresAt: z.number().optional(), origin: z.literal("manual") };

/** @source the newest official client: AuthToken; `teamId`: the Terraform provider */
export const token = z.strictObject({
  id: z.string(),
  name: z.string(),
  type: z.literal("token"),
  origin: z.literal("manual"),
  /** The first and the last characters of the token. Absent for a token from a seed. */
  prefix: z.string().optional(),
  suffix: z.string().optional(),
  /** The only team that the token acts on. */
  teamId: z.string().optional(),
  scopes: z.array(
    z.discriminatedUnion("type", [
      z.strictObject({ type: z.literal("user"), ...lifetime }),
      z.strictObject({ type: z.literal("team"), teamId: z.string(), ...lifetime }),
    ]),
  ),
  createdAt: z.number(),
  activeAt: z.number(),
  expiresAt: z.number().optional(),
});
export type Token = z.infer<typeof token>;

export const tokenAnswer = z.strictObject({ token });
export const createdToken = z.strictObject({ token, bearerToken: z.string() });
export const tokenList = z.strictObject({ tokens: z.array(token), pagination });
export const deletedToken = z.strictObject({ tokenId: z.string() });
