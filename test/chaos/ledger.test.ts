import { type Change, type Found, Ledger, type Recorded, type Value } from "./ledger";

let ledger: Ledger;
let count = 0;

beforeEach(() => {
  ledger = new Ledger();
  count = 0;
});

const intent = (change: Change, keys: readonly string[], value: Value) => ({
  project: "web",
  change,
  keys,
  value,
});
const idOf = (key: string): string => `env_${key}`;
const found = (key: string, value: string): Found => ({ id: idOf(key), key, value });
const breachesOf = (): string[] => ledger.findings.map(({ breach }) => breach);

/** A change that is answered. */
function write(change: Change, keys: readonly string[], value: Value): void {
  ledger.acknowledge(ledger.begin(intent(change, keys, value)), keys.map(idOf));
}

/** The next event of the account. */
function event(change: Change, key: string): Recorded {
  const sequence = ++count;
  return { id: `evt_${sequence}`, account: "team_1", sequence, variable: idOf(key), change };
}

describe("the ledger of writes", () => {
  beforeEach(() => {
    write("created", ["A"], "1");
    write("updated", ["A"], "2");
    write("created", ["B"], "3");
    write("deleted", ["B"], null);
  });

  it("finds nothing when all writes and events are there", () => {
    ledger.settle("web", [found("A", "2")]);
    const events = [
      event("created", "A"),
      event("updated", "A"),
      event("created", "B"),
      event("deleted", "B"),
    ];
    ledger.checkEvents(events);
    const ids = events.map(({ id }) => id);
    expect(ledger.checkDeliveries(events, [...ids.slice(0, 2), ...ids.slice(1)])).toBe(1);
    expect(ledger.findings).toEqual([]);
    expect(ledger.acknowledged).toBe(4);
  });

  it.each<[string, Found[], string]>([
    ["a variable that is gone", [], "lost"],
    ["a value that was overwritten", [found("A", "1")], "lost"],
    ["a variable that was deleted", [found("A", "2"), found("B", "3")], "lost"],
    ["a variable that is there twice", [found("A", "2"), found("A", "2")], "doubled"],
    ["a variable that nobody wrote", [found("A", "2"), found("C", "4")], "doubled"],
  ])("finds %s", (_, variables, breach) => {
    ledger.settle("web", variables);
    expect(breachesOf()).toEqual([breach]);
  });

  it.each<[string, () => Recorded[], string[]]>([
    [
      "a change without its event",
      () => [event("created", "A"), event("updated", "A")],
      ["silent", "silent"],
    ],
    [
      "an event without its change",
      () => [...whole(), event("updated", "A"), event("created", "C")],
      ["repeated", "repeated"],
    ],
    [
      "an event that comes before that of an earlier change",
      () => [event("created", "A"), event("created", "B"), event("updated", "A"), event("deleted", "B")],
      ["misordered"],
    ],
  ])("finds %s", (_, events, expected) => {
    ledger.settle("web", [found("A", "2")]);
    ledger.checkEvents(events());
    expect(breachesOf()).toEqual(expected);
  });

  it.each<[string, number[], string[]]>([
    ["an event that never came", [0, 1, 3], ["undelivered"]],
    ["an event that came after a later one", [0, 2, 1, 3], ["misordered"]],
    ["an event that is not in the outbox", [0, 1, 2, 3, 4], ["repeated"]],
  ])("finds %s at the receiver", (_, order, expected) => {
    const events = whole();
    const ids = [...events.map(({ id }) => id), "evt_unknown"];
    ledger.checkDeliveries(
      events,
      order.map((at) => ids[at] ?? ""),
    );
    expect(breachesOf()).toEqual(expected);
  });

  const whole = (): Recorded[] => [
    event("created", "A"),
    event("updated", "A"),
    event("created", "B"),
    event("deleted", "B"),
  ];
});

describe("a write without an answer", () => {
  it.each<[string, Found[], () => Recorded[]]>([
    ["may have happened", [found("A", "2")], () => [event("created", "A"), event("updated", "A")]],
    ["may not have happened", [found("A", "1")], () => [event("created", "A")]],
  ])("%s, with its event", (_, variables, events) => {
    write("created", ["A"], "1");
    ledger.begin(intent("updated", ["A"], "2"));
    ledger.settle("web", variables);
    ledger.checkEvents(events());
    expect(ledger.findings).toEqual([]);
  });

  it("that took effect has its event", () => {
    ledger.begin(intent("created", ["A"], "1"));
    ledger.settle("web", [found("A", "1")]);
    ledger.checkEvents([]);
    expect(breachesOf()).toEqual(["silent"]);
  });

  it("that took no effect has no event", () => {
    write("created", ["A"], "1");
    ledger.begin(intent("deleted", ["A"], null));
    ledger.settle("web", [found("A", "1")]);
    ledger.checkEvents([event("created", "A"), event("deleted", "A")]);
    expect(breachesOf()).toEqual(["repeated"]);
  });

  it("changes all of its variables or none", () => {
    ledger.begin(intent("created", ["A", "B"], "1"));
    ledger.settle("web", [found("A", "1")]);
    expect(breachesOf()).toEqual(["torn"]);
  });

  it("leaves the old state or the new one", () => {
    write("created", ["A"], "1");
    ledger.begin(intent("updated", ["A"], "2"));
    ledger.settle("web", []);
    expect(breachesOf()).toEqual(["lost"]);
  });
});

describe("a reader", () => {
  it("sees writes that were acknowledged before its request", () => {
    write("created", ["A"], "1");
    write("updated", ["A"], "2");
    ledger.beginRead("web")([found("A", "1")]);
    expect(breachesOf()).toEqual(["stale"]);
  });

  it("sees the old or the new value of a concurrent write, and no older one", () => {
    write("created", ["A"], "1");
    write("updated", ["A"], "2");
    const reads = [ledger.beginRead("web"), ledger.beginRead("web"), ledger.beginRead("web")];
    write("updated", ["A"], "3");
    for (const [at, value] of ["2", "3", "1"].entries()) reads[at]?.([found("A", value)]);
    expect(breachesOf()).toEqual(["stale"]);
  });
});
