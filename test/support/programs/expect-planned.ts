import type { Operation, Plan } from "./run";

/** The operations that a planned one may turn into when some input was unknown. */
const allowed: Record<Operation, readonly (Operation | undefined)[]> = {
  create: ["create"],
  update: ["update", undefined],
  replace: ["replace", "update", undefined],
  delete: ["delete"],
};

/** Expects that exactly the plan was carried out; where inputs were unknown, at most the plan. */
export function expectPlanned(planned: Plan, done: Plan): void {
  if (planned.uncertain.size === 0) {
    expect(done.operations).toEqual(planned.operations);
    return;
  }
  const names = [...new Set([...Object.keys(planned.operations), ...Object.keys(done.operations)])];
  const surprises = names.filter((name) => {
    const operation = planned.operations[name];
    return operation === undefined || !allowed[operation].includes(done.operations[name]);
  });
  const tell = (plan: Plan) => Object.fromEntries(surprises.map((name) => [name, plan.operations[name]]));
  expect(tell(done)).toEqual(tell(planned));
}
