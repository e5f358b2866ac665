import { runCommandLine } from "./run";

/** An empty variable counts as not set. */
for (const name of Object.keys(process.env)) {
  if (name.startsWith("SLIPWAY_") && process.env[name] === "") delete process.env[name];
}

// A reader such as `head` may close the pipe before everything is written.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE")
    process.stderr.write(`slipway: The output cannot be written (${error.message}).\n`);
  process.exit(error.code === "EPIPE" ? process.exitCode : 1);
});

runCommandLine(process.argv.slice(2), (code) => {
  process.exitCode = code;
}).then((code) => {
  if (code !== undefined) process.exit(code);
});
