import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ClosingLine = require("../support/closing-line.cjs") as new () => {
  onRunComplete(contexts: unknown, results: object): void;
};

const all = {
  numPassedTests: 7,
  numFailedTests: 0,
  numRuntimeErrorTestSuites: 0,
  numPendingTests: 0,
  numTodoTests: 0,
};

describe("the closing line", () => {
  it.each([
    ["7 passed, 0 failed", {}],
    ["7 passed, 2 failed", { numFailedTests: 2 }],
    ["7 passed, 3 failed", { numFailedTests: 2, numRuntimeErrorTestSuites: 1 }],
    ["7 passed, 0 failed, 5 skipped", { numPendingTests: 4, numTodoTests: 1 }],
  ])("is %j", (line, results) => {
    const folder = mkdtempSync(join(tmpdir(), "slipway-closing-"));
    const before = process.env.SLIPWAY_CLOSING_LINE;
    process.env.SLIPWAY_CLOSING_LINE = join(folder, "line");
    try {
      new ClosingLine().onRunComplete([], { ...all, ...results });
      expect(readFileSync(join(folder, "line"), "utf8")).toBe(`${line}\n`);
    } finally {
      if (before === undefined) delete process.env.SLIPWAY_CLOSING_LINE;
      else process.env.SLIPWAY_CLOSING_LINE = before;
      rmSync(folder, { recursive: true });
    }
  });
});
