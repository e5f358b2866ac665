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
