import { z } from "zod";
import { alias as resource } from "../../provider/resources/alias";
import { aliasList as listShape, remoteAlias } from "../../provider/resources/alias/records";
import type { AccountKind } from "./kind";
import { listOperation, oneOperation } from "./operation";
import { objectOf, textIn } from "./recorded";
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

/**
 * A name that points to a deployment. A snapshot reads aliases with their deployments, a rehearsal compares where all
 * names point, and an import finds only recorded ones: the service creates several aliases for each deployment.
 */
export const alias = {
  name: "alias",
  owner: "account",
  resource,
  suffix: "alias",
  weight: 22,
  section: "aliases",
  recorded: {
    vercel_alias: (one) => [objectOf(one, resource, textIn(one.values, "alias"))],
  },
  operations: {
    list: listOperation("/v4/aliases", "aliases", listShape, "aliases", "createdAt"),
    one: oneOperation("/v4/aliases/{idOrAlias}", "alias", remoteAlias, "uid"),
  },
} as const satisfies AccountKind;
