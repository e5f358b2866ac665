import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { localFolder, root } from "../setup/paths.mjs";

/** The results of a run, kept in `.slipway/mutants/`, so that a stopped run can continue. */
export class Results {
  #file;
  #observations;
  #verdicts = new Map();

  constructor(area, seed) {
    const folder = join(localFolder, "mutants");
    mkdirSync(folder, { recursive: true });
    this.#file = join(folder, `${area}-${seed}.jsonl`);
    this.#observations = join(folder, `${area}-${seed}-observed.json`);
    if (!existsSync(this.#file)) return;
    for (const line of readFileSync(this.#file, "utf8").split("\n")) {
      if (line === "") continue;
      const verdict = JSON.parse(line);
      this.#verdicts.set(verdict.key, verdict);
    }
  }

  get path() {
    return this.#file;
  }

  of({ key }) {
    return this.#verdicts.get(key);
  }

  add(verdict) {
    this.#verdicts.set(verdict.key, verdict);
    appendFileSync(this.#file, `${JSON.stringify(verdict)}\n`);
  }

  /** @returns the stored observations, if sources, tests and faults have not changed; otherwise the result of `observe` */
  async observed(folders, mutants, observe) {
    const hash = createHash("sha256").update(JSON.stringify(mutants.map(({ key }) => key)));
    for (const folder of folders) {
      for (const name of readdirSync(join(root, folder), { recursive: true }).sort()) {
        if (/\.(c|m)?[jt]s$/.test(name)) hash.update(name).update(readFileSync(join(root, folder, name)));
      }
    }
    const of = hash.digest("hex");
    const before = existsSync(this.#observations) && JSON.parse(readFileSync(this.#observations, "utf8"));
    if (before?.of === of) return before.observed;
    const observed = await observe();
    writeFileSync(this.#observations, JSON.stringify({ of, observed }));
    return observed;
  }
}
