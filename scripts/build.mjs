import { command } from "./command.mjs";

const usage = `npm run build

Compiles and bundles the package to dist/, when a source changed since the last time. npm runs it before it packs.`;

await command({ usage, flags: [], needs: ["dist"], run: async () => 0 });
