import { createHash, randomInt } from "node:crypto";
import { z } from "zod";
import type { Client } from "../../client/client";
import { isConflict, isNotFound } from "../../client/errors";
import { projectPath } from "../../client/paths";
import * as responses from "../../client/responses";
import { isPlain, own } from "../../core/values";

/**
 * Labels exist only in the program, because the service has no names for secrets. Other secrets of the project are not
 * changed.
 * @source Projects, PATCH /v1/projects/{idOrName}/protection-bypass; wire-shapes 7
 */
export const bypassInput = z.record(
  z.string().min(1),
  z.strictObject({
    /** The secret: 32 letters and digits. Default: a generated secret. */
    secret: z
      .string()
      .regex(/^[a-zA-Z0-9]{32}$/, "must be 32 letters and digits")
      .optional(),
    /** Any text. Changing this text replaces a generated secret with a new one. */
    rotation: z.string().optional(),
    /** Description of the secret, which Vercel stores with the secret. */
    note: z.string().max(100).optional(),
    /**
     * Whether deployments get this secret in the variable VERCEL_AUTOMATION_BYPASS_SECRET. Only one secret can be true;
     * false leaves the choice to Vercel.
     */
    isEnvVar: z.boolean().optional(),
  }),
);

type Bypass = z.output<typeof bypassInput>;
type Secrets = Record<string, string>;

/** Returns the managed secrets that the project still has. */
export function storedBypass(remote: responses.Project, secrets: Secrets): Secrets {
  const stored = remote.protectionBypass ?? {};
  return Object.fromEntries(Object.entries(secrets).filter(([, secret]) => Object.hasOwn(stored, secret)));
}

/** Returns the declared secrets that the project still has, with their notes and the variable at the service. */
export function notedBypass(remote: responses.Project, declared: Bypass, secrets: Secrets): Bypass {
  const stored = Object.entries(declared).filter(([label]) => Object.hasOwn(secrets, label));
  return Object.fromEntries(
    stored.map(([label, { note, isEnvVar, ...one }]) => [
      label,
      {
        ...one,
        ...(note !== undefined && { note: noteOf(remote, secrets[label] ?? "") }),
        ...(isEnvVar !== undefined && { isEnvVar: isEnvVar && isVariable(remote, secrets[label] ?? "") }),
      },
    ]),
  );
}

const noteOf = ({ protectionBypass }: responses.Project, secret: string): string => {
  const stored = protectionBypass?.[secret];
  return isPlain(stored) && typeof stored.note === "string" ? stored.note : "";
};

const isVariable = ({ protectionBypass }: responses.Project, secret: string): boolean => {
  const stored = protectionBypass?.[secret];
  return isPlain(stored) && stored.isEnvVar === true;
};

/**
 * Applies the declared bypass secrets. New secrets are added before old ones are revoked.
 * Slipway generates secrets, not the service, so that a retry cannot create a second secret. A generated secret begins
 * with a prefix derived from its label, so that a later run finds the secret of a killed run.
 */
export async function applyBypass(
  client: Client,
  remote: responses.Project,
  {
    protectionBypass: before = {},
    bypassSecrets: secrets = {},
  }: { protectionBypass?: Bypass | undefined; bypassSecrets?: Secrets | undefined },
  declared: Bypass,
  checkpoint: (secrets: Secrets) => void,
): Promise<Secrets> {
  const wanted = wantedSecrets(remote, before, secrets, declared);
  const existing = remote.protectionBypass ?? {};
  const kept = new Set(Object.values(wanted));
  const old = Object.entries(secrets).filter(([, secret]) => !kept.has(secret));
  for (const secret of [...kept].filter((one) => !Object.hasOwn(existing, one))) {
    // Until the old secrets are revoked, the state has them under `label~`.
    checkpoint({ ...Object.fromEntries(old.map(([label, secret]) => [`${label}~`, secret])), ...wanted });
    await send(client, remote.id, { generate: { secret } }, secret, isConflict);
  }
  for (const [label, secret] of Object.entries(wanted)) {
    const changes = changesOf(remote, secret, own(declared, label), own(before, label));
    if (Object.keys(changes).length === 0) continue;
    await send(client, remote.id, { update: { secret, ...changes } }, secret, () => false);
  }
  for (const [, secret] of old) {
    await send(client, remote.id, { revoke: { secret, regenerate: false } }, secret, isNotFound);
  }
  return wanted;
}

/** Changes of a secret that the project has. A note that was removed from the program is cleared. */
function changesOf(
  remote: responses.Project,
  secret: string,
  declared: Bypass[string] | undefined,
  before: Bypass[string] | undefined,
): { note?: string; isEnvVar?: true } {
  const note = declared?.note ?? (before?.note === undefined ? undefined : "");
  return {
    ...(note !== undefined && note !== noteOf(remote, secret) && { note }),
    ...(declared?.isEnvVar && !isVariable(remote, secret) && { isEnvVar: true }),
  };
}

/** The secrets by label: declared secrets, secrets that stay, secrets that a killed run created, or new ones. */
function wantedSecrets(
  { id, protectionBypass = {} }: responses.Project,
  before: Bypass,
  secrets: Secrets,
  declared: Bypass,
): Secrets {
  const wanted = Object.entries(declared).map(([label, { secret, rotation }]) => {
    const last = own(before, label);
    const stays = last?.secret === undefined && last?.rotation === rotation;
    const prefix = prefixOf(id, label, rotation);
    const lost = Object.keys(protectionBypass ?? {}).find((one) => one.startsWith(prefix));
    return [label, secret ?? (stays ? own(secrets, label) : undefined) ?? lost ?? generate(prefix)];
  });
  return Object.fromEntries(wanted);
}

/** @param isDone true for an error which shows that an earlier attempt has succeeded */
async function send(
  client: Client,
  id: string,
  body: object,
  secret: string,
  isDone: (error: unknown) => boolean,
): Promise<void> {
  const path = `${projectPath(id, "v1")}/protection-bypass`;
  try {
    await client.send({ method: "PATCH", path, body, shape: responses.bypass, secrets: [secret] });
  } catch (error) {
    if (!isDone(error)) throw error;
  }
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/** Generates a secret with 24 random characters after the prefix, more than 140 bits. */
const generate = (prefix: string): string =>
  prefix.padEnd(32, " ").replace(/ /g, () => alphabet[randomInt(alphabet.length)] ?? "0");

/** Returns the prefix of a generated secret. */
const prefixOf = (projectId: string, label: string, rotation = ""): string =>
  createHash("sha256")
    .update(JSON.stringify([projectId, label, rotation]))
    .digest("hex")
    .slice(0, 8);
