import type { Plain } from "../../../../provider/core/values";
import { envVar } from "../../../../provider/resources/env-var";
import { envVars } from "../../../../provider/resources/env-vars";
import type { Fault } from "../../../../server/control/client-types";
import { type Harness, quietStep, startHarness } from "../../stack";

let w: Harness;
let web: string;
async function open(options?: Parameters<typeof startHarness>[0]): Promise<void> {
  w = await startHarness(options);
  web = ((await w.curl("POST", "/v10/projects", { name: "web" })) as Plain).id as string;
}
beforeEach(() => open());
afterEach(() => w.close());

const declared = (key: string): Plain => ({
  ...{ project: web, key, value: "v", type: "plain", target: ["preview"] },
});
const create = (key: string) => envVar.create(w.run, quietStep, declared(key));
const remove = ({ id, state }: { id: string; state: Plain }) => envVar.remove(w.run, quietStep, id, state);
const left = async (): Promise<string[]> =>
  ((await w.curl("GET", `/v9/projects/${web}/env`)) as unknown as { envs: { key: string }[] }).envs.map(
    ({ key }) => key,
  );
const deletions = async (): Promise<string[]> =>
  (await w.server.control.requests()).flatMap(({ method, path, status }) =>
    method === "DELETE" ? [`${path} ${status}`] : [],
  );
/** The number of ids in each request that deletes several variables. */
const together = async (): Promise<number> =>
  (await deletions()).filter((one) => one.startsWith(`/v1/projects/${web}/env `)).length;

describe("variables that are deleted at the same moment", () => {
  it("share a request", async () => {
    const made = await Promise.all(["A", "B", "C", "D"].map(create));
    await Promise.all(made.slice(1).map(remove));
    expect(await left()).toEqual(["A"]);
    expect(await deletions()).toEqual([`/v1/projects/${web}/env 200`]);
  });

  it("are deleted alone when there is one", async () => {
    const made = await create("A");
    await remove(made);
    expect(await deletions()).toEqual([`/v9/projects/${made.id.replace("/", "/env/")} 200`]);
  });

  it("are all gone if one of them, or all, had been deleted by somebody else", async () => {
    const made = await Promise.all(["A", "B", "C"].map(create));
    const gone = (index: number) => w.curl("DELETE", `/v9/projects/${made[index]?.id.replace("/", "/env/")}`);
    await gone(0);
    await Promise.all(made.map(remove));
    expect(await left()).toEqual([]);
    const more = await Promise.all(["D", "E"].map(create));
    for (const { id } of more) await w.curl("DELETE", `/v9/projects/${id.replace("/", "/env/")}`);
    await Promise.all(more.map(remove));
    expect(await together()).toBe(2);
  });

  it.each<[string, Omit<Fault, "method" | "path">]>([
    ["a refusal of the request", { kind: "status", status: 403, code: "forbidden" }],
    ["a service that does not know the request", { kind: "status", status: 405, code: "method_not_allowed" }],
    ["a failure that is repeated", { kind: "status", status: 503 }],
    ["a lost answer", { kind: "drop-after" }],
  ])("are deleted after %s", async (_, fault) => {
    const made = await Promise.all(["A", "B", "C"].map(create));
    await w.server.control.addFaults({ ...fault, method: "DELETE", path: `/v1/projects/${web}/env` });
    await Promise.all(made.map(remove));
    expect(await left()).toEqual([]);
  });

  it("each have an outcome of their own", async () => {
    const made = await Promise.all(["A", "B", "C"].map(create));
    const kept = `/v9/projects/${made[1]?.id.replace("/", "/env/")}`;
    for (const path of [kept, `/v1/projects/${web}/env`])
      await w.server.control.addFaults({
        method: "DELETE",
        path,
        kind: "status",
        status: 403,
        code: "forbidden",
      });
    const outcomes = await Promise.allSettled(made.map(remove));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await left()).toEqual(["B"]);
  });

  it("stay within the limit of 60 deletions a minute, 200 of them, eight at a time", async () => {
    await w.close();
    await open({ rateLimits: true });
    const keys = Array.from({ length: 200 }, (_, at) => `KEY_${at}`);
    const body = keys.map((key) => ({ key, value: "v", type: "plain", target: ["preview"] }));
    const { created } = (await w.curl("POST", `/v10/projects/${web}/env`, body as never)) as unknown as {
      created: { id: string }[];
    };
    const waiting = created.map(({ id }) => `${web}/${id}`);
    const removeInOrder = async (): Promise<void> => {
      for (let id = waiting.pop(); id; id = waiting.pop()) await remove({ id, state: { projectId: web } });
    };
    await Promise.all(Array.from({ length: 8 }, removeInOrder));
    expect(await left()).toEqual([]);
    const all = await deletions();
    expect(all.filter((one) => !one.endsWith(" 200"))).toEqual([]);
    expect(all.length).toBeLessThan(60);
  });
});

it("the variables of EnvVars are deleted with a request for each hundred", async () => {
  const names = Array.from({ length: 150 }, (_, at) => `KEY_${at}`);
  const variables = Object.fromEntries(names.map((name) => [name, "v"]));
  const made = await envVars.create(w.run, quietStep, { project: web, variables, target: ["preview"] });
  await envVars.remove(w.run, quietStep, made.id, made.state);
  expect(await left()).toEqual([]);
  expect(await deletions()).toHaveLength(2);
});
