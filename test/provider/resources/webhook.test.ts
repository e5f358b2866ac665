import type { Client } from "../../../provider/client/client";
import type { Plain } from "../../../provider/core/values";
import { webhook } from "../../../provider/resources/webhook";
import { type Harness, startHarness } from "../stack";

let w: Harness;
beforeEach(async () => {
  w = await startHarness();
});
afterEach(() => w.close());

const declared = { url: "http://127.0.0.1:9/events", events: ["project.created"] };
const webhooks = async (): Promise<Plain[]> => (await w.curl("GET", "/v1/webhooks")) as unknown as Plain[];

it("keeps the secret that only the create returns", async () => {
  const stack = w.stack(webhook);
  await stack.up(declared);
  const { secret } = stack.state;
  expect(secret).toEqual(expect.stringMatching(/.{16}/));
  expect(await stack.refresh(w.another())).toBe(true);
  expect(stack.state.secret).toBe(secret);
  expect(webhook.traits.secret).toEqual(["secret"]);
});

it("is replaced by every change: creates the new webhook first, with a new secret", async () => {
  const stack = w.stack(webhook);
  await stack.up(declared);
  const { id, state } = stack;
  const diff = await webhook.diff(w.run, id, state, { ...declared, events: ["project.removed"] });
  expect(diff).toMatchObject({ replaces: ["events"], deleteBeforeReplace: false });
  expect(await stack.up({ ...declared, events: ["project.removed"] })).toBe("replace");
  expect(stack.state.secret).not.toBe(state.secret);
  expect((await webhooks()).map((there) => there.id)).toEqual([stack.id]);
});

it("compares events as a set", async () => {
  const stack = w.stack(webhook);
  await stack.up({ ...declared, events: ["project.removed", "project.created", "project.created"] });
  await stack.refresh(w.another());
  expect(await stack.up({ ...declared, events: ["project.created", "project.removed"] })).not.toBe("replace");
});

it("is created again when the answer with the secret is lost", async () => {
  await w.stack(webhook).up(declared);
  const [other] = await webhooks();
  await w.server.control.addFaults({ method: "POST", path: "/v1/webhooks", times: 1, kind: "drop-after" });
  const stack = w.stack(webhook);
  await stack.up(declared);
  expect(stack.state.secret).toEqual(expect.any(String));
  expect((await webhooks()).map(({ id }) => id).sort()).toEqual([other?.id, stack.id].sort());
});

it("says that a webhook may be left when neither its answer nor its deletion comes through", async () => {
  await w.server.control.addFaults(
    { method: "POST", path: "/v1/webhooks", kind: "malformed" },
    { method: "DELETE", path: "/v1/webhooks/:id", kind: "status", times: 9 },
  );
  await expect(w.stack(webhook).up(declared)).rejects.toThrow(
    /DELETE .*: 503 .* Before, POST \/v1\/webhooks failed: it may have created an object that no state has\./,
  );
  expect(await webhooks()).toHaveLength(1);
});

it("deletes no webhook of another resource when its answer is lost", async () => {
  const elsewhere = { ...declared, url: "http://127.0.0.1:9/elsewhere" };
  const [equal] = [(await w.curl("POST", "/v1/webhooks", declared)) as Plain];
  const { send } = w.client;
  let different: Plain | undefined;
  jest.spyOn(w.client, "send").mockImplementation(async function (this: Client, request) {
    if (request.method === "POST") different ??= await w.curl("POST", "/v1/webhooks", elsewhere);
    return send.call(this, request) as never;
  });
  await w.server.control.addFaults({
    method: "POST",
    path: "/v1/webhooks",
    skip: 1,
    times: 1,
    kind: "drop-after",
  });
  const stack = w.stack(webhook);
  await stack.up(declared);
  const ids = (await webhooks()).map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining([equal?.id, different?.id, stack.id]));
});

it("is distinguished from an equal webhook of the program when its answer is lost", async () => {
  await w.server.control.addFaults({ method: "POST", path: "/v1/webhooks", skip: 1, kind: "drop-after" });
  const both = [w.stack(webhook), w.stack(webhook)];
  await Promise.all(both.map((stack) => stack.up(declared)));
  expect((await webhooks()).map(({ id }) => id).sort()).toEqual(both.map(({ id }) => id).sort());
});

it("warns about an equal webhook that no resource of the run owns", async () => {
  await w.stack(webhook).up(declared);
  await w.stack(webhook).up(declared);
  expect(w.warnings).toEqual([]);
  const [lost] = await webhooks();
  const later = w.stack(webhook);
  later.use(w.another());
  await later.up({ ...declared, events: ["project.removed"] });
  expect(w.warnings).toEqual([]);
  await later.up(declared);
  expect(w.warnings).toEqual([
    expect.stringMatching(new RegExp(`already has an equal webhook \\(${lost?.id}\\).*delete it`)),
  ]);
});

it("has no secret when it is only read", async () => {
  const stack = w.stack(webhook);
  await stack.up(declared);
  const read = await webhook.read(w.runOf(w.another()), stack.id, undefined);
  expect(read?.state).toMatchObject({ ...declared, secret: null });
});

it("reports a deleted webhook as missing", async () => {
  const stack = w.stack(webhook);
  await stack.up(declared);
  await stack.destroy();
  expect(await webhooks()).toEqual([]);
  expect(await stack.refresh(w.another())).toBe(false);
});

it("refuses an invalid URL before it sends a request", async () => {
  await expect(w.stack(webhook).up({ ...declared, url: "ftp://example.com" })).rejects.toThrow(
    /^url must be/,
  );
});
