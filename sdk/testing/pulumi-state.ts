import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The variables with which the Pulumi CLI keeps the state of its stacks in a folder, without an account or a question. */
export interface PulumiVariables {
  [name: string]: string;
  PULUMI_BACKEND_URL: string;
  PULUMI_CONFIG_PASSPHRASE: string;
}

/** The state of the stacks of a test file: a temporary folder, which is created when the variables are first read. */
export class PulumiState {
  private folder: string | undefined;

  variables(): PulumiVariables {
    this.folder ??= mkdtempSync(join(tmpdir(), "slipway-testing-"));
    return {
      PULUMI_BACKEND_URL: pathToFileURL(this.folder).href,
      // The secrets of a test are in its source.
      PULUMI_CONFIG_PASSPHRASE: "test",
      PULUMI_SKIP_UPDATE_CHECK: "true",
    };
  }

  /** Removes all stacks. The variables stay valid. */
  clear(): void {
    if (this.folder === undefined) return;
    this.remove(this.folder);
    mkdirSync(this.folder, { mode: 0o700 });
  }

  /** Removes the folder. */
  close(): void {
    if (this.folder !== undefined) this.remove(this.folder);
    this.folder = undefined;
  }

  private remove(folder: string): void {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
