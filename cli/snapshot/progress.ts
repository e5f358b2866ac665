/** After how many projects a new line shows the progress, if the output is not a terminal. */
const step = 500;

/** Shows the progress: on a terminal in one line that changes, elsewhere in a new line for every `step` projects. */
export function showProgress(): { show(projects: number): void; end(): void } {
  const isTerminal = process.stderr.isTTY === true;
  let shown = 0;
  return {
    show(projects) {
      if (isTerminal) process.stderr.write(`\rslipway: reading the account: ${projects} projects `);
      else if (projects >= shown + step) {
        shown = projects;
        process.stderr.write(`slipway: reading the account: ${projects} projects\n`);
      }
    },
    end: () => void (isTerminal && process.stderr.write("\r\x1b[K")),
  };
}
