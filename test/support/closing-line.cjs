const { writeFileSync, writeSync } = require("node:fs");

/**
 * Ends a run with one line that a machine can read: `N passed, N failed`, and `, N skipped` when tests were.
 * A test file that could not run counts as a failed test. With SLIPWAY_CLOSING_LINE the line goes into that
 * file, for a caller that has the last word itself.
 */
module.exports = class ClosingLine {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const line = `${results.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`;
    if (process.env.SLIPWAY_CLOSING_LINE) writeFileSync(process.env.SLIPWAY_CLOSING_LINE, line);
    // Jest adds its own summary behind all reporters.
    else process.once("exit", () => writeSync(1, line));
  }
};
