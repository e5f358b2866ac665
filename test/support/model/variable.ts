import type { Outcome } from "./model";

/** A variable as a request has it. */
export interface Draft {
  key: string;
  value: string;
  type?: string;
  target: string[];
  gitBranch?: string | null;
  comment?: string | null;
}

export interface Variable extends Draft {
  id: string;
  type: string;
  gitBranch: string | null;
  comment: string | null;
}

const refused = (code: string): Outcome => ({ status: 400, code });

/** Why no project takes a variable, or none that is linked to a repository. */
export function refuseInvalid(
  { key, type, target, gitBranch }: Variable,
  linked: boolean,
): Outcome | undefined {
  if (key === "") return refused("KEY_INVALID_LENGTH");
  if (/^\d|\W/.test(key)) return refused("KEY_INVALID_CHARACTERS");
  if (key === "TZ") return refused("KEY_RESERVED");
  if (target.length === 0) return refused("MISSING_TARGET");
  if (type === "sensitive" && target.includes("development")) return refused("BAD_REQUEST");
  if (gitBranch === null) return undefined;
  if (target.length !== 1 || target[0] !== "preview") return refused("BAD_REQUEST");
  return linked && gitBranch === "main" ? refused("BAD_REQUEST") : undefined;
}
