import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "../support/pages";
import { root } from "../support/server";

/** Messages of Node.js, npm and Pulumi, and status codes. */
const foreign = [
  /^Unknown file extension/,
  /^(EBADENGINE|EACCES|EROFS|\.pulumi)$/,
  /^Cannot find module/,
  /^no resource plugin/,
  /^could not find latest version/,
  /^passphrase must be set$/,
  /^the stack is currently locked$/,
  /^self-signed certificate$/,
  /^(ERESOLVE|typescript@7|@pulumi\/pulumi)$/,
  /^Pulumi SDK has not been installed$/,
  /^4\d\d$/,
];

const sources = ["cli", "provider", "sdk", "server", "scripts"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(ts|mjs)$/.test(name))
      .map((name) => readFileSync(join(root, folder, name), "utf8").replace(/^\s*(\/\/|\/?\*).*$/gm, "")),
  )
  .join("\n");

const quoted = [...textOf("docs/guides/troubleshooting.md").matchAll(/^### (.+)$/gm)].flatMap(
  ([, heading = ""]) => [...heading.matchAll(/`([^`]+)`/g)].map(([, message = ""]) => message),
);

const ours = quoted.filter((message) => !foreign.some((pattern) => pattern.test(message)));

it.each(ours)("a source has the message %s", (message) => {
  expect(sources.includes(message)).toBe(true);
});

it("the page explains messages of other programs too", () => {
  expect(quoted.length).toBeGreaterThan(ours.length);
});
