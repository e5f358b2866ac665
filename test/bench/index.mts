import { benchDashboard } from "./dashboard.mts";
import { benchProvider } from "./provider.mts";
import { machine, writeMeasured } from "./report.mts";
import { benchServer } from "./server.mts";

/** What can be measured. Each part returns its table, as Markdown. */
const parts: Record<string, () => Promise<string>> = {
  server: benchServer,
  provider: benchProvider,
  dashboard: benchDashboard,
};

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts);
const unknown = chosen.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  console.error(`bench: no part ${unknown.join(", ")}. There are: ${Object.keys(parts).join(", ")}.`);
  process.exit(2);
}
for (const name of chosen) {
  const measured = await parts[name]?.();
  if (measured === undefined) continue;
  const text = `${measured}\n\n${machine()}`;
  writeMeasured(name, text);
  console.log(`\n${text}\n`);
}
