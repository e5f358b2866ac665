import { newId } from "../../server/ids";
import type { ScopeName } from "../../server/rules/scopes";
import { tokenHash } from "../../server/secrets";
import type { EnvRecord } from "../../server/wire/env";
import type { Answer, World } from "./world";

type Options = NonNullable<Parameters<World["call"]>[2]>;

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
    private readonly world: World,
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
export function useVariables(world: World): Variables {
  beforeEach(async () => {
    await world.call("POST", "/v10/projects", { body: { name: "web" } });
  });
  return new Variables(world);
}

/** Begins a transfer that is not completed. */
export async function beginTransfer(world: World, project = "web"): Promise<void> {
  await world.services.store.write((tx) =>
    tx
      .updateTable("projects")
      .set({ transfer_to_account_id: "somewhere", transfer_started_at: world.clock.now() })
      .where("name", "=", project)
      .execute(),
  );
}

/** Installs an integration on the team `acme`. @returns its token and the configuration's id */
export async function install(world: World, ...scopes: ScopeName[]): Promise<{ token: string; id: string }> {
  const id = newId("configuration");
  const token = newId("token");
  const created_at = world.clock.now();
  await world.services.store.write(async (tx) => {
    const { user_id, team_id } = await tx
      .selectFrom("members as m")
      .innerJoin("accounts as a", "a.id", "m.team_id")
      .select(["m.user_id", "m.team_id"])
      .where("a.slug", "=", "acme")
      .executeTakeFirstOrThrow();
    await tx
      .insertInto("configurations")
      .values({
        id,
        integration_id: newId("integration"),
        account_id: team_id,
        user_id,
        scopes: JSON.stringify(scopes),
        pending_scopes: "[]",
        selected: 0,
        source: "external",
        completed_at: null,
        disabled_at: null,
        disabled_reason: null,
        delete_at: null,
        created_at,
        updated_at: created_at,
      })
      .execute();
    await tx
      .insertInto("tokens")
      .values({ hash: tokenHash(token), user_id, account_id: team_id, configuration_id: id, created_at })
      .execute();
  });
  return { token, id };
}
