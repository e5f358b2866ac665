import type { Plain } from "../../../provider/core/values";
import { auditLogDrain } from "../../../provider/resources/audit-log-drain";
import { freshAccount } from "../fields/common";
import { type Harness, startHarness } from "../stack";

let w: Harness;
beforeEach(async () => {
  w = await startHarness();
  await freshAccount(w);
});
afterEach(() => w.close());

const path = "/v1/drains";
const declared = { name: "events", endpoint: "http://127.0.0.1:9/events" };
const s3 = { roleArn: "arn:aws:iam::123456789012:role/audit", region: "eu-central-1" };
const archived = { name: "events", endpoint: "s3://audit-logs/team", s3 };
const secret = "s".repeat(32);
const drain = (id: unknown): Promise<Plain> => w.curl("GET", `${path}/${id}`);

it("moves from a URL to a bucket in place, and back", async () => {
  const stack = w.stack(auditLogDrain);
  await stack.up({ ...declared, compression: "gzip", headers: { a: "1" }, secret });
  const { id } = stack;
  expect(await drain(id)).toMatchObject({
    schemas: { audit_log: { version: "v1" } },
    delivery: { type: "http", endpoint: declared.endpoint, compression: "gzip", headers: { a: "1" } },
  });
  expect(await stack.up(archived)).toBe("update");
  const bucket = { type: "s3", endpoint: archived.endpoint, ...s3 };
  expect(await drain(id)).toMatchObject({
    delivery: { ...bucket, encoding: "json", compression: "none", fileStructure: "hive" },
  });
  expect(await stack.up(archived)).toBe("same");
  expect(await stack.up(declared)).toBe("update");
  expect((await drain(id)).delivery).toEqual({
    ...{ type: "http", endpoint: declared.endpoint, encoding: "json", compression: "none", headers: {} },
  });
  expect(stack.id).toBe(id);
});

it("leaves settings of the bucket that are not declared to the service", async () => {
  const stack = w.stack(auditLogDrain);
  await stack.up(archived);
  const { delivery } = await drain(stack.id);
  await w.curl("PATCH", `${path}/${stack.id}`, {
    delivery: { ...(delivery as object), objectAcl: "private" },
  });
  await stack.refresh(w.another());
  expect(await stack.up(archived)).toBe("same");
  const read = await auditLogDrain.read(w.run, String(stack.id), undefined);
  expect(read?.inputs).toMatchObject({ ...archived, s3: { ...s3, objectAcl: "private" } });
});

it.each(["drop-after", "drop-before"] as const)(
  "is created once when the answer gets lost: %s",
  async (kind) => {
    await w.server.control.addFaults({ method: "POST", path, times: 1, kind });
    const stack = w.stack(auditLogDrain);
    await stack.up(archived);
    expect((await w.curl("GET", path)).drains).toEqual([expect.objectContaining({ id: stack.id })]);
  },
);

it("is refused without the enterprise plan", async () => {
  await w.server.control.changeTeam("acme", { plan: "pro" });
  await expect(w.stack(auditLogDrain).up(declared)).rejects.toThrow(
    /403 forbidden: Drains of audit logs are only available/,
  );
});

it.each<[string, Plain, RegExp]>([
  ["a bucket without s3", { ...archived, s3: undefined }, /s3 must be declared if endpoint begins with s3:/],
  ["a URL with s3", { ...declared, s3 }, /s3 must be declared if endpoint begins with s3:/],
  [
    "a bucket with headers",
    { ...archived, headers: { a: "1" } },
    /headers, secret and compression are for a URL/,
  ],
  ["a bucket with a secret", { ...archived, secret }, /headers, secret and compression are for a URL/],
  ["a compressed bucket", { ...archived, compression: "gzip" }, /headers, secret and compression are for/],
  ["another receiver", { ...declared, endpoint: "gs://a" }, /endpoint must be a URL that begins with http/],
])("refuses %s", (_what, inputs, reason) => {
  const [failure] = auditLogDrain.check({}, inputs);
  expect(failure?.reason).toMatch(reason);
});
