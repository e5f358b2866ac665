/**
 * The task of the tests in this process, set by `runner.cjs`.
 *
 * - `fault`: the key of the fault that is in place
 * - `limit`: how often it may be passed before that counts as a loop without an end
 * - `chosen`: the names of the tests to be run, with their time-outs; all where it is missing
 * - `isObserved`: whether the faults that each test passes are noted
 * - `isReversed`: whether the last test comes first, which those do not survive that need others before them
 */
const none = { fault: "", limit: 0, chosen: undefined, isObserved: false, isReversed: false };

/** The outcome, written by `environment.cjs`. */
const nothing = () => ({ tests: [], outside: {}, failed: undefined, overran: false });

module.exports = { none, task: { ...none }, nothing, outcome: nothing() };
