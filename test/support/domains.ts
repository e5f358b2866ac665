import type { ScopeName } from "../../server/access/scopes";
import type { SeedDocument } from "../../server/control/client-types";
import type { Answer, TestServer } from "./world";

type Options = NonNullable<Parameters<TestServer["call"]>[2]>;

/** The paths of a project's domains, `web` where no other is named. */
export function domainsOf(world: TestServer, project = "web") {
  const path = `/v9/projects/${project}/domains`;
  const one = (name: string): string => `${path}/${encodeURIComponent(name)}`;
  return {
    add: (name: string, fields: object = {}, options: Options = {}): Promise<Answer> =>
      world.call("POST", `/v10/projects/${project}/domains`, { body: { name, ...fields }, ...options }),
    list: (query: NonNullable<Options["query"]> = {}): Promise<Answer> => world.call("GET", path, { query }),
    /** The names of the listed domains, without the default domain. */
    names: async (query: NonNullable<Options["query"]> = {}): Promise<string[]> =>
      (await world.call("GET", path, { query })).body.domains
        .map(({ name }: { name: string }) => name)
        .filter((name: string) => name !== `${project}.vercel.app`),
    get: (name: string, options: Options = {}): Promise<Answer> => world.call("GET", one(name), options),
    update: (name: string, body: unknown, options: Options = {}): Promise<Answer> =>
      world.call("PATCH", one(name), { body, ...options }),
    remove: (name: string, options: Options = {}): Promise<Answer> =>
      world.call("DELETE", one(name), options),
    verify: (name: string, options: Options = {}): Promise<Answer> =>
      world.call("POST", `${one(name)}/verify`, options),
  };
}

/** Publishes the challenges of answers, all of which stand at one name. */
export async function publish(world: TestServer, ...answers: Answer[]): Promise<void> {
  const challenges = answers.map(({ body }) => body.verification[0] as { domain: string; value: string });
  await world.control.setTxt(challenges[0]?.domain ?? "", ...challenges.map(({ value }) => value));
}

/**
 * A seed that gives the apexes to another account. On the profile `hosted`, a domain under them is then unverified at
 * first, as every domain is by the specification.
 */
export const takenApexes = (...apexes: string[]): SeedDocument => ({
  teams: [{ slug: "others" }],
  accountDomains: apexes.map((name) => ({ team: "others", name })),
});

/** Begins to transfer a project, or ends it. */
export async function transfer(world: TestServer, project: string, to: string | null): Promise<void> {
  await world.services.store.write((tx) =>
    tx.updateTable("projects").set({ transfer_to_account_id: to }).where("name", "=", project).execute(),
  );
}

/** Installs an integration of its own on the team `acme`. @returns its token */
export async function installation(
  world: TestServer,
  scopes: ScopeName[],
  { projects }: { projects?: string[] } = {},
): Promise<string> {
  const slug = scopes.join("-").replace(/:/g, "-");
  await world.seed({
    integrations: [
      { slug, clientSecret: "s", owner: "dev", redirectUrl: "http://127.0.0.1:9/callback", scopes },
    ],
    installations: [
      { integration: slug, team: "acme", token: `token-of-${slug}`, ...(projects && { projects }) },
    ],
  });
  return `token-of-${slug}`;
}

/** The domains of an answer without the default domain of the project, which no program declares. */
// biome-ignore lint/suspicious/noExplicitAny: the tests look into whatever the server answers.
export const withoutDefault = (domains: readonly any[]): any[] =>
  domains.filter(({ name }) => !name.endsWith(".vercel.app"));
