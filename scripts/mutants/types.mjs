import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { localFolder, root } from "../setup/paths.mjs";
import { CommandError } from "../setup/run.mjs";

/** The type checker, kept in memory. For a fault, it checks only dependent files. Its first result is stored. */
class Checker {
  #texts = new Map();
  #files = new Map();
  #config = ts.getParsedCommandLineOfConfigFile(
    join(root, "tsconfig.json"),
    { incremental: true, tsBuildInfoFile: join(localFolder, "mutants/types.tsbuildinfo") },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic() {} },
  );
  #host = this.#hostOf();
  #sound;

  /** @param {import("./draw.mjs").Mutant} mutant */
  complainsOf({ file, from, to, replacement }) {
    this.#sound ??= this.#withoutFault();
    const path = join(root, file);
    const source = readFileSync(path, "utf8");
    this.#texts.set(path, source.slice(0, from) + replacement + source.slice(to));
    try {
      return this.#checked(this.#sound).diagnostics.length > 0;
    } finally {
      this.#texts.delete(path);
    }
  }

  #withoutFault() {
    const { builder, diagnostics } = this.#checked(ts.readBuilderProgram(this.#config.options, this.#host));
    if (diagnostics.length > 0)
      throw new CommandError("The sources have type errors without any fault. Run npm run check.");
    builder.emitBuildInfo?.() ?? builder.emit();
    return builder;
  }

  #checked(before) {
    const builder = ts.createSemanticDiagnosticsBuilderProgram(
      this.#config.fileNames,
      this.#config.options,
      this.#host,
      before,
    );
    const diagnostics = [...builder.getSyntacticDiagnostics()];
    for (;;) {
      const next = builder.getSemanticDiagnosticsOfNextAffectedFile();
      if (!next) return { builder, diagnostics };
      diagnostics.push(...next.result);
    }
  }

  #hostOf() {
    const host = ts.createIncrementalCompilerHost(this.#config.options);
    const { readFile, getSourceFile } = host;
    host.readFile = (path) => this.#texts.get(path) ?? readFile.call(host, path);
    host.getSourceFile = (path, ...rest) => {
      if (this.#texts.has(path)) return getSourceFile.call(host, path, ...rest);
      if (!this.#files.has(path)) this.#files.set(path, getSourceFile.call(host, path, ...rest));
      return this.#files.get(path);
    };
    return host;
  }
}

/** The type checker in a separate process, so that tests continue while it works for some seconds. */
export class Types {
  #process;
  #last = Promise.resolve();

  /** @param {import("./draw.mjs").Mutant} mutant */
  async complainsOf(mutant) {
    const before = this.#last;
    const answer = before.then(() => this.#ask(mutant));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async #ask(mutant) {
    this.#process ??= fork(fileURLToPath(import.meta.url), ["--serve"]);
    this.#process.send(mutant);
    const [answer] = await Promise.race([once(this.#process, "message"), once(this.#process, "exit")]);
    if (typeof answer !== "boolean") throw new CommandError("The type checker has ended. Run npm run check.");
    return answer;
  }

  close() {
    this.#process?.kill();
  }
}

if (process.argv[2] === "--serve") {
  const checker = new Checker();
  process.on("message", (mutant) => process.send(checker.complainsOf(mutant)));
  process.on("disconnect", () => process.exit());
}
