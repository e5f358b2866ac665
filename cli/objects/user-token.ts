import { userToken as resource } from "../../provider/resources/user-token";
import type { Importable } from "./kind";
import { objectOf, textIn } from "./recorded";

/**
 * An access token of the user, which does not belong to the account. A snapshot and a rehearsal have none: the API
 * returns a token only once, and a copy gives access to nothing.
 */
export const userToken = {
  resource,
  suffix: "user-token",
  recorded: {
    vercel_user_token: (one) => {
      const bearerToken = textIn(one.values, "bearer_token");
      const known = bearerToken === undefined ? {} : { outputs: { bearerToken } };
      return [objectOf(one, resource, textIn(one.values, "id"), { known })];
    },
  },
} as const satisfies Importable;
