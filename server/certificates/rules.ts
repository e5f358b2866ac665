import type { Caller } from "../access/caller";
import type { RefusalRow } from "../platform/refusal";
import type { Content } from "./content";

interface Upload {
  content: Content;
  body: { skipValidation?: boolean | undefined };
  now: number;
}

export const invalidContent: RefusalRow<Upload> = [
  400,
  "bad_request",
  ({ content }) => content.problem ?? "",
  ({ content }) => content.problem !== undefined,
];

/** @choice The time of the server decides. */
export const expired: RefusalRow<Upload> = [
  400,
  "bad_request",
  "Invalid body member cert: the certificate has expired.",
  ({ content, body, now }) => body.skipValidation !== true && content.expiresAt <= now,
];

/** @choice A certificate has names that the account has verified, and names below them. */
export const notOwned: RefusalRow<{ foreign: string | undefined }> = [
  403,
  "forbidden",
  ({ foreign }) =>
    `The account has not verified ${foreign}, or a domain above it. Add the domain and verify it first.`,
  ({ foreign }) => foreign !== undefined,
];

/** The domains of a certificate may belong to projects that the installation does not cover. */
export const limitedInstallation: RefusalRow<{ caller: Caller }> = [
  403,
  "forbidden",
  "The integration issues no certificates of the account: its installation covers selected projects.",
  ({ caller }) => caller.installation?.selected === true,
];
