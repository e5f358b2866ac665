import { lineWriter } from "../../../server/platform/log-lines";

const time = new Date(2025, 0, 1, 9, 5, 7).getTime();

function written(entry: object, hasColours = false): string {
  let text = "";
  const output = {
    write(part: string | Uint8Array) {
      text += part;
      return true;
    },
  };
  lineWriter(
    output,
    hasColours,
  )(`${JSON.stringify({ level: 30, time, pid: 1, hostname: "here", ...entry })}\n`);
  return text;
}
const request = { msg: "request", reqId: "id", method: "GET", path: "/v9/projects", status: 200, ms: 3.2 };

it.each<[string, object, string]>([
  ["a request", request, "09:05:07 200  GET    /v9/projects  3.2 ms\n"],
  [
    "one that is refused",
    { ...request, status: 404, code: "not_found" },
    "09:05:07 404  GET    /v9/projects  not_found  3.2 ms\n",
  ],
  [
    "one that nobody waited for",
    { ...request, status: null },
    "09:05:07 dropped  GET    /v9/projects  3.2 ms\n",
  ],
  [
    "what else happens",
    { level: 40, msg: "unknown member of a body", method: "POST", member: "x" },
    "09:05:07 warning  unknown member of a body  method=POST member=x\n",
  ],
  ["what is good to know", { msg: "started", port: 4000 }, "09:05:07 info  started  port=4000\n"],
  ["what few people read", { level: 20, msg: "looked" }, "09:05:07 debug  looked\n"],
  [
    "an error, with where it comes from",
    { level: 50, msg: "unhandled error", err: { stack: "Error: bad\n    at here" } },
    "09:05:07 error  unhandled error\n    Error: bad\n    at here\n",
  ],
  [
    "an error without a stack",
    { level: 50, msg: "failed", err: { message: "bad" } },
    "09:05:07 error  failed\n    bad\n",
  ],
])("is one line for %s", (_, entry, line) => {
  expect(written(entry)).toBe(line);
});

it("lets no text steer the terminal", () => {
  const line = written({ level: 40, msg: "m", member: "a\u001b[2J\nb\u202e" });
  expect(line).toBe("09:05:07 warning  m  member=a\\u{1b}[2J\\u{a}b\\u{202e}\n");
});

it("is coloured by what came of a request, where there are colours", () => {
  for (const [status, colour] of [
    [200, 32],
    [404, 33],
    [500, 31],
  ])
    expect(written({ ...request, status }, true)).toContain(`\u001b[${colour}m${status}\u001b[0m`);
});
