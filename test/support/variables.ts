import type { ScopeName } from "../../server/access/scopes";
import type { EnvRecord } from "../../server/env/schema";
import { configurations } from "../../server/integrations/object";
import { newId } from "../../server/platform/ids";
import type { Answer, TestServer } from "./world";

type Options = NonNullable<Parameters<TestServer["call"]>[2]>;

/** A variable that nothing is wrong with. */
export const someVariable = {
  key: "API_URL",
  value: "https://api.example.com",
  type: "plain",
  target: ["preview"],
};

/** The variables of one project of the team `acme`, through the API. */
export class Variables {
  constructor(
    private readonly world: TestServer,
    readonly project = "web",
  ) {}

  create(body: unknown, options: Options = {}): Promise<Answer> {
    return this.world.call("POST", `/v10/projects/${this.project}/env`, { ...options, body });
  }

  /** @returns the record of a variable that is good to create */
  async add(fields: object = {}, options: Options = {}): Promise<EnvRecord> {
    const { status, body } = await this.create({ ...someVariable, ...fields }, options);
    if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return body.created;
  }

  list(query: Options["query"] = {}, options: Options = {}): Promise<Answer> {
    return this.world.call("GET", `/v9/projects/${this.project}/env`, { ...options, query });
  }

  async keys(query: Options["query"] = {}, options: Options = {}): Promise<string[]> {
    const { body } = await this.list(query, options);
    return body.envs.map(({ key }: EnvRecord) => key);
  }

  read(id: string, options: Options = {}): Promise<Answer> {
    return this.world.call("GET", `/v1/projects/${this.project}/env/${id}`, options);
  }

  edit(id: string, body: unknown, options: Options = {}): Promise<Answer> {
    return this.world.call("PATCH", `/v9/projects/${this.project}/env/${id}`, { ...options, body });
  }

  remove(id: string, options: Options = {}): Promise<Answer> {
    return this.world.call("DELETE", `/v9/projects/${this.project}/env/${id}`, options);
  }
}

/** Gives each test the project `web` and its variables. */
export function useVariables(world: TestServer): Variables {
  beforeEach(async () => {
    await world.call("POST", "/v10/projects", { body: { name: "web" } });
  });
  return new Variables(world);
}

/** Begins a transfer that is not completed. */
export async function beginTransfer(world: TestServer, project = "web"): Promise<void> {
  await world.services.store.write((tx) =>
    tx
      .updateTable("projects")
      .set({ transfer_to_account_id: "somewhere", transfer_started_at: world.clock.now() })
      .where("name", "=", project)
      .execute(),
  );
}

/** Installs an integration of its own on the team `acme`. @returns its token and the configuration's id */
export async function install(
  world: TestServer,
  ...scopes: ScopeName[]
): Promise<{ token: string; id: string; team: string }> {
  const id = newId(configurations);
  const slug = id.toLowerCase().replace("_", "-");
  const token = `token-of-${slug}`;
  await world.seed({
    integrations: [
      { slug, owner: "dev", clientSecret: "s", redirectUrl: "http://127.0.0.1:9/callback", scopes },
    ],
    installations: [{ id, integration: slug, team: "acme", installedBy: "dev", scopes, token }],
  });
  return { token, id, team: (await world.call("GET", "/v2/teams/acme")).body.id };
}
