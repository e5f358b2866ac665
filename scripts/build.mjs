import { command } from "./command.mjs";

const usage = `npm run build

Compiles and bundles the package to dist/, if a source has changed. npm runs it before npm pack.`;

await command({ usage, flags: [], needs: ["dist"], run: async () => 0 });
