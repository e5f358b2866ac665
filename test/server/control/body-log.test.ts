import { bodyLog } from "../../../server/control/body-log";

describe("the log of bodies", () => {
  const body = (size: number): string => JSON.stringify("x".repeat(size));

  it("drops the oldest bodies first once it holds 4 MB", () => {
    const bodies = bodyLog();
    for (let at = 0; at < 300; at++) bodies.add(`request-${at}`, { request: body(20_000), answer: null });
    expect(bodies.find("request-0")).toBeUndefined();
    expect(bodies.find("request-299")).toEqual({ request: body(20_000), answer: null });
    const kept = Array.from({ length: 300 }, (_, at) => bodies.find(`request-${at}`)).filter(Boolean);
    expect(kept.length * 20_000).toBeLessThanOrEqual(4 * 1024 * 1024);
    expect(kept.length).toBeGreaterThan(190);
  });

  it("counts requests without bodies too", () => {
    const bodies = bodyLog();
    for (let at = 0; at < 50_000; at++) bodies.add(`request-${at}`, { request: null, answer: null });
    expect(bodies.find("request-0")).toBeUndefined();
  });

  it("forgets everything when it is cleared", () => {
    const bodies = bodyLog();
    bodies.add("request", { request: body(1), answer: null });
    bodies.clear();
    expect(bodies.find("request")).toBeUndefined();
    for (let at = 0; at < 300; at++) bodies.add(`later-${at}`, { request: body(20_000), answer: null });
    expect(bodies.find("later-0")).toBeUndefined();
    expect(bodies.find("later-299")).toBeDefined();
  });

  it("drops bodies that were added before and after it was full", () => {
    const bodies = bodyLog();
    for (let at = 0; at < 1_000; at++) {
      bodies.add(`request-${at}`, { request: body(20_000), answer: null });
      if (at >= 250) expect(bodies.find(`request-${at - 250}`)).toBeUndefined();
      if (at >= 190) expect(bodies.find(`request-${at - 190}`)).toBeDefined();
    }
  });
});

it("masks the contents of files", () => {
  const bodies = bodyLog();
  const request = JSON.stringify({ name: "web", files: [{ file: "a.txt", data: "contents" }] });
  bodies.add("request", { request, answer: null });
  expect(JSON.parse(bodies.find("request")?.request ?? "")).toEqual({
    name: "web",
    files: [{ file: "a.txt", data: "•••" }],
  });
});

it("masks the code of a transfer request, and shows the code of a refusal", () => {
  const bodies = bodyLog();
  bodies.add("request", { request: null, answer: JSON.stringify({ code: "secret" }) });
  bodies.add("refused", {
    request: null,
    answer: JSON.stringify({ error: { code: "conflict", message: "m" } }),
  });
  expect(bodies.find("request")?.answer).not.toContain("secret");
  expect(bodies.find("refused")?.answer).toContain("conflict");
});
