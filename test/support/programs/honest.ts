import type { Operation, Plan } from "./run";

/** What may come of what was planned while some input was not known. */
const contained: Record<Operation, readonly (Operation | undefined)[]> = {
  create: ["create"],
  update: ["update", undefined],
  replace: ["replace", "update", undefined],
  delete: ["delete"],
};

/** Expects of a plan that it is what was done; where inputs were not known, that it contains it. */
export function honest(planned: Plan, done: Plan): void {
  if (planned.uncertain.size === 0) {
    expect(done.operations).toEqual(planned.operations);
    return;
  }
  const names = [...new Set([...Object.keys(planned.operations), ...Object.keys(done.operations)])];
  const surprises = names.filter((name) => {
    const operation = planned.operations[name];
    return operation === undefined || !contained[operation].includes(done.operations[name]);
  });
  const tell = (plan: Plan) => Object.fromEntries(surprises.map((name) => [name, plan.operations[name]]));
  expect(tell(done)).toEqual(tell(planned));
}
