import { EventEmitter } from "node:events";
import { Metadata } from "@grpc/grpc-js";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Plain } from "../../../provider/core/values";
import { resources } from "../../../provider/resources";
import { urnOf } from "../../support/fake-cli";
import { callerOf, newService } from "../in-process-plugin-host";
import { secret, struct } from "../plugin-host";
import { type Harness, startHarness } from "../stack";
import { subjects } from "../subjects";

let w: Harness;
let service: ReturnType<typeof newService>;
const many = 230;
const lists = subjects.flatMap(({ resource, listed }) => (listed ? [{ resource, listed }] : []));
beforeAll(async () => {
  w = await startHarness();
  const team = "acme";
  const project = "web";
  await w.server.control.seed({
    projects: Array.from({ length: many }, (_, i) => ({ team, name: i === 0 ? "web" : `app-${i}` })),
    domains: [
      { team, project, name: "example.com" },
      { team, project, name: "www.example.com" },
    ],
    env: ["A", "B", "C"].map((key) => ({
      ...{ team, project, key, value: `canary-${key}`, type: "encrypted", target: ["preview"] },
    })),
    deployments: (["production", "preview"] as const).map((target, i) => ({
      ...{ id: `dpl_${target}`, team, project, target, readyState: "READY", createdAt: i + 1 },
    })),
  });
  await w.server.control.seed({
    edgeConfigs: [{ id: "ecfg_1", team, slug: "flags", items: [{ key: "banner", value: "canary" }] }],
  });
  const { id } = (await w.curl("GET", "/v9/projects/web")) as { id?: string };
  const evs = [{ key: "SHARED", value: "canary" }];
  await w.curl("POST", "/v1/env", { evs, target: ["preview"], projectId: [id] });
  for (const { listed } of lists) await listed.prepare?.(w);
  service = newService();
  const args = struct({ apiUrl: w.server.url, token: secret(w.server.token), team });
  const urn = urnOf("pulumi:providers:slipway", "default");
  await callerOf(service)("configure", new messages.ConfigureRequest().setUrn(urn).setArgs(args));
});
afterAll(() => w.close());

interface Page {
  found: { id: string; name: string }[];
  next: string;
}

/** Asks for a page, as the CLI does. */
function list(type: string, query: Plain = {}, { limit = 0, pageSize = 0, token = "" } = {}): Promise<Page> {
  const request = new messages.ListRequest()
    .setToken(`slipway:index:${type}`)
    .setQuery(struct(query))
    .setLimit(limit)
    .setPageSize(pageSize)
    .setContinuationToken(token);
  return new Promise((done, fail) => {
    const page: Page = { found: [], next: "" };
    const call = Object.assign(new EventEmitter(), {
      request,
      metadata: new Metadata(),
      write(answer: messages.ListResponse) {
        const { result, continuation } = answer.toObject();
        if (result) page.found.push(result);
        if (continuation) page.next = continuation.continuationToken;
      },
      end: () => done(page),
    });
    call.once("error", ({ details }: { details: string }) => fail(new Error(details)));
    service.list?.(call, () => {});
  });
}

const project = "web";
it("lists all resources but those that are no single object", () => {
  const listed = Object.values(resources).filter((resource) => resource.list !== undefined);
  expect(listed).toEqual(lists.map(({ resource }) => resource));
  const others = Object.values(resources).filter((resource) => resource.list === undefined);
  expect(others.map(({ type }) => type)).toEqual(["EnvVars", "Promotion"]);
});

describe.each(lists)("$resource.type", ({ resource, listed: { query, names } }) => {
  const { type } = resource;

  it("lists what the service has, by the ids that a read takes", async () => {
    const { found, next } = await list(type, query);
    expect(found.map(({ name }) => name).sort()).toEqual(names);
    expect(next).toBe("");
    expect(found.length).toBeGreaterThan(0);
    for (const { id } of found) expect((await resource.read(w.run, id, undefined))?.id).toBe(id);
    expect(JSON.stringify(found)).not.toContain("canary");
  });

  it("refuses a filter that it does not have", async () => {
    await expect(list(type, { ...query, nope: 1 })).rejects.toThrow(/slipway:index:\w+: .*nope/);
  });
});

it("returns pages of at most 100, each once", async () => {
  const names: string[] = [];
  const sizes: number[] = [];
  let token = "";
  do {
    const { found, next } = await list("Project", {}, { token });
    names.push(...found.map(({ name }) => name));
    sizes.push(found.length);
    token = next;
  } while (token !== "");
  expect(sizes).toEqual([100, 100, 30]);
  expect(new Set(names).size).toBe(many);
});

it("returns no more than the limit", async () => {
  expect((await list("Project", {}, { limit: 7 })).found).toHaveLength(7);
  expect((await list("Project", {}, { limit: 150 })).found).toHaveLength(100);
  expect((await list("Webhook", {}, { limit: 1 })).found).toHaveLength(1);
  const variables = await list("EnvVar", { project }, { limit: 2 });
  const rest = await list("EnvVar", { project }, { limit: 2, token: variables.next });
  expect([...variables.found, ...rest.found].map(({ name }) => name).sort()).toEqual(["A", "B", "C"]);
});

it("returns pages of the size that is asked for, within the limit", async () => {
  const sizeOf = async (options: object) => (await list("Project", {}, options)).found.length;
  expect(await sizeOf({ pageSize: 5 })).toBe(5);
  expect(await sizeOf({ pageSize: 5, limit: 7 })).toBe(5);
  expect(await sizeOf({ pageSize: 7, limit: 5 })).toBe(5);
  expect(await sizeOf({ pageSize: 200 })).toBe(100);
});

it("narrows deployments by their branch and state", async () => {
  expect((await list("Deployment", { project, readyState: "ERROR" })).found).toEqual([]);
  expect((await list("Deployment", { project, branch: "none" })).found).toEqual([]);
  await expect(list("Deployment", { project, target: "staging" })).rejects.toThrow(
    /target must be production or preview/,
  );
});

it("says what is missing, and what cannot be listed", async () => {
  await expect(list("EnvVar")).rejects.toThrow(/project/);
  await expect(list("EnvVar", { project: "nope" })).rejects.toThrow(/Give the id or the name of a project/);
  await expect(list("Promotion")).rejects.toThrow("slipway:index:Promotion cannot be listed.");
  await expect(list("Nope")).rejects.toThrow("slipway:index:Nope cannot be listed.");
});
