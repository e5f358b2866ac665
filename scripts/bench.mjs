import { delimiter, join } from "node:path";
import { command, foreground } from "./command.mjs";
import { provideLanguage } from "./setup/languages.mjs";
import { root } from "./setup/paths.mjs";
import { pulumiEnvironment } from "./setup/pulumi.mjs";

const usage = `npm run bench [-- server | postgres | size | peers | providers | provider | deploy | dashboard] [--quick] [--seed N]
       npm run bench -- --against FOLDER [--quick] [--seed N]

Measures on this machine and writes the figures to docs/benchmarks.md. Run it on an otherwise idle machine:

  server     the reference server, compared with a simple Fastify server without rules and a bare node:http server
             that answers the same bytes; about ten minutes
  postgres   the reference server on its own PostgreSQL, compared with bare transactions; two minutes
  size       the size of a project in both stores; half a minute
  peers      two alternative servers, on the same requests; npm installs them to .slipway/bench; and providers
  providers  the providers that others use, on the same resources: the Terraform provider, if SLIPWAY_BENCH_TERRAFORM names
             its executable and Terraform or OpenTofu is installed, and the bridged Pulumi provider, if
             SLIPWAY_BENCH_BRIDGED names the folder of its executable; about twenty minutes
  provider   the provider, compared with dynamic resources that do nothing, with the real CLI; about ten minutes
  deploy     a Deployment of a folder, compared with the official command line, which npm installs to
             test/contract/cli; about eight minutes
  dashboard  a browser that shows 10,000 projects; about a minute; needs Chromium

Without a name, it measures everything. Requests are drawn at random, from a seed that is printed and that --seed sets.
With --quick, server, postgres, size, peers and providers only check that everything runs. Their figures mean nothing, and
the page does not change.

With --against, it compares this build of the server with the build of another checkout, on both engines, in about six
minutes, to find what has become slower. The page does not change. The other checkout needs its own "npm ci" and
"npm run build".`;

await command({
  usage,
  needs: ["pulumi", "dist"],
  async run(args, { pulumi }) {
    const environment = pulumiEnvironment(pulumi);
    // Some of the compared providers have their programs in YAML.
    const isForProviders = ["peers", "providers"].some((part) => args.includes(part));
    const yaml = isForProviders ? await provideLanguage("yaml", pulumi).catch(() => undefined) : undefined;
    const PATH = [environment.PATH, ...(yaml === undefined ? [] : [yaml])].join(delimiter);
    return foreground(process.execPath, [join(root, "test/bench/index.mts"), ...args], {
      ...environment,
      PATH,
      SLIPWAY_PULUMI: pulumi,
    });
  },
});
