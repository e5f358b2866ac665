import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { urnOf } from "../../support/fake-cli";
import { type Call, callerOf, newService } from "../in-process-plugin-host";
import { secret, struct } from "../plugin-host";
import { type Harness, startHarness } from "../stack";

let w: Harness;
let call: Call;
beforeAll(async () => {
  w = await startHarness();
  await w.server.control.seed({ projects: [{ team: "acme", name: "web" }] });
  call = callerOf(newService());
  const args = struct({ apiUrl: w.server.url, token: secret(w.server.token), team: "acme" });
  const urn = urnOf("pulumi:providers:slipway", "default");
  await call("configure", new messages.ConfigureRequest().setUrn(urn).setArgs(args));
});
afterAll(() => w.close());

it.each([
  ["EnvVar", "env_1", '"project/id" or "project/KEY/target"'],
  ["ProjectDomain", "example.com", "project/domain"],
  ["DomainVerification", "example.com", "project/domain"],
  ["CustomEnvironment", "staging", "project/environment"],
])("an import of %s by %s names the form of the id", async (type, id, form) => {
  const request = new messages.ReadRequest().setUrn(urnOf(type)).setId(id);
  const error = await call("read", request).catch((error) => error);
  expect(error.message).toContain(form);
});
