import type { ScopeSetting } from "../../server/access/scopes";
import type { Answer, TestServer } from "./world";

export const client = {
  client_id: "oac_cron",
  client_secret: "cron-secret",
  redirect_uri: "https://cron.example.com/callback?from=slipway",
};

/** Makes the integration `cron`, which `dev` of another team develops. */
export async function addIntegration(world: TestServer, scopes: ScopeSetting[] = ["project"]): Promise<void> {
  await world.user("maker");
  await world.seed({
    integrations: [
      {
        clientId: client.client_id,
        clientSecret: client.client_secret,
        slug: "cron",
        name: "Cron",
        owner: "maker",
        redirectUrl: client.redirect_uri,
        scopes,
      },
    ],
  });
}

export interface Installed {
  redirectUrl: string;
  code: string;
  configurationId: string;
}

/** Installs `cron`, on `acme` unless another account is named. */
export async function install(world: TestServer, options: Record<string, unknown> = {}): Promise<Installed> {
  const where = "user" in options || "team" in options ? {} : { team: "acme" };
  const { status, body } = await world.askControl("POST", "/integrations/cron/install", {
    ...where,
    ...options,
  });
  expect(body).toMatchObject({ code: expect.any(String) });
  expect(status).toBe(200);
  return body;
}

/** The token exchange, as a client does it: a form and no token. Members that are undefined are left out. */
export function exchange(
  world: TestServer,
  members: Record<string, string | undefined>,
  options: { query?: Record<string, string>; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...client, ...members })) {
    if (value !== undefined) form.append(name, value);
  }
  return world.call("POST", "/v2/oauth/access_token", {
    token: null,
    team: null,
    body: form.toString(),
    query: options.query ?? {},
    headers: { "content-type": "application/x-www-form-urlencoded", ...options.headers },
  });
}

/** Installs `cron` and exchanges its code. */
export async function installWithToken(
  world: TestServer,
  options: Record<string, unknown> = {},
): Promise<{ token: string; id: string }> {
  const { code, configurationId } = await install(world, options);
  const { body } = await exchange(world, { code });
  return { token: body.access_token, id: configurationId };
}

/** Events of a type, the oldest first. */
export async function eventsOf(
  world: TestServer,
  type: string,
): Promise<{ payload: Record<string, unknown> }[]> {
  const events = (await world.control.events()) as { type: string; payload: Record<string, unknown> }[];
  return events.filter((event) => event.type === type).reverse();
}

/** The receivers of mail, with its subject; sorted. */
export async function mailSent(world: TestServer): Promise<{ to: string; subject: string }[]> {
  const mail = (await world.control.mail()) as { to: string; subject: string }[];
  return mail
    .map(({ to, subject }) => ({ to, subject }))
    .sort((a, b) => `${a.to} ${a.subject}`.localeCompare(`${b.to} ${b.subject}`));
}
