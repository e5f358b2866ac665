/** Without a terminal, progress is shown each time that this many projects were read. */
const step = 500;

/** Shows how many projects were read: on a terminal in a line that overwrites itself, elsewhere in separate lines. */
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
