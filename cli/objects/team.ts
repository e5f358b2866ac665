import * as responses from "../../provider/client/responses";
import { isPlain } from "../../provider/core/values";
import { teamConfig as resource } from "../../provider/resources/team-config";
import { type AccountKind, fieldsOf, itemOf } from "./kind";
import { listOperation } from "./operation";
import { objectOf, textIn } from "./recorded";

/** The team with its settings. An import finds only recorded settings: a program need not manage those of its team. */
export const team = {
  name: "team",
  owner: "team",
  resource,
  suffix: "team",
  weight: 65,
  section: "teams",
  items({ settings, members: _, ...row }) {
    const fields = fieldsOf({ ...row, ...(isPlain(settings) && settings) });
    return [itemOf(row, { name: String(row.slug), fields })];
  },
  recorded: { vercel_team_config: (one) => [objectOf(one, resource, textIn(one.values, "id"))] },
  operations: {
    list: listOperation("/v2/teams", "teams", responses.teamList, "teams"),
    // A team is read by its id or its slug.
    one: { path: "/v2/teams/{teamIdOrSlug}", kind: "team", shape: responses.team },
  },
} as const satisfies AccountKind;
