import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realChangesIn, refusalsIn } from "../../../cli/rehearse/events";
import { fillBinaries, makeHome } from "../../../cli/rehearse/home";
import { refuseOwnCode, refuseVariables } from "../../../cli/rehearse/refusals";
import { built } from "../../support/dist";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-refusals-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (name: string, text: string): string => {
  mkdirSync(join(folder, name, ".."), { recursive: true });
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

describe("a provider by its folder", () => {
  const home = (program: string, allowed: string[] = []) => {
    const target = mkdtempSync(join(folder, "home-"));
    makeHome({ target, program, allowed, environment: { PULUMI_HOME: join(folder, "none"), PATH: "" } });
  };
  it.each([
    ["plugins", "plugins: { providers: [{ name: aws, path: ../aws }] }"],
    ["packages", "packages: { aws: ./aws }"],
    ["packages without a dot", "packages: { aws: local/aws }"],
    ["packages with a source", "packages: { aws: { source: local/aws } }"],
    ["the host of dynamic resources", "plugins: { providers: [{ name: pulumi-nodejs, path: ./x }] }"],
  ])("in %s is refused, also from a folder below", (what, text) => {
    put("app/Pulumi.yaml", `name: app\nruntime: yaml\n${text}\n`);
    mkdirSync(join(folder, "app/deep/er"), { recursive: true });
    mkdirSync(join(folder, "app/local/aws"), { recursive: true });
    const name = what.startsWith("the host") ? "pulumi-nodejs" : "aws";
    for (const program of ["app", "app/deep/er"]) {
      expect(() => home(join(folder, program))).toThrow(`add --allow ${name}`);
      expect(() => home(join(folder, program), [name])).not.toThrow();
    }
  });
});

it.each([
  ["index.ts", "new pulumi.dynamic.Resource(p, 'a', {})", "pulumi-nodejs"],
  ["lib/own.mts", 'import { Resource } from "@pulumi/pulumi/dynamic";', "pulumi-nodejs"],
  ["__main__.py", "from pulumi import dynamic", "pulumi-python"],
  ["index.js", "new pulumi.ResourceHook('after', run)", "hooks"],
  ["main.go", 'ctx.RegisterResourceHook("after", run, nil)', "hooks"],
])("code of the program in %s that would run for real is refused", (name, text, allow) => {
  put(name, text);
  expect(() => refuseOwnCode(folder, [])).toThrow(new RegExp(`${name}.*--allow ${allow}\\.`));
  expect(() => refuseOwnCode(folder, [allow])).not.toThrow();
});

it("code that is no program is not refused", () => {
  put("README.md", "new pulumi.dynamic.Resource()");
  put("node_modules/x/index.js", "new pulumi.dynamic.Resource()");
  expect(() => refuseOwnCode(folder, [])).not.toThrow();
});

it.each([
  "PULUMI_DEBUG_PROVIDERS",
  "PULUMI_DEBUG_LANGUAGES",
  "PULUMI_OPTION_CWD",
  "PULUMI_OPTION_STACK",
  "PULUMI_OPTION_CONFIG_FILE",
  "PULUMI_OPTION_CLIENT",
  "PULUMI_OPTION_EVENT_LOG",
  "PULUMI_OPTION_REMOVE",
  "PULUMI_OPTION_REMOTE_GIT_BRANCH",
])("the variable %s is refused", (name) => {
  expect(() => refuseVariables({ [name]: "x" })).toThrow(name);
  expect(() => refuseVariables({ [name]: "", PULUMI_OPTION_COLOR: "never" })).not.toThrow();
});

describe("the guard", () => {
  const run = (file: string, allow = "") => {
    const env = { ...process.env, NODE_OPTIONS: "", SLIPWAY_REHEARSAL_ALLOW: allow };
    try {
      return execFileSync(process.execPath, ["--require", built("cli/rehearse/guard.js"), file], {
        ...{ env, encoding: "utf8", stdio: "pipe" },
      });
    } catch (error) {
      return String((error as { stderr: string }).stderr);
    }
  };
  const compile = (text: string) =>
    `const Module = require("node:module"); const m = new Module(""); m.paths = [];
     m._compile(${JSON.stringify(text)}, ""); console.log("ran");`;

  it("refuses the provider of a dynamic resource of the program", () => {
    const file = put("cmd/dynamic-provider/index.js", compile("exports.handler = () => ({})"));
    expect(run(file)).toContain("add --allow pulumi-nodejs");
    expect(run(file, "pulumi-nodejs")).toBe("ran\n");
  });

  it.each([
    "module.exports=require('slipway/dynamic').project;module.exports.create=()=>{}",
    "module.exports=require('slipway/dynamic').project.create",
    "globalThis.ran=1;module.exports=require('slipway/dynamic').project",
    "module.exports=require('./slipway/dynamic').project",
  ])("refuses a provider that only resembles that of Slipway: %s", (text) => {
    const file = put("cmd/dynamic-provider/index.js", compile(text));
    expect(run(file)).toContain("add --allow pulumi-nodejs");
  });

  it("runs the provider of Slipway, and texts in other processes", () => {
    const own = "module.exports=require('slipway/dynamic').project";
    const file = put("cmd/dynamic-provider/index.js", compile(own));
    expect(run(file)).toContain("Cannot find module 'slipway/dynamic'");
    expect(run(put("other.js", compile("exports.handler = () => ({})")))).toBe("ran\n");
  });

  it("refuses resource hooks", () => {
    put(
      "node_modules/@pulumi/pulumi/resource.js",
      "exports.ResourceHook = class { constructor(n) { this.n = n; } }",
    );
    const file = put(
      "index.js",
      `const { ResourceHook } = require("@pulumi/pulumi/resource.js"); console.log(new ResourceHook("h").n);`,
    );
    expect(run(file)).toContain('does not run the resource hook "h"');
    expect(run(file, "hooks")).toBe("h\n");
  });
});

it("the host of dynamic resources in Python refuses", () => {
  fillBinaries(folder, []);
  expect(() => execFileSync(join(folder, "pulumi-resource-pulumi-python"), { stdio: "pipe" })).toThrow(
    "add --allow pulumi-python",
  );
});

describe("the event log", () => {
  const log = (...events: object[]) =>
    put("events.json", events.map((event) => JSON.stringify(event)).join("\n"));
  const secret = {
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    ciphertext: "[secret]",
  };
  const stepOf = (type: string, inputs: object) => ({
    resourcePreEvent: {
      metadata: { op: "create", urn: "urn::a::b::d", type: `slipway:index:${type}`, new: { inputs } },
    },
  });
  const error = {
    diagnosticEvent: {
      urn: "urn::a::b::d",
      severity: "error",
      message: "POST /x: 400 bad_request: no canary",
    },
  };

  it("shows no message about a resource with inputs that the program declares as secret", () => {
    const [refusal] = refusalsIn(log(stepOf("ProjectDomain", { name: secret, project: "p" }), error));
    expect(refusal).toEqual({
      resource: "d",
      message: "400 bad_request. The message is hidden, because name is secret.",
    });
    const [usual] = refusalsIn(log(stepOf("EnvVar", { value: secret }), error));
    expect(usual?.message).toBe("POST /x: 400 bad_request: no canary");
  });

  it("lists the resources of allowed providers that changed", () => {
    const done = (op: string, type: string) => ({
      resOutputsEvent: { metadata: { op, type, urn: `urn::a::b::${op}` } },
    });
    const file = log(
      done("create", "aws:s3:Bucket"),
      done("same", "aws:s3:Bucket"),
      done("create", "slipway:index:Project"),
    );
    expect(realChangesIn(file, ["aws"])).toEqual([
      { effect: "create", type: "aws:s3:Bucket", resource: "create" },
    ]);
    expect(realChangesIn(file, [])).toEqual([]);
  });
});
