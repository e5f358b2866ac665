import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Collector } from "../support/collector";
import { Workspace } from "../support/pulumi";

let world: Workspace;
let collector: Collector;
beforeAll(async () => {
  collector = await new Collector().start();
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
  world = await Workspace.start();
});
afterAll(async () => {
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  await world.stop();
  await collector.stop();
});

it("the requests of a run, and their handling by the server, are spans of Pulumi's trace", async () => {
  const program = "resources: { web: { type: slipway:Project, properties: { name: web } } }\n";
  const stack = await world.yaml("traced", program);
  const file = join(stack.folder, "traces.json");
  const { errors } = await stack.up({ args: ["--otel-traces", `file://${file}`] });
  expect(errors).toEqual([]);
  const trace = /"traceId":\s*"([^"]+)"/.exec(readFileSync(file, "utf8"))?.[1];
  const created = collector.spans.find(
    ({ service, name }) => service === "pulumi-slipway" && name === "POST",
  );
  expect(created).toMatchObject({ traceId: trace, attributes: { "slipway.resource": "Project web" } });
  expect(readFileSync(file, "utf8")).toContain(created?.parentSpanId);
  const served = collector.spans.find(({ parentSpanId }) => parentSpanId === created?.spanId);
  expect(served).toMatchObject({ traceId: trace, service: "slipway-server", name: "POST /projects" });
  expect(JSON.stringify(collector.spans)).not.toContain(world.token);
}, 300_000);
