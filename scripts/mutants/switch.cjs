const { appendFileSync, readFileSync } = require("node:fs");
const { join } = require("node:path");

/**
 * The switch of the faults in processes that the tests start. Files in the copy contain the active fault, and record
 * the faults that are reached. In the process of the tests, `environment.cjs` creates the switch.
 */
const folder = join(__dirname, "../..");
const { fault, limit, isObserved } = read();
let passes = 0;
let notes = "";

function read() {
  try {
    return JSON.parse(readFileSync(join(folder, ".task.json"), "utf8"));
  } catch {
    return {};
  }
}

module.exports = {
  isFault(key) {
    if (key !== fault || key === "") return false;
    passes += 1;
    if (passes > limit) throw new Error("the fault is reached in an endless loop");
    return true;
  },
  passed(...keys) {
    if (!isObserved) return;
    if (notes === "") queueMicrotask(write);
    notes += keys.map((key) => `${key}\n`).join("");
  },
};

/** Records the reached faults. As a microtask, it runs before the process can report effects of these lines. */
function write() {
  appendFileSync(join(folder, ".passed"), notes);
  notes = "";
}
