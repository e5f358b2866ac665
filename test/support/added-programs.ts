import { readFileSync } from "node:fs";
import type { Stack } from "./pulumi";
import { root } from "./server";

const { devDependencies } = require(`${root}/package.json`);

/** The version of Pulumi that the example is tested with. */
const [pulumiForGo = ""] =
  /github\.com\/pulumi\/pulumi\/sdk\/v3 v[\d.]+/.exec(readFileSync(`${root}/examples/go/go.mod`, "utf8")) ??
  [];

/** Projects that do not know Slipway yet, and the file that a page's program replaces once `pulumi package add` ran. */
export const added: Record<string, { files: Record<string, string>; main: string }> = {
  typescript: {
    files: {
      "Pulumi.yaml": "runtime: nodejs\n",
      "package.json": JSON.stringify({
        dependencies: { "@pulumi/pulumi": devDependencies["@pulumi/pulumi"] },
        devDependencies: { typescript: devDependencies.typescript },
      }),
      "index.ts": "",
    },
    main: "index.ts",
  },
  python: {
    files: {
      "Pulumi.yaml": "runtime: { name: python, options: { toolchain: pip, virtualenv: venv } }\n",
      "requirements.txt": "pulumi>=3,<4\n",
      "__main__.py": "",
    },
    main: "__main__.py",
  },
  go: {
    files: {
      "Pulumi.yaml": "runtime: go\n",
      "go.mod": `module program\n\ngo 1.25\n\nrequire ${pulumiForGo}\n`,
      "main.go": `package main

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

func main() { pulumi.Run(func(*pulumi.Context) error { return nil }) }
`,
    },
    main: "main.go",
  },
};

/** Writes files into the folder of a stack. */
export function writeFiles(stack: Stack, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files))
    stack.file(name, name === "Pulumi.yaml" ? `name: ${stack.name}\n${text}` : text);
}
