import { z } from "zod";
import type { Client } from "../client/client";
import { anything } from "../client/responses";
import { refuseConfigReference } from "../core/config-reference";
import type { Created } from "../core/definition";
import { listing } from "../core/listing";
import { resource } from "../core/resource";
import { inputsRead } from "../core/settings";
import { isPlain, same } from "../core/values";
import { logEnvironments, logSources, reservedDrainHeaders } from "../vocabulary";
import { projectIdsInput } from "./id-inputs";
import {
  changeOf,
  creation,
  drainList,
  drainPath,
  isLogDrain,
  type RemoteDrain,
  remoteDrain,
  type SettingName,
  settingNames,
  settingsAfter,
  settingsOf,
} from "./log-drain/settings";
import { projectId, receiverUrl } from "./names";

const inputs = z.strictObject({
  /** Name of the drain. */
  name: z.string().min(1).max(256),
  /** URL that receives the log lines: http or https, without a user or password. */
  endpoint: receiverUrl,
  /** Format of a delivery of several log lines. json: one JSON array. ndjson: one JSON object on each line. */
  deliveryFormat: z.enum(["json", "ndjson"]).optional(),
  /** Sources of the log lines. Default: all. */
  sources: z.array(z.enum(logSources)).min(1).max(7).optional(),
  /** Environments whose log lines are sent. */
  environments: z.array(z.enum(logEnvironments)).min(1).max(2).optional(),
  /** Ids of the projects whose log lines are sent. Default: all projects. */
  projectIds: z.array(projectId).min(1).max(50).optional(),
  /** Share of the log lines that is sent, greater than 0 and at most 1. */
  samplingRate: z.number().gt(0).max(1).optional(),
  /** Headers of each delivery, such as an `authorization` header with a token for the receiver. */
  headers: z
    .record(z.string(), z.string().regex(/^[\x20-\x7e]{0,4096}$/, "must be one line of ASCII characters"))
    .optional(),
  /**
   * Secret of at least 32 characters that signs each delivery. The API does not return the secret, so drift of the
   * secret is not detected. If you remove `secret` from the program, the drain keeps the secret.
   */
  secret: z.string().min(32).max(1000).optional(),
});

const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;

const outputs = z.object({
  /** Status of the drain: enabled, disabled, or errored when deliveries fail. */
  status: z.string().nullable(),
});

const filters = z.strictObject({
  /** Only drains that send the log lines of the project with this id. */
  projectId: z.string().optional(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

/**
 * A log drain of the account: an endpoint that receives the log lines of the account's projects.
 * @throws ApiError 400 if the account has too many drains, or if `projectIds` contains a project of another account
 * @source the newest official client: /v1/drains, and the Terraform provider
 */
export const logDrain = resource({
  type: "LogDrain",
  handler: "drain",
  scopes: [],
  importId: "`<id>`",
  inputs,
  outputs,
  traits: {
    secret: ["headers", "secret"],
    defaults: {
      deliveryFormat: "json",
      sources: null,
      environments: [...logEnvironments],
      projectIds: null,
      samplingRate: 1,
      headers: {},
    },
    stable: ["status"],
    computed: ["deliveryFormat", "sources", "environments", "projectIds", "samplingRate"],
    ids: { projectIds: projectIdsInput },
  },
  checks: {
    rules: [
      [
        ({ headers = {} }) => Object.keys(headers).some((name) => !headerName.test(name)),
        "headers must have header names as keys, such as authorization.",
      ],
      [
        ({ headers = {} }) =>
          Object.keys(headers).some((name) => reservedDrainHeaders.includes(name.toLowerCase())),
        "headers must not contain host, content-type and other headers that the service sets. Remove them.",
      ],
      [
        ({ headers = {} }) => Object.entries(headers).flat().join("").length > 8192,
        "headers must have at most 8192 characters together. Shorten them.",
      ],
    ],
    refusals: async (_client, previous, { headers, secret }) => [
      ...(isPlain(headers)
        ? Object.values(headers).flatMap((value) => refuseConfigReference(previous, "headers", value))
        : []),
      ...refuseConfigReference(previous, "secret", secret),
    ],
  },
  ownership: { objects: (_outputs, id) => [id] },
  // The service returns all drains in one page.
  list: listing(filters, async (client, query) => ({
    items: (await drainsOf(client, query)).map(({ id, name }) => ({ id, name })),
  })),

  // Drains have no unique key. After a lost response, an equal drain that was not listed before is taken for the new
  // one, so drains are created one at a time.
  create: ({ client, run, isOthers, warn }, declared) =>
    run.keys.exclusive("drains", async () => {
      const existing = await drainsOf(client);
      const before = new Set(existing.map(({ id }) => id));
      const isTwin = (one: RemoteDrain): boolean => !isOthers(one.id) && isAsDeclared(one, declared);
      const [twin] = existing.filter(isTwin);
      if (twin) warn(twinHint(twin.id));
      const look = async (): Promise<RemoteDrain | undefined> =>
        (await drainsOf(client)).find((one) => !before.has(one.id) && isTwin(one));
      const request = {
        method: "POST",
        path: drainPath(),
        body: creation(settingsAfter(declared), declared.secret),
        shape: remoteDrain,
        secrets: secretsOf(declared),
      } as const;
      return resultOf(await client.create({ request, look, existed: false, mayBeTwice: true }));
    }),

  async read(client, id, state) {
    const remote = await find(client, id);
    const current = settingsOf(remote);
    const now = inputsRead(settingNames, state, { ...current }, (key, declared) =>
      same(declared, current[key]) ? declared : (current[key] ?? null),
    );
    if (state?.secret !== undefined) now.secret = state.secret;
    return { ...resultOf(remote), inputs: now as Partial<Inputs> };
  },

  async update({ client, unsure }, id, state, declared) {
    const remote = await find(client, id);
    // A secret that is removed from the program stays at the service.
    const isChanged = (key: SettingName | "secret"): boolean =>
      declared[key] === undefined && key === "secret"
        ? false
        : (unsure && declared[key] !== undefined) || !same(state[key], declared[key]);
    const after = settingsAfter(declared);
    const wanted = { ...settingsOf(remote) };
    for (const key of settingNames) if (isChanged(key)) Object.assign(wanted, { [key]: after[key] });
    const body = changeOf(wanted, declared.secret, isChanged, remote);
    if (Object.keys(body).length === 0) return resultOf(remote);
    const request = { path: drainPath(id), shape: remoteDrain, secrets: secretsOf(declared) };
    return resultOf(await client.send({ method: "PATCH", body, ...request }));
  },

  async remove({ client }, id) {
    await client.send({ method: "DELETE", path: drainPath(id), shape: anything });
  },
});

/** An interrupted run can leave a drain that no state records. It looks like a drain of another program. */
const twinHint = (id: string): string =>
  `The account already has an equal log drain (${id}), so each log line is delivered twice. If an interrupted run ` +
  "created it, import it, or delete it at the service.";

/** The drains that send logs over HTTP and do not belong to an integration. */
async function drainsOf(
  client: Client,
  query: { projectId?: string | undefined } = {},
): Promise<RemoteDrain[]> {
  const { drains } = await client.send({
    ...{ method: "GET", path: drainPath(), shape: drainList },
    ...(query.projectId !== undefined && { query: { projectId: query.projectId } }),
  });
  return drains.filter(isLogDrain);
}

/** @throws ApiError 404, Error for a drain of another kind */
async function find(client: Client, id: string): Promise<RemoteDrain> {
  const remote = await client.get(drainPath(id), remoteDrain);
  if (isLogDrain(remote)) return remote;
  throw new Error(
    `The drain ${id} does not send logs over HTTP, or belongs to an integration, so Slipway cannot manage it. Manage it at the service.`,
  );
}

function isAsDeclared(remote: RemoteDrain, declared: Inputs): boolean {
  const [current, wanted] = [settingsOf(remote), settingsAfter(declared)];
  return settingNames.every((key) => same(current[key], wanted[key]));
}

/** Texts that messages redact. The endpoint may contain a token of the receiver. */
const secretsOf = ({ endpoint, headers = {}, secret }: Inputs): string[] => [
  endpoint,
  ...Object.values(headers),
  ...(secret === undefined ? [] : [secret]),
];

const resultOf = (remote: RemoteDrain): Created<Outputs> => ({
  id: remote.id,
  accountId: remote.ownerId,
  outputs: { status: remote.status ?? null },
  existing: { ...settingsOf(remote) },
});
