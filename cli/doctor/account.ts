import { ConfigError, type Settings, settingsFrom } from "../../provider/client/config";
import { teamParameter, teamPath } from "../../provider/client/paths";
import * as responses from "../../provider/client/responses";
import { version } from "../../provider/client/version";
import { tokenHint } from "../core/account";
import { type Answer, askApi, reasonOf } from "../core/api";
import { shown } from "../core/output";
import { suggestion } from "../core/suggest";
import type { Check } from "./check";

/** The clocks of this machine and the API may differ by this many milliseconds. A larger difference is a warning. */
const clockToleranceMs = 60_000;

const names = ["address", "token", "team", "scopes", "clock", "server version"] as const;

/** Checks the account that the environment variables select. Checks that depend on a failed one are skipped. */
export async function checkAccount(): Promise<Check[]> {
  const checks: Check[] = [];
  const rest = (): Check[] => [
    ...checks,
    ...names
      .slice(checks.length)
      .map((name): Check => ({ name, state: "skipped", found: "not checked", hint: null })),
  ];
  const add = (state: Check["state"], found: string, hint: string | null = null): void => {
    checks.push({ name: names[checks.length] ?? "", state, found, hint });
  };

  // Checks the address first, even without a token.
  const address = readSettings({ ...process.env, SLIPWAY_TOKEN: "unknown" });
  if (typeof address === "string") {
    add("problem", "not usable", address);
    return rest();
  }
  const settings = readSettings(process.env);
  let user: Answer;
  try {
    user = await askApi(typeof settings === "string" ? address : settings, "/v2/user");
  } catch (error) {
    const hint =
      "Start the bundled server with slipway serve --detach, or set SLIPWAY_API_URL to the address of the API.";
    add("problem", `${address.apiUrl} is out of reach (${reasonOf(error)})`, hint);
    return rest();
  }
  const code = codeOf(user);
  // Every user of the API may read this path, so another program answers.
  if ((code === undefined && user.status !== 200) || user.status === 404) {
    add(
      "problem",
      `${address.apiUrl} answers ${user.status} to GET /v2/user`,
      "Set SLIPWAY_API_URL to the address of the API, without a path.",
    );
    return rest();
  }
  add("ok", address.apiUrl);
  if (typeof settings === "string") {
    add("problem", "not usable", settings);
    return rest();
  }
  if (user.status === 401 || (user.status === 403 && /invalid|not authorized/i.test(messageOf(user)))) {
    add("problem", `refused: ${user.status} ${code}`, tokenHint);
    return rest();
  }
  const name = (user.body.user as { username?: string } | undefined)?.username;
  add("ok", name === undefined ? "accepted" : `of the user ${shown(name)}`);
  const team = await checkTeam(settings, user);
  add(...team.result);
  if (team.query === undefined) return rest();
  add(...(await checkScopes(settings, team.query)));
  const { body: health } = await askApi(settings, "/_health");
  add(...checkClock(user, health));
  add(...checkServer(health));
  return checks;
}

type Result = [state: Check["state"], found: string, hint?: string | null];

/** @returns the settings, or the error message if the configuration is invalid */
function readSettings(environment: NodeJS.ProcessEnv): Settings | string {
  try {
    return settingsFrom(() => undefined, environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

/** The id of the team that requests without a team act on; undefined if it is the user's own account. */
function accountOf({ body }: Answer): string | undefined {
  const { data } = responses.user.safeParse(body);
  const account = data && responses.accountOfUser(data);
  return account === data?.user.id ? undefined : account;
}

async function checkTeam(settings: Settings, user: Answer): Promise<{ result: Result; query?: string }> {
  const { team } = settings;
  if (team === undefined) {
    const own = accountOf(user);
    if (own !== undefined) {
      const { body } = await askApi(settings, teamPath(own));
      return { result: ["ok", `${shown(body.slug ?? own)}, the team of the token`], query: "" };
    }
    return {
      result: ["ok", "none: the personal account", "To manage a team, set SLIPWAY_TEAM to its slug."],
      query: "",
    };
  }
  const answer = await askApi(settings, teamPath(team));
  const query = new URLSearchParams([teamParameter(team)]).toString();
  if (answer.status === 200) return { result: ["ok", shown(answer.body.slug ?? team)], query };
  // The token of an integration may have access to the objects of a team, but no scope to read the team.
  const list = await askApi(settings, "/v2/teams?limit=100");
  const slugs = ((list.body.teams as { slug?: string }[] | undefined) ?? []).map(({ slug }) => String(slug));
  if (slugs.length === 0 && answer.status === 403) {
    return {
      result: [
        "warning",
        `${shown(team)} cannot be read`,
        "Set SLIPWAY_TEAM to the team's id, which begins with team_.",
      ],
      query,
    };
  }
  const known = slugs.length > 0 ? ` The token reaches ${slugs.map(shown).join(", ")}.` : "";
  const hint = `Set SLIPWAY_TEAM to the slug or id of a team of the token's user.${suggestion(team, slugs)}${known}`;
  return { result: ["problem", `${shown(team)}: ${answer.status} ${codeOf(answer)}`, hint] };
}

/** The lists that the provider reads, each with the scope that it needs. */
const reads = [
  ["/v9/projects", "projects", "read:project"],
  ["/v6/deployments", "deployments", "read:deployment"],
  ["/v1/webhooks", "webhooks", "read:webhook"],
] as const;

/** @choice Only read scopes are checked, because a check of a write scope would change the account. */
async function checkScopes(settings: Settings, query: string): Promise<Result> {
  const refused: string[] = [];
  const missing: string[] = [];
  for (const [path, what, scope] of reads) {
    const answer = await askApi(settings, `${path}?${[...(query ? [query] : []), "limit=1"].join("&")}`);
    if (answer.status === 200) continue;
    refused.push(`${what} (${answer.status} ${codeOf(answer)})`);
    missing.push(scope);
  }
  if (refused.length === 0) return ["ok", `reads ${reads.map(([, what]) => what).join(", ")}`];
  const state = missing.includes("read:project") ? "problem" : "warning";
  const hint = `Give the token ${missing.join(", ")}, or the user a role that may read them. docs/guides/secrets-and-tokens.md lists what each resource needs.`;
  return [state, `cannot read ${refused.join(", ")}`, hint];
}

function checkClock({ date }: Answer, { now }: Answer["body"]): Result {
  if (typeof now === "number" && now - Date.now() > clockToleranceMs) {
    const hint =
      "slipway clock has advanced it, so records expire earlier than on this machine's clock. It cannot go back: for the current time, start a server with new data.";
    return ["warning", `the server is ${distanceText(now - Date.now())} ahead of this machine`, hint];
  }
  if (date === undefined) return ["skipped", "the API does not return the time"];
  const offset = Date.now() - date;
  if (Math.abs(offset) < clockToleranceMs) return ["ok", "agrees with that of the API"];
  const found = `${distanceText(Math.abs(offset))} ${offset > 0 ? "ahead of" : "behind"} the API`;
  return ["warning", found, "Set this machine's clock, for example with NTP."];
}

/** @param ms more than 0 @returns such as `3 h` */
function distanceText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const hours = Math.round(seconds / 3600);
  return seconds < 7200 ? `${seconds} s` : hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}

function checkServer(body: Answer["body"]): Result {
  if (body.service !== "slipway") return ["ok", "the hosted API"];
  if (body.version === version) return ["ok", version];
  const hint =
    "Stop the server and start it with this version: npx slipway stop && npx slipway serve --detach";
  return ["warning", `${shown(body.version)}, but this command is ${version}`, hint];
}

const codeOf = ({ body }: Answer): string | undefined => (body.error as { code?: string } | undefined)?.code;
const messageOf = ({ body }: Answer): string =>
  (body.error as { message?: string } | undefined)?.message ?? "";
