const { appendFileSync, readFileSync } = require("node:fs");
const { join } = require("node:path");

/**
 * The switch of the faults in processes that the tests start: files in the copy tell what is in place and note what
 * is passed. The tests' own is made by `environment.cjs`.
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
    if (passes > limit) throw new Error("the fault is passed over and over");
    return true;
  },
  passed(...keys) {
    if (!isObserved) return;
    if (notes === "") queueMicrotask(write);
    notes += keys.map((key) => `${key}\n`).join("");
  },
};

/** Before anybody hears of what these lines have done. */
function write() {
  appendFileSync(join(folder, ".passed"), notes);
  notes = "";
}
