import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Discovered } from "../../../cli/import/declare";
import { pluginFiles } from "../../../cli/import/files";
import { runtimeIn, yamlConfigValue } from "../../../cli/import/runtime";
import { awkwardValues } from "../../support/awkward-values";

/** The text that YAML makes of a value in the configuration; undefined for another type. */
function readByYaml(text: string): string | undefined {
  const isNumber = text.trim() === text && text !== "" && !Number.isNaN(Number(text));
  if (isNumber || /^(t|f|true|false|nan|inf)$/i.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : undefined;
  } catch {
    return text;
  }
}

it.each(awkwardValues.map((value) => [value.slice(0, 40), value]))(
  "stores %j as a text for YAML",
  (_, value) => {
    expect(readByYaml(yamlConfigValue(value))).toBe(value);
  },
);

it("writes a script that gives the CLI every byte of every value", () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-script-"));
  try {
    const found = awkwardValues.map((value, at): Discovered => {
      const name = `v${at}`;
      const inputs = { project: "web", key: name, value };
      return {
        ...{ type: "EnvVar", name, id: `prj_1/${name}`, projectId: "prj_1", inputs },
        ...{ state: {}, secret: ["value"], unreadable: [] },
      };
    });
    // Like the CLI, removes one line break at the end. The fifth argument is the key.
    const cli = '#!/bin/sh\nnode -e "$STORE" "$5"\n';
    writeFileSync(join(folder, "pulumi"), cli, { mode: 0o755 });
    const store =
      'const { readFileSync, writeFileSync } = require("node:fs");' +
      'writeFileSync(process.argv[1], readFileSync(0, "utf8").replace(/\\n$/, ""));';
    const PATH = [folder, join(process.execPath, ".."), process.env.PATH].join(delimiter);
    const { status } = spawnSync("sh", ["-s"], {
      input: pluginFiles(found).secrets,
      cwd: folder,
      env: { PATH, STORE: store },
    });
    expect(status).toBe(0);
    const stored = found.map(({ name }) => readFileSync(join(folder, `imported-${name}`), "utf8"));
    expect(stored).toEqual(awkwardValues);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("finds the runtime of the project in a folder or above it", () => {
  const root = mkdtempSync(join(tmpdir(), "slipway-runtime-"));
  try {
    mkdirSync(join(root, "a/b"), { recursive: true });
    writeFileSync(join(root, "a/Pulumi.yaml"), "name: a\nruntime: { name: python }\n");
    expect([runtimeIn(join(root, "a/b")), runtimeIn(root, join(root, "a"))]).toEqual(["python", "python"]);
    writeFileSync(join(root, "a/b/Pulumi.yml"), "name: b\nruntime: yaml\n");
    expect([runtimeIn(join(root, "a/b")), runtimeIn(root)]).toEqual(["yaml", undefined]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

it.each(["pulumi", "null", "true", "007", "1e3"])(
  "renames a resource named %s for a generated program",
  (name) => {
    const one: Discovered = {
      ...{ type: "Project", name, id: "prj_1", projectId: "prj_1", inputs: { name } },
      ...{ state: {}, secret: [], unreadable: [] },
    };
    const { resources } = JSON.parse(pluginFiles([one]).importFile) as { resources: object[] };
    expect(resources).toMatchObject([{ name: `resource-${name}`, inputs: { name } }]);
  },
);
