import { join } from "node:path";
import { command } from "./command.mjs";
import { root } from "./setup/paths.mjs";
import { CommandError } from "./setup/run.mjs";
import { brokenLinksOf } from "./site/links.mjs";
import { writePages } from "./site/pages.mjs";

const usage = `npm run site [-- --serve] [--base <path>]

Builds the documentation as a site in site/: the README, docs/, the examples with their programs, and the operations of
the API. Fails on a dead link. Any static file server can serve it; its pages load nothing from other hosts.

  --serve        then serves it at http://127.0.0.1:4173 until Ctrl-C
  --base <path>  the path below which it is served, such as /slipway/ (/)`;

const output = join(root, "site");
/** The sources of the site. They are below the root, so that the generator finds its modules in node_modules. */
const pages = join(root, ".slipway/site");

await command({
  usage,
  needs: ["dist"],
  async run(args) {
    const at = args.indexOf("--base");
    const base = at >= 0 ? (args[at + 1] ?? "/") : "/";
    await writePages(pages, { base, output });
    const { build, serve } = await import("vitepress");
    try {
      await build(pages);
    } catch (error) {
      throw new CommandError(`site: ${error.message}`);
    }
    const broken = brokenLinksOf(output, base);
    for (const link of broken) console.error(`site: dead link: ${link}`);
    if (broken.length > 0) return 1;
    console.error("site: built in site/");
    if (!args.includes("--serve")) return 0;
    await serve({ root: pages, base, port: 4173 });
    return new Promise(() => {});
  },
});
