const { readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { TestEnvironment } = require("jest-environment-node");
const { task, outcome } = require("./task.cjs");

const notes = join(__dirname, "../../.passed");

/** Runs the tests with the task's fault until one fails. With `isObserved`, records the faults that tests reach. */
module.exports = class FaultyEnvironment extends TestEnvironment {
  #names = new Map();
  /**
   * How often the current test reaches each fault. `outcome.outside` has the faults that are reached outside of tests.
   */
  #inside;
  #passes = 0;
  #isOver = false;

  async setup() {
    await super.setup();
    this.global.faultSwitch = {
      isFault: (key) => key !== "" && key === task.fault && this.#pass(),
      passed: (...keys) => {
        if (task.isObserved) for (const key of keys) add(this.#inside ?? outcome.outside, key);
      },
    };
  }

  #pass() {
    // Work that continues after the last test belongs to no test.
    if (this.#isOver) return false;
    this.#passes += 1;
    if (this.#passes <= task.limit) return true;
    outcome.overran = true;
    throw new Error("the fault is reached in an endless loop");
  }

  handleTestEvent(event, { rootDescribeBlock }) {
    const steps = {
      run_start: () => this.#order(rootDescribeBlock),
      test_start: () => this.#start(event.test),
      test_skip: () => this.#note(undefined),
      test_done: () => this.#end(event.test),
      run_finish: () => this.#note(undefined),
    };
    steps[event.name]?.();
  }

  /** Selects the tests to run, and their order, before the first test. */
  #order(root) {
    if (task.isReversed) reverse(root);
    this.#names = namesOf(root);
    const { chosen } = task;
    const there = new Set(this.#names.values());
    // A fault can change the names of tests. Then all tests run.
    if (!chosen || Object.keys(chosen).some((name) => !there.has(name))) return;
    for (const [test, name] of this.#names) {
      if (!(name in chosen)) test.mode = "skip";
      else test.timeout = chosen[name];
    }
  }

  #start(test) {
    if (outcome.failed && !task.isObserved) test.mode = "skip";
    this.#note({});
  }

  #end(test) {
    const passed = this.#inside;
    this.#note(undefined);
    const name = this.#names.get(test);
    const [error] = test.errors.flat();
    if (error) outcome.failed ??= { name, message: String(error.message ?? error) };
    outcome.tests.push({ name, durationMs: test.duration ?? 0, isFailed: error !== undefined, passed });
  }

  /** Records the faults that were reached until now, also in other processes. @param next records the later faults */
  #note(next) {
    if (task.isObserved) {
      const passed = this.#inside ?? outcome.outside;
      for (const key of readFileSync(notes, "utf8").split("\n")) if (key !== "") add(passed, key);
      writeFileSync(notes, "");
    }
    this.#inside = next;
  }

  async teardown() {
    this.#isOver = true;
    await super.teardown();
  }
};

function add(passed, key) {
  passed[key] = (passed[key] ?? 0) + 1;
}

function reverse(block) {
  block.children.reverse();
  for (const child of block.children) if (child.type === "describeBlock") reverse(child);
}

/** Each test with its full name. Equal names are numbered. */
function namesOf(root) {
  const names = new Map();
  const seen = new Map();
  const walk = (block, path) => {
    for (const child of block.children) {
      const name = [...path, child.name].join(" › ");
      if (child.type === "describeBlock") {
        walk(child, [...path, child.name]);
        continue;
      }
      seen.set(name, (seen.get(name) ?? 0) + 1);
      names.set(child, seen.get(name) > 1 ? `${name} (${seen.get(name)})` : name);
    }
  };
  walk(root, []);
  return names;
}
