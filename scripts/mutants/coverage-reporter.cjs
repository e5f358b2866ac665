const { writeFileSync } = require("node:fs");
const { relative } = require("node:path");
const { createCoverageMap } = require("istanbul-lib-coverage");
const { createSourceMapStore } = require("istanbul-lib-source-maps");

/** Writes to the file SLIPWAY_COVERAGE which lines of the sources each test file runs, and how long it takes. */
module.exports = class CoverageByTest {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
    this.tests = [];
  }

  onTestResult(test, { coverage, perfStats, numFailingTests, testExecError }) {
    this.tests.push({
      file: relative(this.rootDir, test.path),
      failed: numFailingTests > 0 || testExecError !== undefined,
      durationMs: perfStats.end - perfStats.start,
      coverage,
    });
  }

  async onRunComplete() {
    const tests = [];
    for (const { coverage, ...test } of this.tests) {
      const mapped = await createSourceMapStore().transformCoverage(createCoverageMap(coverage ?? {}));
      tests.push({ ...test, lines: this.#linesOf(mapped) });
    }
    writeFileSync(process.env.SLIPWAY_COVERAGE, JSON.stringify(tests));
  }

  #linesOf(map) {
    const lines = {};
    for (const path of map.files()) {
      const { s, statementMap } = map.fileCoverageFor(path);
      const run = new Set();
      for (const [id, hits] of Object.entries(s)) {
        const { start, end } = statementMap[id];
        for (let line = start.line; hits > 0 && line <= end.line; line++) run.add(line);
      }
      if (run.size > 0) lines[relative(this.rootDir, path)] = [...run];
    }
    return lines;
  }
};
