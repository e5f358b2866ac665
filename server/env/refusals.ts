import {
  disagreement,
  type EnvProblem,
  locked,
  missing,
  productionBranch,
  productionDenied,
  rules,
  unknownEnvironment,
} from "./rules";
import { tooLarge, tooMany } from "./totals";

/** The refusals of variables, for `throws` of routes. */

type Known = readonly [status: number, code: string, when: string];

const ofRule = ([code, message]: readonly [string, string, unknown]): Known => [400, code, message];
const ofProblem = ({ status, code, message }: EnvProblem): Known => [status, code, message];

const ofAll = [
  ...rules.map(ofRule),
  ...[unknownEnvironment, productionBranch, tooMany, tooLarge, productionDenied].map(ofProblem),
];

/** Of a new variable. */
export const refusedWhenNew: readonly Known[] = [...missing.map(ofRule), ...ofAll];

/** Of an edit. */
export const refusedWhenEdited: readonly Known[] = [ofRule(disagreement), ofProblem(locked), ...ofAll];
