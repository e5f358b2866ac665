import { z } from "zod";
import { customCertificate } from "../../../provider/resources/custom-certificate";
import { first, firstInOtherForm, second, uploadOf } from "../../support/certificates";
import { type Harness, startHarness } from "../stack";

let w: Harness;
beforeEach(async () => {
  w = await startHarness();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await w.close();
});

const path = "/v8/certs";
const idsOf = async (): Promise<string[]> =>
  ((await w.curl("GET", path)).certs as unknown as { id: string }[]).map(({ id }) => id);

it("uploads a certificate, keeps it through a refresh, and deletes it", async () => {
  const stack = w.stack(customCertificate);
  await stack.up(first);
  expect(stack.state).toMatchObject({ ...first, cns: ["api.example.com"] });
  await stack.refresh(w.another());
  expect(stack.state).toMatchObject(first);
  expect(await stack.up(first)).toBe("same");
  await stack.destroy();
  expect(await idsOf()).toEqual([]);
});

it("replaces a certificate, and uploads the new one first", async () => {
  const stack = w.stack(customCertificate);
  await stack.up(first);
  const { id } = stack;
  expect(await stack.up(second)).toBe("replace");
  expect(stack.state).toMatchObject({ cns: ["example.org", "*.example.org"] });
  expect(await idsOf()).toEqual([stack.id]);
  expect(stack.id).not.toBe(id);
});

it("ignores line ends and white space around the texts", async () => {
  const stack = w.stack(customCertificate);
  await stack.up(first);
  const texts = Object.entries(first).map(([name, text]) => [name, `\n${text.replaceAll("\n", "\r\n")} `]);
  expect(await stack.up(Object.fromEntries(texts))).toBe("same");
});

it("leaves certificates of others alone", async () => {
  const other = (await w.curl("PUT", path, uploadOf(first))).id;
  const stack = w.stack(customCertificate);
  await stack.up(first);
  await stack.up({ ...first, certificate: firstInOtherForm.certificate });
  await stack.destroy();
  expect(await idsOf()).toEqual([other]);
});

it("never owns a certificate that the service returns although it existed", async () => {
  const { id } = (await w.curl("PUT", path, uploadOf(first))) as unknown as { id: string };
  const client = w.another();
  const remote = await client.send({ method: "GET", path: `${path}/${id}`, shape: z.looseObject({}) });
  jest.spyOn(client, "create").mockResolvedValue(remote);
  const stack = w.stack(customCertificate);
  stack.use(client);
  await expect(stack.up(first)).rejects.toThrow(/already has this certificate \(cert_\w+\)\. Import it/);
  expect(await idsOf()).toEqual([id]);
});

it.each(["drop-after", "drop-before"] as const)(
  "uploads one certificate although the answer is lost, and leaves an equal one alone: %s",
  async (kind) => {
    const other = (await w.curl("PUT", path, uploadOf(first))).id as unknown as string;
    await w.server.control.addFaults({ kind, method: "PUT", path, times: 1 });
    const stack = w.stack(customCertificate);
    await stack.up(first);
    expect((await idsOf()).sort()).toEqual([other, stack.id].sort());
  },
);

it("uploads two equal certificates at once, of which each is its resource's own", async () => {
  const stacks = [w.stack(customCertificate, "a"), w.stack(customCertificate, "b")];
  await Promise.all(stacks.map((stack) => stack.up(first)));
  expect((await idsOf()).sort()).toEqual(stacks.map(({ id }) => id).sort());
});

it("is gone when it was deleted at the service", async () => {
  const stack = w.stack(customCertificate);
  await stack.up(first);
  await w.curl("DELETE", `${path}/${stack.id}`);
  expect(await stack.refresh(w.another())).toBe(false);
  await stack.destroy();
});

it.each([
  ["no key", { privateKey: "canary" }, /privateKey must be a private key in PEM format/],
  ["no certificate", { certificate: "canary" }, /certificate must be a certificate in PEM format/],
  [
    "no authority",
    { certificateAuthorityCertificate: first.privateKey },
    /certificateAuthorityCertificate must be a certificate/,
  ],
  ["the key of another certificate", { privateKey: second.privateKey }, /privateKey is not the key of/],
])("refuses %s at preview, without quoting it", async (_what, change, says) => {
  const said = await w
    .stack(customCertificate)
    .preview({ ...first, ...change })
    .then(String, String);
  expect(said).toMatch(says);
  for (const text of ["canary", "BEGIN"]) expect(said).not.toContain(text);
});

it("refuses a certificate that has expired at preview, but not for a resource that has it", async () => {
  const stack = w.stack(customCertificate, "certificate");
  await stack.up(first);
  jest.spyOn(Date, "now").mockReturnValue(Date.UTC(2200, 0, 1));
  expect(await stack.preview(first)).toBe("same");
  for (const [one, declared] of [
    [stack, second],
    [w.stack(customCertificate, "fresh"), first],
  ] as const)
    await expect(one.preview(declared)).rejects.toThrow(/certificate has expired on 2126-/);
});

it("has the private key in no message, and in no record of the requests", async () => {
  // The certificate expires on the server alone, so that the upload is refused.
  for (let decade = 0; decade < 12; decade++) await w.server.control.advanceClock(3600 * 86_400_000);
  const said = await w.stack(customCertificate).up(first).then(String, String);
  expect(said).toMatch(/PUT \/v8\/certs: 400 bad_request/);
  const requests = JSON.stringify(await w.server.control.requests());
  for (const text of [said, requests]) expect(text).not.toContain(first.privateKey.split("\n")[1]);
});

it("is imported by its id, and then is the declared certificate with the same domains and expiry", async () => {
  const { id } = (await w.curl("PUT", path, uploadOf(first))) as unknown as { id: string };
  const run = w.runOf(w.another());
  const read = await customCertificate.read(run, id, undefined);
  if (!read) throw new Error("no such certificate");
  expect(read).toMatchObject({ id, inputs: {}, state: { cns: ["api.example.com"] } });
  expect(await customCertificate.diff(run, id, read.state, first)).toMatchObject({ changes: [] });
  expect((await customCertificate.diff(run, id, read.state, second)).replaces).toContain("certificate");
});
