import { join } from "node:path";
import { command, foreground } from "./command.mjs";
import { root } from "./setup/paths.mjs";

const usage = `npm run chaos [-- --engine sqlite|postgres] [--faults N] [--writes N] [--seed N]

Runs writers, readers and a webhook receiver against one server with SQLite, and two servers with one PostgreSQL, and
injects faults: it kills, stops and restarts servers and PostgreSQL, cuts, slows down and silences connections, lets
the receiver fail, and fills the disk. Prints each fault, and a ledger at the end. Fails when an acknowledged write is
lost or duplicated, when a reader does not see it, or when an event is missing or out of order.

  --engine E   one engine only; by default both, one after the other
  --faults N   number of faults (200)
  --writes N   number of acknowledged writes (100,000)
  --seed N     seed of the random faults and writes (printed)

Everything runs on this machine, in its own folder and processes, which end with the command. A full disk is simulated
on Linux only, with prlimit.`;

await command({
  usage,
  needs: [],
  run: (args) =>
    foreground(
      process.execPath,
      ["--require", join(root, "test/support/register.cjs"), join(root, "test/chaos/main.ts"), ...args],
      process.env,
      { isOneInterrupt: true },
    ),
});
