import { randomBytes } from "node:crypto";
import { Client } from "../../provider/client/client";
import { fetchOnce } from "../../provider/client/http";
import type { ControlClient, RunningServer, SeedDocument, StartOptions } from "../../server/index";
import { snapshotHint } from "../core/account";
import { type Answer, askApi } from "../core/api";
import { UserError } from "../core/errors";
import type { Section } from "../objects";
import { aliasList } from "../objects/alias";
import { domainShape } from "../objects/domain";
import { SnapshotInMemory } from "../snapshot/memory";
import { AccountReader } from "../snapshot/read";
import { withZones } from "./zones";

/** The copy of an account: a server in this process, which ends with the process. */

export type Document = { copyOf: string; copiedAt?: number } & { [S in Section]?: unknown[] };

export interface Copy {
  readonly url: string;
  readonly token: string;
  readonly control: ControlClient;
  /** The copy verifies a new domain at once, because it does not know the domains of other accounts. */
  readonly isHosted: boolean;
  /** All objects of the account in the copy. */
  read(): Promise<AccountState>;
  /** The TXT records that the copy assumed to be published. The list grows during a run. */
  readonly assumedRecords: readonly { domain: string; name: string; value: string }[];
  /** The rows of the document that the copy does not have, and why. */
  readonly leftOut: readonly string[];
  /** All requests that the copy has refused, oldest first. */
  refused(): Promise<Record<string, unknown>[]>;
  events(): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export interface AccountState {
  document: Document;
  /** The deployment that each alias points to. */
  aliases: ReadonlyMap<string, string>;
  /** All deployments, by id. */
  deployments: ReadonlyMap<string, { name: string; target: string; readyState: string }>;
}

const watchMs = 300;
const hostedApi = "api.vercel.com";

interface CopyOptions {
  /** The address of the API that is copied. */
  apiUrl: string;
  account: { team?: string };
  /** True if the token of the copy selects the team. */
  isTeamOfToken?: boolean;
  user: string;
  /** The file of the document; null if it was read from the API. */
  snapshot: { file: string } | null;
}

/** @throws UserError for invalid rows */
export async function startCopy(
  document: Document,
  { apiUrl, account, isTeamOfToken = false, user, snapshot }: CopyOptions,
): Promise<Copy> {
  const { startServer } = require("../../server/index") as {
    startServer(options: StartOptions): Promise<RunningServer>;
  };
  const token = `rehearsal-${randomBytes(18).toString("hex")}`;
  const controlToken = randomBytes(18).toString("hex");
  const owner = account.team === undefined ? { user } : { team: account.team };
  const seed = {
    ...document,
    tokens: [{ token, user, ...(isTeamOfToken && account) }],
    // Connects all providers, because it is unknown which repositories the account may use.
    gitProviders: (["github", "gitlab", "bitbucket"] as const).map((type) => ({ ...owner, type })),
  } as SeedDocument;
  const profile = await profileOf(apiUrl, snapshot !== null);
  const options = { seed, controlToken, developmentAccount: false, ...(profile && { profile }) };
  const server = await startServer(options).catch((error) => {
    if (error?.name !== "SeedError") throw error;
    throw new UserError(
      snapshot === null
        ? `The account cannot be copied: ${error.message}. Write a snapshot with slipway snapshot --with-values, correct it, and rehearse on it with --snapshot.`
        : `${snapshot.file} is not a snapshot: ${error.message}. ${snapshotHint}`,
    );
  });
  const client = new Client({ apiUrl: server.url, token, team: account.team }, { freshMs: 0 });
  const assumedRecords: { domain: string; name: string; value: string }[] = [];
  const pages = async (name: string, query = ""): Promise<Record<string, unknown>[]> => {
    const all: Record<string, unknown>[] = [];
    for (let until: unknown; ; ) {
      const from = until === undefined ? "" : `&until=${encodeURIComponent(String(until))}`;
      const answer = await fetchOnce(`${server.url}/_control/${name}?limit=100${query}${from}`, {
        headers: { authorization: `Bearer ${controlToken}` },
      });
      const page = (await answer.json()) as { pagination: { next: unknown } } & Record<string, unknown>;
      all.push(...(page[name] as Record<string, unknown>[]));
      until = page.pagination.next;
      if (until === null || until === undefined) return all.reverse();
    }
  };
  const watch = setInterval(() => {
    assumePublished().catch(() => {});
  }, watchMs);

  /** Publishes the TXT records of failed verifications. Otherwise, a program that waits for one would never end. */
  async function assumePublished(): Promise<void> {
    for (const { path, resource } of await pages("requests", "&code=missing_txt_record")) {
      if (!String(resource).startsWith("DomainVerification")) continue;
      const at = String(path).replace(/\/verify$/, "");
      const found = await client.send({ method: "GET", path: at, shape: domainShape });
      const [challenge] = found.verification ?? [];
      const name = String(challenge?.domain ?? "");
      if (!challenge || assumedRecords.some(({ domain }) => domain === found.name)) continue;
      assumedRecords.push({ domain: found.name, name, value: challenge.value });
      const values = assumedRecords.filter((record) => record.name === name).map(({ value }) => value);
      await server.control.setTxt(name, ...values);
    }
  }

  return {
    url: server.url,
    token,
    control: server.control,
    isHosted: profile === "hosted",
    assumedRecords,
    leftOut: server.leftOut,
    async read() {
      const { deployments, accountDomains } = await server.control.snapshot();
      const { document, ...state } = await readAccount(client, deployments);
      const zones = new Map(accountDomains.map(({ name, zone }) => [name, zone]));
      return { ...state, document: withZones(document, zones) };
    },
    refused: async () => (await pages("requests")).filter(({ status }) => Number(status) >= 400),
    events: () => pages("events"),
    async close() {
      clearInterval(watch);
      await client.close();
      await server.close();
    },
  };
}

/**
 * The profile of the copy: that of the server that is copied.
 * @param isFromFile true if a file is rehearsed, so that nothing is asked
 * @returns undefined if it is not known
 */
async function profileOf(apiUrl: string, isFromFile: boolean): Promise<StartOptions["profile"]> {
  if (new URL(apiUrl).hostname === hostedApi) return "hosted";
  if (isFromFile) return undefined;
  const body = await askApi({ apiUrl }, "/_health").then(
    (answer) => answer.body,
    () => ({}) as Answer["body"],
  );
  return body.profile === "hosted" || body.profile === "specification" ? body.profile : undefined;
}

/** All objects of an account. @param deployments all deployments of the server */
export async function readAccount(
  client: Client,
  deployments: readonly { id: string; name: string; target: string; readyState: string }[],
): Promise<AccountState> {
  const snapshot = new SnapshotInMemory(client.settings.apiUrl);
  await new AccountReader(client, snapshot, { withValues: true }).read();
  return {
    document: JSON.parse(JSON.stringify(snapshot.document)) as Document,
    aliases: await aliasesOf(client),
    deployments: new Map(deployments.map((deployment) => [deployment.id, deployment])),
  };
}

async function aliasesOf(client: Client): Promise<Map<string, string>> {
  const all = await client.listNow("/v4/aliases", aliasList, (page) => page.aliases, { limit: "100" });
  return new Map(all.flatMap(({ alias, deploymentId }) => (deploymentId ? [[alias, deploymentId]] : [])));
}
