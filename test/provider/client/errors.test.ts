import {
  ApiError,
  concealed,
  ifAllowed,
  isAmbiguous,
  isConflict,
  MalformedAnswer,
  OutOfReach,
} from "../../../provider/client/errors";
import { Interrupted } from "../../../provider/client/step-limits";

describe("a message", () => {
  it.each([
    [
      "a password, wherever it is a word",
      "hunter2",
      "hunter2 is not (hunter2), or hunter22",
      "[secret] is not ([secret]), or hunter22",
    ],
    ["what is long, wherever it stands", "k9XbQ2mZ7pLr4TnV8sWd", "akk9XbQ2mZ7pLr4TnV8sWdb", "ak[secret]b"],
    [
      "a word, where it is quoted alone",
      "production",
      'got "production" and `production`',
      'got "[secret]" and `[secret]`',
    ],
    ["a short text, where it is quoted alone", "a", "'a' is a letter", "'[secret]' is a letter"],
    [
      "what JSON writes in another way",
      'pass"word\n1',
      'got {"value":"pass\\"word\\n1"}',
      'got {"value":"[secret]"}',
    ],
    ["what has signs of patterns in it", "a+b(c)*[d]1", "got a+b(c)*[d]1 there", "got [secret] there"],
    ["letters beyond ASCII", "пароль-№1", "value пароль-№1.", "value [secret]."],
  ])("lacks %s", (_, secret, text, expected) => {
    expect(concealed(text, [secret])).toBe(expected);
  });

  it.each([
    ["production", "A variable A exists for a target of production and the same branch."],
    ["env", "The environment variable has env in it."],
    ["true", "decrypt must be true or false."],
    ["65536", "A value has at most 65536 characters."],
    ["a", "A key may have letters, digits and '_'."],
    ["", "Nothing."],
  ])("stays whole when a value, %s, might be a word of its own", (value, text) => {
    expect(concealed(text, [value])).toBe(text);
  });

  it("lacks the longer one of two secrets, of which one is in the other", () => {
    expect(concealed("got hunter2-hunter3", ["hunter2", "hunter2-hunter3"])).toBe("got [secret]");
  });
});

it.each(["a", "\u00e9", "$"])("conceals a secret of the greatest size, all of %s", (letter) => {
  const secret = letter.repeat(65_536);
  expect(concealed(`got ${secret}, twice ${secret}`, [secret])).toBe("got [secret], twice [secret]");
});

it.each([
  [{ status: 500, code: "internal_server_error", said: "Something broke" }, "Something broke."],
  [{ status: 404, code: "not_found", said: "There is none!" }, "There is none!"],
  [{ status: 409, code: "conflict", said: "It exists.", requestId: "r1" }, "It exists. (request r1)"],
  [
    { status: 401, code: "forbidden", said: "No." },
    /^No\. Check the access token in SLIPWAY_TOKEN, .* --run-program\.$/,
  ],
  [{ status: 402, code: "payment", said: "No." }, "No. The account's owner has to settle its billing."],
  [
    { status: 403, code: "forbidden", said: "No." },
    "No. Check that the token has permission for this, and the team in SLIPWAY_TEAM or the configuration slipway:team.",
  ],
  [
    { status: 400, code: "bad_request", said: `expected one of ${Array(60).fill('"nextjs"').join("|")}` },
    /^expected one of ("nextjs"\|){20,}"nextjs" …$/,
  ],
  [
    { status: 403, code: "forbidden", said: "Not authorized", detail: { isTokenInvalid: true } },
    /^Not authorized\. Check the access token in SLIPWAY_TOKEN, /,
  ],
  [
    { status: 403, code: "forbidden", said: "Not authorized", detail: { needsSaml: true } },
    /^Not authorized\. The team requires single sign-on \(SAML\)\. Log in to the team/,
  ],
  [
    {
      ...{ status: 402, code: "payment_required", said: "Resource is limited." },
      detail: { limit: { name: "api-deployments-free-per-day", resetAt: 1_779_112_039_254 } },
    },
    "Resource is limited. This is the limit api-deployments-free-per-day of the account's plan, which is reset. " +
      "Run again after 2026-05-18T13:47:19.254Z to continue.",
  ],
  [{ status: 403, code: "ENV_CONFLICT", said: "It exists." }, "It exists."],
  [{ status: 403, code: "EXISTING_KEY_AND_TARGET", said: "It exists." }, "It exists."],
  [
    { status: 403, code: "integration_configuration_disabled", said: "No." },
    "No. The integration of the token is disabled. Its owner has to enable it again.",
  ],
  [
    { status: 409, code: "conflict", said: "A transfer is under way." },
    "A transfer is under way. Run again when the transfer is complete.",
  ],
  [
    { status: 429, code: "rate_limited", said: "Too many.", retryAfterMs: 3_599_200 },
    "Too many. Run again in 3600 s to continue.",
  ],
  [{ status: 429, code: "rate_limited", said: "Too many." }, "Too many. Run again later to continue."],
  [
    { status: 428, code: "plan", said: "No." },
    "No. This needs a plan or an add-on that the account does not have.",
  ],
  [
    { status: 404, code: "http_404", said: "not a valid API response", genuine: false },
    "not a valid API response. Check that SLIPWAY_API_URL, or the configuration slipway:apiUrl, is the address of the API itself.",
  ],
  [
    { status: 502, code: "http_502", said: "not a valid API response", genuine: false },
    "not a valid API response.",
  ],
])("describes a refusal in a sentence, with a hint where there is one: %j", (refused, told) => {
  const { message } = new ApiError({ asked: { method: "GET", path: "/x" }, ...refused });
  const start = `GET /x: ${refused.status} ${refused.code}: `;
  expect(message.slice(0, start.length)).toBe(start);
  if (typeof told === "string") expect(message.slice(start.length)).toBe(told);
  else expect(message.slice(start.length)).toMatch(told);
});

it.each([
  [400, true, true],
  [401, true, true],
  [403, true, true],
  [404, true, true],
  [404, false, false],
  [402, true, false],
  [409, true, false],
  [500, true, false],
])(
  "takes a %s (of the service: %s) for what the token may not see: %s",
  async (status, genuine, isUnseen) => {
    const error = new ApiError({
      asked: { method: "GET", path: "/x" },
      status,
      code: "x",
      said: "No.",
      genuine,
    });
    const asked = ifAllowed(Promise.reject(error));
    if (isUnseen) expect(await asked).toBeUndefined();
    else await expect(asked).rejects.toBe(error);
  },
);

const asked = { method: "POST", path: "/x" };
const refused = (status: number, code: string, said = "No."): ApiError =>
  new ApiError({ asked, status, code, said });

it.each([
  [409, "conflict", "It exists.", true],
  [409, "conflict", "The project is being transferred.", false],
  [403, "ENV_CONFLICT", "It exists.", true],
  [400, "ENV_ALREADY_EXISTS", "It exists.", true],
  [400, "EXISTING_KEY_AND_TARGET", "It exists.", true],
  [400, "existing_project_domain", "It exists.", true],
  [400, "domain_already_in_use", "It exists.", true],
  [400, "bad_request", "It exists.", false],
  [403, "forbidden", "It exists.", false],
])("takes %s %s (%s) for a conflict: %s", (status, code, said, isOne) => {
  expect(isConflict(refused(status, code, said))).toBe(isOne);
});

it.each([
  ["a failure of the service", refused(500, "internal_server_error"), true],
  ["a refusal", refused(499, "x"), false],
  ["a rate limit", refused(429, "rate_limited"), false],
  ["an answer that is not the API's", new MalformedAnswer(asked, "body"), true],
  ["a lost answer", new OutOfReach(asked, "https://a.test", "ECONNRESET", false, undefined), true],
  [
    "a request that was not sent",
    new OutOfReach(asked, "https://a.test", "ENOTFOUND", true, undefined),
    false,
  ],
  ["the end of a step", new Interrupted("The run was cancelled."), true],
  ["another error", new Error("x"), false],
])("a request may have taken effect after %s", (_, error, isUnknown) => {
  expect(isAmbiguous(error)).toBe(isUnknown);
});

describe("the hint of an unreachable address", () => {
  const messageFor = (apiUrl: string, reason = "ECONNREFUSED"): string =>
    new OutOfReach({ method: "GET", path: "/v2/user" }, apiUrl, reason, true, undefined).message;

  it.each(["http://127.0.0.1:4000", "http://localhost:4000", "http://[::1]:4000"])(
    "starts the bundled server for %s",
    (apiUrl) => {
      expect(messageFor(apiUrl)).toMatch(/slipway serve --detach`.*or set SLIPWAY_API_URL/);
    },
  );

  it.each(["https://api.example.com", "https://10.0.0.7:8443"])(
    "names the address and the network for %s",
    (apiUrl) => {
      expect(messageFor(apiUrl)).toMatch(/Check the address, SLIPWAY_API_URL .* the network/);
      expect(messageFor(apiUrl)).not.toMatch(/npm run|slipway serve/);
    },
  );

  it.each(["http://127.0.0.1:4000", "https://api.example.com"])(
    "names the certificate's authority for %s where it is not trusted",
    (apiUrl) => {
      expect(messageFor(apiUrl, "SELF_SIGNED_CERT_IN_CHAIN")).toContain("NODE_EXTRA_CA_CERTS");
    },
  );
});
