import { Refusal } from "../platform/refusal";

/** @choice A caller outside of a team cannot tell whether the team exists. */
export const noSuchTeam = (): Refusal =>
  new Refusal(
    403,
    "team_unauthorized",
    "The access token has no access to this team, or there is no such team.",
  );
