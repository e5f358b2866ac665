import { settingsFrom } from "../../../provider/client/config";
import { UserError } from "../../core/errors";
import { checkAccount } from "../account";
import { ComparedAccount } from "./account";
import { Findings } from "./findings";
import { Reader } from "./reader";
import { startReference } from "./reference";
import { type Comparison, comparisonOf } from "./report";
import { walk } from "./walk";

/**
 * Compares the answers of the account that the environment variables select with the provider and the bundled server.
 * @param progress called with each kind of object
 * @throws UserError if the address, the token or the team is not usable, or nothing can be read; ConfigError
 */
export async function compareAnswers(progress: (kind: string) => void): Promise<Comparison> {
  const problem = (await checkAccount()).find(
    ({ name, state }) => state === "problem" && ["address", "token", "team"].includes(name),
  );
  if (problem) throw new UserError(`${problem.name}: ${problem.found}. ${problem.hint ?? ""}`.trim());
  const reader = new Reader(settingsFrom(() => undefined));
  const findings = new Findings();
  const reference = await startReference();
  try {
    await walk(new ComparedAccount(reader, reference, findings, progress));
  } finally {
    await reference.close();
  }
  const found = comparisonOf(findings, reader.requests);
  if (found.compared.length === 0)
    throw new UserError(
      "The token may read nothing of the account. Give the token a role that may read projects.",
    );
  return found;
}
