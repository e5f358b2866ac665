import * as z from "zod";
import type { RefusalRow } from "../platform/refusal";
import type { Services } from "../platform/services";

/** The URLs of receivers, to which the server sends requests. */

const spaces = "must not contain spaces or line breaks";

/** @choice Refuses spaces and line breaks, since URL parsers drop them, and passwords, since lists would show them. */
export const receiverUrl = z
  .string()
  .max(2048)
  .regex(/^\S*$/, spaces)
  // Not a pattern, because some tools that read the OpenAPI document do not know Unicode classes.
  .refine((text) => !/\p{Cc}/u.test(text), spaces)
  .refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    return (url?.protocol === "http:" || url?.protocol === "https:") && url.hostname !== "";
  }, "must be an http or https URL")
  .refine((text) => !URL.canParse(text) || new URL(text).username + new URL(text).password === "", {
    message: "must not contain a user or password",
  });

/** @choice Clients of a shared server must not make it send requests into its own network. */
export const privateReceiver: RefusalRow<{ isPrivate: boolean }> = [
  400,
  "bad_request",
  "The url leads to a private, link-local or loopback address. Give a public one, or start the server with --private-receivers.",
  ({ isPrivate }) => isPrivate,
];

interface WithUrl {
  body: { url?: string | undefined };
  services: Pick<Services, "egress">;
}

/** For a route's `before`: checks whether the URL in the body leads to an address that is not public. */
export async function checkReceiverUrl({
  body: { url },
  services,
}: WithUrl): Promise<{ isPrivate: boolean }> {
  return { isPrivate: url !== undefined && (await services.egress.isPrivate(url)) };
}
