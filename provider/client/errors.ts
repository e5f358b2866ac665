import { isLoopback } from "./config";
import { Interrupted } from "./step-limits";

/** The request that an error names, without query, headers and body, so that messages contain no secrets. */
export interface RequestName {
  method: string;
  path: string;
}

/** The hints at the end of messages. */
const hints = {
  token:
    "Check the access token in SLIPWAY_TOKEN, the configuration slipway:token, or an explicit Provider. " +
    "If it changed in the configuration, run refresh or destroy with --run-program.",
  team: "Check that the token has permission for this, and the team in SLIPWAY_TEAM or the configuration slipway:team.",
  disabled: "The integration of the token is disabled. Its owner has to enable it again.",
  transfer: "Run again when the transfer is complete.",
  payment: "The account's owner has to settle its billing.",
  address:
    "Check that SLIPWAY_API_URL, or the configuration slipway:apiUrl, is the address of the API itself.",
  plan: "This needs a plan or an add-on that the account does not have.",
  saml:
    "The team requires single sign-on (SAML). Log in to the team with single sign-on, create an access token for it, " +
    "and use this token.",
};

/** Why the service has refused an item of a batch. The members that identify the item may be absent. */
export interface ItemFailure {
  code: string;
  message: string;
  key?: string | undefined;
  target?: readonly string[] | undefined;
  gitBranch?: string | undefined;
}

/** Further members of the error of a refusal. @source recorded answers of the hosted API */
export interface RefusalDetail {
  /** The token is unknown, or the request has none. */
  isTokenInvalid?: boolean;
  /** The team requires single sign-on. */
  needsSaml?: boolean;
  /** The name of the limit that is reached, and the time when it is reset (milliseconds since the epoch). */
  limit?: { name: string; resetAt?: number | undefined };
  /** The id of the project that has the domain. */
  projectId?: string;
}

/** A refusal of the service. */
export interface Refused {
  asked: RequestName;
  status: number;
  /** The code of the service, or `http_<status>` when the answer did not have the service's format. */
  code: string;
  /** The message of the service, without secrets. */
  said: string;
  requestId?: string | undefined;
  /** False when the answer did not have the service's format, such as an error page of a proxy. Default: true. */
  genuine?: boolean;
  /** The time in `Retry-After`, in milliseconds, more than 0. */
  retryAfterMs?: number | undefined;
  /** The permissions or settings that the request needs and the account lacks. */
  missing?: readonly string[] | undefined;
  /** The items of a batch that were refused, each with its own reason. */
  failed?: readonly ItemFailure[];
  detail?: RefusalDetail;
  /** A hint for the user. Default: depends on the code. */
  hint?: string | undefined;
}

/** The service refused a request. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly said: string;
  readonly requestId: string | undefined;
  readonly genuine: boolean;
  readonly retryAfterMs: number | undefined;
  readonly missing: readonly string[] | undefined;
  readonly failed: readonly ItemFailure[];
  readonly detail: RefusalDetail;

  constructor(private readonly refused: Refused) {
    const { asked, status, code, said, requestId, genuine = true, retryAfterMs } = refused;
    const { hint = hintFor(refused) } = refused;
    const id = requestId === undefined ? "" : ` (request ${requestId})`;
    const end = hint === undefined ? "" : ` ${hint}`;
    super(`${asked.method} ${asked.path}: ${status} ${code}: ${sentence(shortened(said))}${end}${id}`);
    this.status = status;
    this.code = code;
    this.said = said;
    this.requestId = requestId;
    this.genuine = genuine;
    this.retryAfterMs = retryAfterMs;
    this.missing = refused.missing;
    this.failed = refused.failed ?? [];
    this.detail = refused.detail ?? {};
  }

  /** True when the hint is not the default one. */
  get hasHint(): boolean {
    return this.refused.hint !== undefined;
  }

  /** Returns the same refusal with another hint. */
  withHint(hint: string): ApiError {
    return new ApiError({ ...this.refused, hint });
  }
}

/** The response of the service did not have the expected shape. */
export class MalformedAnswer extends Error {
  override readonly name = "MalformedAnswer";

  constructor(asked: RequestName, issues: string) {
    super(
      `${asked.method} ${asked.path}: not a valid API response (${issues}). ` +
        "Check that SLIPWAY_API_URL is the address of the API itself.",
    );
  }
}

/** The service did not answer, or not in full. */
export class OutOfReach extends Error {
  override readonly name = "OutOfReach";

  constructor(
    private readonly asked: RequestName,
    private readonly apiUrl: string,
    /** Why there was no answer; undefined if it was cut off. */
    private readonly reason: string | undefined,
    /** True when the request was certainly not sent, so that it had no effect. */
    readonly neverSent: boolean,
    cause: unknown,
    /** A hint for the user. Default: depends on the reason. */
    hint?: string,
  ) {
    const failure = reason === undefined ? "sent only a part of its answer" : `is out of reach (${reason})`;
    const effect = neverSent || asked.method === "GET" ? "" : " The request may have taken effect.";
    const usual =
      reason === undefined || (!neverSent && isLoopback(new URL(apiUrl)))
        ? "Run again to continue."
        : hintForReach(apiUrl, reason);
    super(`${asked.method} ${asked.path}: ${apiUrl} ${failure}.${effect} ${hint ?? usual}`, { cause });
  }

  /** Returns the same error with another hint. */
  withHint(hint: string): OutOfReach {
    return new OutOfReach(this.asked, this.apiUrl, this.reason, this.neverSent, this.cause, hint);
  }
}

/** Error codes of OpenSSL for certificates that are not trusted. */
const distrust = /CERT|SIGNATURE|ISSUER/;

function hintForReach(apiUrl: string, reason: string): string {
  if (distrust.test(reason)) {
    return "If your own certificate authority signed the certificate of the API, set NODE_EXTRA_CA_CERTS to the file with the authority's certificate.";
  }
  return isLoopback(new URL(apiUrl))
    ? "Start the bundled server with `npx slipway serve --detach` (in a clone of Slipway, `npm run server`), or set SLIPWAY_API_URL to the address of the API."
    : "Check the address, SLIPWAY_API_URL or the configuration slipway:apiUrl, and the network: DNS, the firewall, and a proxy in HTTPS_PROXY.";
}

const hintByStatus: Readonly<Record<number, string>> = {
  401: hints.token,
  402: hints.payment,
  428: hints.plan,
};

/** Each rule returns a hint for the refusals that it knows. The first hint counts. */
const hintRules: readonly ((refused: Refused) => string | false | undefined)[] = [
  ({ code }) => code === "integration_configuration_disabled" && hints.disabled,
  ({ detail }) => detail?.isTokenInvalid && hints.token,
  ({ detail }) => detail?.needsSaml && hints.saml,
  ({ status, detail }) => status === 402 && detail?.limit && limitReached(detail.limit),
  ({ status }) => hintByStatus[status],
  ({ status, code }) => status === 403 && !/^ENV_|^EXISTING_/.test(code) && hints.team,
  (refused) => isOfTransfer(refused) && hints.transfer,
  ({ status, retryAfterMs }) => status === 429 && rateLimited(retryAfterMs),
  ({ status, genuine }) => genuine === false && status < 429 && hints.address,
];

const hintFor = (refused: Refused): string | undefined =>
  hintRules.map((rule) => rule(refused)).find(Boolean) || undefined;

const isOfTransfer = ({ status, code, said }: Pick<Refused, "status" | "code" | "said">): boolean =>
  status === 409 && /transfer/i.test(`${code} ${said}`);

const rateLimited = (retryAfterMs: number | undefined): string =>
  `Run again ${retryAfterMs === undefined ? "later" : `in ${Math.ceil(retryAfterMs / 1000)} s`} to continue.`;

function limitReached({ name, resetAt }: { name: string; resetAt?: number | undefined }): string {
  const when =
    resetAt === undefined ? "after the limit is reset" : `after ${new Date(resetAt).toISOString()}`;
  return `This is the limit ${name} of the account's plan, which is reset. Run again ${when} to continue.`;
}

/** Longer messages of the service are shortened, such as one that lists all frameworks. */
const longestSaid = 300;

const shortened = (text: string): string =>
  text.length <= longestSaid ? text : text.slice(0, longestSaid).replace(/[\s|]+[^\s|]*$/, " …");

const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** The object does not exist: a 404 in the service's format. */
export const isNotFound = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 404 && error.genuine;

/** The service failed, and said so. */
export const isServerFailure = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status >= 500;

export const isRateLimited = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 429;

/** @source States and transitions: writes of a project that is being transferred */
export const isTransferring = (error: unknown): error is ApiError =>
  error instanceof ApiError && isOfTransfer(error);

/** An object with this name already exists. */
export const isConflict = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  ((error.status === 409 && !isTransferring(error)) ||
    /^(ENV_CONFLICT|ENV_ALREADY_EXISTS|EXISTING_KEY_AND_TARGET|existing_project_domain|domain_already_in_use)$/.test(
      error.code,
    ));

export const isRefused = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 400;

/** A 404 for an object that no request reads alone. @param path the path of the list */
export const absentFrom = (path: string, said: string): ApiError =>
  new ApiError({ asked: { method: "GET", path }, status: 404, code: "not_found", said });

/** It is unknown whether the request took effect. */
export const isAmbiguous = (error: unknown): boolean =>
  (error instanceof OutOfReach && !error.neverSent) ||
  isServerFailure(error) ||
  error instanceof MalformedAnswer ||
  error instanceof Interrupted;

/** Returns a function that turns some errors of a request into undefined. */
const unless =
  (isExpected: (error: unknown) => boolean) =>
  <T>(asked: Promise<T>): Promise<T | undefined> =>
    asked.catch((error: unknown) => {
      if (isExpected(error)) return undefined;
      throw error;
    });

/** Turns a 404 into undefined. */
export const ifFound = unless(isNotFound);

/** Turns a 404, and the answers to a token without permission (400, 401, 403), into undefined. */
export const ifAllowed = unless(
  (error) => error instanceof ApiError && error.genuine && /^40[0134]$/.test(`${error.status}`),
);

/** Turns every refusal of the service into undefined. */
export const unlessRefused = unless((error) => error instanceof ApiError);

/**
 * Replaces secrets in a text with `[secret]`, also in their JSON form. A secret that could be an ordinary word or
 * number is replaced only where it is quoted. Elsewhere, the replacement would reveal the word.
 */
export function concealed(text: string, secrets: readonly string[]): string {
  const written = secrets
    .filter((secret) => secret !== "")
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    // The longest first, since one secret may contain another.
    .sort((a, b) => b.length - a.length);
  return written.reduce((rest, secret) => rest.replaceAll(occurrencesOf(secret), "[secret]"), text);
}

/** A secret of at least this length is too long to be in a message by chance. */
const unmistakable = 20;

/** True for texts that could be ordinary words or numbers: production, development, 65536, v1. */
const isOrdinary = (secret: string): boolean => /^(.{1,3}|\p{L}{1,11}|[\d.,:-]{1,9})$/su.test(secret);

/**
 * Returns the text or pattern to replace. A long secret is returned as text, because a pattern of 64 KB would be too
 * large.
 */
function occurrencesOf(secret: string): RegExp | string {
  if (secret.length >= unmistakable) return secret;
  const literal = secret.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  if (isOrdinary(secret)) return new RegExp(`(?<=(["'\`]))${literal}(?=\\1)`, "g");
  return new RegExp(`(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])`, "gu");
}
