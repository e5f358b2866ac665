import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import path from "node:path";
import { createInterface } from "node:readline";
import { median, progress, table } from "./report.mts";

const root = path.join(import.meta.dirname, "../..");
const rounds = 11;

const load = createRequire(import.meta.url);
const { credentials } = load("@grpc/grpc-js");
const { Struct } = load("google-protobuf/google/protobuf/struct_pb");
const { CheckRequest, ConfigureRequest } = load("@pulumi/pulumi/proto/provider_pb");
const { ResourceProviderClient } = load("@pulumi/pulumi/proto/provider_grpc_pb");

/** A process that hosts resources, and how one of its resources is called. */
interface HostProcess {
  name: string;
  file: string;
  args: string[];
  urn: string;
  inputs: object;
}

const hosts: HostProcess[] = [
  {
    name: "dynamic",
    file: process.execPath,
    args: [load.resolve("@pulumi/pulumi/cmd/dynamic-provider"), "127.0.0.1:0"],
    urn: "urn:pulumi:bench::bench::pulumi-nodejs:dynamic/slipway:Project::web",
    inputs: { name: "web", __provider: "module.exports=require('slipway/dynamic').project" },
  },
  {
    name: "plugin",
    file: path.join(root, "dist/plugin/pulumi-resource-slipway"),
    args: [],
    urn: "urn:pulumi:bench::bench::slipway:index:Project::web",
    inputs: { name: "web" },
  },
];

/** Milliseconds from the start of a process. */
interface Started {
  /** Until it tells its port. */
  port: number;
  /** Until it has answered for a resource, which has it load all that it needs. */
  answer: number;
}

/**
 * How long each host takes to start: every preview and every update pays it once.
 * @returns a table, in Markdown
 */
export async function benchHosts(): Promise<string> {
  const taken = new Map(hosts.map(({ name }): [string, Started[]] => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const host of round % 2 === 0 ? hosts : hosts.toReversed()) {
      taken.get(host.name)?.push(await startOf(host));
    }
  }
  progress(`start of each host, ${rounds} rounds`);
  const rows = [...taken].map(([name, all]) => [
    name,
    ...(["port", "answer"] as const).map((what) => `${Math.round(median(all.map((one) => one[what])))} ms`),
  ]);
  const head = [
    "host",
    "from the start to the printed port",
    "from the start to the first answer about a resource",
  ];
  return ["Start-up time of each host:", table([head, ...rows])].join("\n\n");
}

async function startOf({ file, args, urn, inputs }: HostProcess): Promise<Started> {
  const begun = performance.now();
  const child = spawn(file, args, {
    cwd: root,
    env: { ...process.env, PULUMI_NODEJS_PROJECT: "bench", SLIPWAY_TOKEN: "none" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [number] = await once(createInterface(child.stdout), "line");
    const port = performance.now() - begun;
    const client = new ResourceProviderClient(`127.0.0.1:${number}`, credentials.createInsecure());
    const call = (method: string, request: object): Promise<unknown> =>
      new Promise((resolve, reject) => {
        client[method](request, (error: Error | null, reply: unknown) =>
          error ? reject(error) : resolve(reply),
        );
      });
    await call("configure", new ConfigureRequest().setArgs(Struct.fromJavaScript({})));
    // One that is invalid is answered without a request to the service.
    const news = Struct.fromJavaScript({ ...inputs, name: "Not Valid" });
    await call("check", new CheckRequest().setUrn(urn).setOlds(Struct.fromJavaScript({})).setNews(news));
    const answer = performance.now() - begun;
    client.close();
    return { port, answer };
  } finally {
    child.kill("SIGINT");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
}
