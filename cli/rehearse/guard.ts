import Module from "node:module";
import { sep } from "node:path";

/**
 * Loaded into every Node.js process of a rehearsal (NODE_OPTIONS). Refuses code of the program that would run for real:
 * dynamic resources of the program or of its packages, and resource hooks. It has no imports of its own, because it
 * runs beside any version of the program's packages.
 */

/** Words of `--allow`, which turn a refusal off. */
const allowed = (process.env.SLIPWAY_REHEARSAL_ALLOW ?? "").split(",");

/** The text in `__provider` of Slipway's own dynamic resources. */
const ownProvider = /^module\.exports=require\('slipway\/dynamic'\)\.\w+$/;
const resourceModule = ["@pulumi", "pulumi", "resource.js"].join(sep);

interface Compiler {
  exports: Record<string, unknown>;
  _compile(code: string, filename: string, ...rest: unknown[]): unknown;
}
const prototype = Module.prototype as unknown as Compiler;
const compile = prototype._compile;

prototype._compile = function (this: Compiler, code, filename, ...rest) {
  // The host of dynamic resources compiles the text of a provider without a file name.
  const isProvider = filename === "" && /cmd[\\/]dynamic-provider/.test(process.argv[1] ?? "");
  if (isProvider && !allowed.includes("pulumi-nodejs") && !ownProvider.test(code))
    throw new Error(
      "A rehearsal does not run dynamic resources of the program, because they would change for real. " +
        "If they may change, add --allow pulumi-nodejs.",
    );
  const result = compile.call(this, code, filename, ...rest);
  if (filename.endsWith(resourceModule) && !allowed.includes("hooks")) refuseHooks(this);
  return result;
};

function refuseHooks({ exports }: Compiler): void {
  const Original = exports.ResourceHook as (new (...args: unknown[]) => object) | undefined;
  if (typeof Original !== "function") return;
  exports.ResourceHook = class extends Original {
    constructor(name: unknown, ...rest: unknown[]) {
      if (!allowed.includes("hooks"))
        throw new Error(
          `A rehearsal does not run the resource hook ${JSON.stringify(name)}, because it could change something for ` +
            "real. If it may run, add --allow hooks.",
        );
      super(name, ...rest);
    }
  };
}
