/**
 * The task of the tests in this process, set by `runner.cjs`.
 *
 * - `fault`: the key of the active fault
 * - `limit`: how often the fault may be reached before this counts as an endless loop
 * - `chosen`: the names of the tests to run, with their time-outs; all tests if it is missing
 * - `isObserved`: whether to record the faults that each test reaches
 * - `isReversed`: whether to run the tests in reverse order, in which tests that depend on earlier tests fail
 */
const none = { fault: "", limit: 0, chosen: undefined, isObserved: false, isReversed: false };

/** The outcome, written by `environment.cjs`. */
const nothing = () => ({ tests: [], outside: {}, failed: undefined, overran: false });

module.exports = { none, task: { ...none }, nothing, outcome: nothing() };
