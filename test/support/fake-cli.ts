import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** A resource in a state. */
interface Recorded {
  type: string;
  name: string;
  id?: string;
  outputs: object;
  /** It is only read. */
  external?: boolean;
  /** Its replacement was not ended. */
  pendingReplacement?: boolean;
  /** It is the old half of a replacement. */
  delete?: boolean;
  /** The URN and the id of its provider. */
  provider?: string;
}

/** The ignored inputs of resources, by URN. */
type Ignored = ReadonlyMap<string, readonly string[]>;

/** Stands in for the CLI where a test is the engine: `pulumi stack export` prints what the test has recorded. */
export class FakeCli {
  private readonly folder = mkdtempSync(join(tmpdir(), "slipway-cli-"));
  /** A PATH on which it comes first. */
  readonly path = [this.folder, process.env.PATH].join(delimiter);

  constructor() {
    this.print('echo "error: no stack is selected" >&2; exit 255');
  }

  /**
   * @param pending URNs of the steps that are under way
   * @param stack the only name by which it knows the stack; by default it knows it by any
   * @param ignoreChanges what the pending steps ignore, all of them or by URN
   * @param version that of the CLI
   */
  record(
    resources: readonly Recorded[],
    pending: readonly string[],
    stack?: string,
    {
      ignoreChanges = [],
      version = "v3.276.0",
    }: { ignoreChanges?: readonly string[] | Ignored; version?: string } = {},
  ): void {
    const ignored = (urn: string): readonly string[] =>
      "get" in ignoreChanges ? (ignoreChanges.get(urn) ?? []) : ignoreChanges;
    const deployment = {
      manifest: { version },
      resources: resources.map(({ type, name, ...rest }) => ({
        urn: urnOf(type, name),
        type: tokenOf(type),
        ...rest,
      })),
      pending_operations: pending.map((urn) => ({
        type: "creating",
        resource: { urn, ...(ignored(urn).length > 0 && { ignoreChanges: ignored(urn) }) },
      })),
    };
    this.write("state.json", JSON.stringify({ version: 3, deployment }));
    const refused =
      stack === undefined ? "" : `[ "$4" = ${stack} ] || { echo "error: no project" >&2; exit 255; }; `;
    this.print(`${refused}exec cat "$(dirname "$0")/state.json"`);
  }

  private print(line: string): void {
    this.write("pulumi", `#!/bin/sh\n${line}\n`);
  }

  /** Writes a file in one step, since it may be read or run meanwhile. */
  private write(name: string, text: string): void {
    const file = join(this.folder, name);
    writeFileSync(`${file}.new`, text, { mode: 0o755 });
    renameSync(`${file}.new`, file);
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const tokenOf = (type: string): string => (type.includes(":") ? type : `slipway:index:${type}`);

export const urnOf = (type: string, name = "it"): string =>
  `urn:pulumi:test::test::${tokenOf(type)}::${name}`;
