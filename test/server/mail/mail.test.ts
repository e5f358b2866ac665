import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { SMTPServer } from "smtp-server";
import { queueMail } from "../../../server/mail/outbox";
import { StartError } from "../../../server/platform/start-error";
import { openServer } from "../../../server/server";
import { copyOfName } from "../../../server/store/meta";
import { until } from "../../support/until";
import { TestServer } from "../../support/world";

const hour = 60 * 60 * 1000;

/** A mail as it arrived: what the envelope said, and the text with its headers. */
interface Arrival {
  from: string;
  to: string[];
  text: string;
}

/** An SMTP server that takes mail, or answers with a code instead. */
class Mailbox {
  readonly arrived: Arrival[] = [];
  attempts = 0;
  /** The code that mail to an address is answered with; undefined takes it. */
  answer: (to: string) => number | undefined = () => undefined;
  private readonly server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: ({ address }, _session, done) => {
      this.attempts++;
      const responseCode = this.answer(address);
      done(responseCode === undefined ? undefined : Object.assign(new Error("not now"), { responseCode }));
    },
    onData: (stream, { envelope }, done) => {
      const parts: Buffer[] = [];
      stream.on("data", (part) => parts.push(part));
      stream.on("end", () => {
        this.arrived.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : "",
          to: envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(parts).toString(),
        });
        done();
      });
    },
  });

  async start(): Promise<string> {
    await new Promise<void>((done) => this.server.listen(0, "127.0.0.1", done));
    return `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    return new Promise((done) => this.server.close(() => done()));
  }

  waitFor(count: number): Promise<Arrival[]> {
    return until(`${count} mails came`, () => (this.arrived.length >= count ? this.arrived : undefined));
  }
}

const world = new TestServer();
let mailbox: Mailbox;
let smtp: string;

beforeEach(async () => {
  mailbox = new Mailbox();
  smtp = await mailbox.start();
});
afterEach(async () => {
  await world.close();
  await mailbox.stop();
});

const queue = (to: string, subject: string): Promise<void> =>
  world.services.store.write((tx) =>
    queueMail({ tx, now: world.clock.now() }, { to, subject, body: `About: ${subject}\nGrüße` }),
  );
const rows = () =>
  world.services.store.read((tx) => tx.selectFrom("mail").selectAll().orderBy("sequence").execute());
const sent = async (count: number): Promise<void> => {
  await until(`${count} mails count as sent`, async () =>
    (await rows()).filter(({ sent_at }) => sent_at !== null).length >= count ? true : undefined,
  );
};

describe("with an SMTP server", () => {
  beforeEach(async () => {
    await world.open("memory", { smtp: `${smtp}?from=service@example.com` });
  });

  test("mail is sent as it was written, in its order, and shown as sent", async () => {
    const before = world.clock.now();
    await queue("ada@example.com", "first");
    await queue("bob@example.com", "second");
    await world.advance(1);
    const arrived = await mailbox.waitFor(2);
    expect(arrived.map(({ from, to }) => ({ from, to }))).toEqual([
      { from: "service@example.com", to: ["ada@example.com"] },
      { from: "service@example.com", to: ["bob@example.com"] },
    ]);
    expect(arrived[0]?.text).toMatch(/^Subject: first\r$/m);
    expect(arrived[0]?.text).toContain("About: first");
    const [first] = await rows();
    expect(arrived[0]?.text).toContain(`Message-ID: <${first?.id}@slipway.invalid>\r\n`);
    expect(arrived[0]?.text).toContain(`Date: ${new Date(before).toUTCString().replace("GMT", "+0000")}\r\n`);
    await sent(2);
    const shown = await world.control.mail();
    expect(shown.map(({ to }) => to)).toEqual(["bob@example.com", "ada@example.com"]);
    // The sender also looks by itself, so the first may have gone out before the clock was advanced.
    for (const { sentAt } of shown) expect([before, world.clock.now()]).toContain(sentAt);
  });

  test("mail of a request goes out right after it", async () => {
    await world.member("MEMBER");
    await world.seed({
      users: [{ username: "member-of-acme", email: "member@example.com" }],
      integrations: [
        {
          clientSecret: "s",
          slug: "cron",
          owner: "dev",
          redirectUrl: "http://127.0.0.1:9/callback",
          scopes: ["read:project"],
        },
      ],
      installations: [{ integration: "cron", team: "acme", installedBy: "member-of-acme" }],
    });
    await world.askControl("POST", "/integrations/cron/scopes", { scopes: ["project"] });
    const arrived = await until("the mail came", () =>
      mailbox.arrived.some(({ to }) => to.includes("member@example.com")) ? mailbox.arrived : undefined,
    );
    expect(arrived.length).toBeGreaterThanOrEqual(1);
  });

  test("what is refused for now is tried again, and holds up no other", async () => {
    mailbox.answer = (to) => (to === "ada@example.com" ? 451 : undefined);
    await queue("ada@example.com", "first");
    await queue("bob@example.com", "second");
    await world.advance(1);
    expect((await mailbox.waitFor(1)).map(({ to }) => to)).toEqual([["bob@example.com"]]);
    await until("the attempt was noted", async () => (await rows())[0]?.attempts === 1 || undefined);
    expect((await world.control.mail()).at(-1)).toMatchObject({ to: "ada@example.com", sentAt: null });
    mailbox.answer = () => undefined;
    await world.advance(hour);
    expect((await mailbox.waitFor(2)).map(({ to }) => to)).toEqual([
      ["bob@example.com"],
      ["ada@example.com"],
    ]);
  });

  test("the pauses between attempts double from ten seconds to half an hour", async () => {
    mailbox.answer = () => 451;
    await queue("ada@example.com", "first");
    const pauseAfter = async (attempts: number): Promise<number> => {
      const row = await until(`attempt ${attempts} is noted`, async () => {
        const [mail] = await rows();
        return mail?.attempts === attempts ? mail : undefined;
      });
      return Number(row.next_attempt_at) - world.clock.now();
    };
    for (const [at, after] of [0, 10_000, 20_000].entries()) {
      await world.advance(after);
      expect(await pauseAfter(at + 1)).toBe(after === 0 ? 10_000 : 2 * after);
    }
    const columns = { attempts: 20, next_attempt_at: world.clock.now() };
    await world.services.store.write((tx) => tx.updateTable("mail").set(columns).execute());
    await world.advance(0);
    expect(await pauseAfter(21)).toBe(hour / 2);
  });

  test("what is refused for good is not tried again", async () => {
    mailbox.answer = () => 550;
    await queue("ada@example.com", "first");
    await world.advance(1);
    await until("the attempt was noted", async () => (await rows())[0]?.attempts === 1 || undefined);
    mailbox.answer = () => undefined;
    await queue("bob@example.com", "second");
    await world.advance(48 * hour);
    await world.advance(1);
    expect(await rows()).toMatchObject([{ sent_at: null, attempts: 1, next_attempt_at: null }, {}]);
    expect(mailbox.arrived.map(({ to }) => to)).not.toContainEqual(["ada@example.com"]);
  });

  test("a day after it was written, it is not tried any more", async () => {
    mailbox.answer = () => 451;
    await queue("ada@example.com", "first");
    await world.advance(1);
    await until("the attempt was noted", async () => (await rows())[0]?.attempts === 1 || undefined);
    mailbox.answer = () => undefined;
    await world.advance(24 * hour);
    await until(
      "its attempts have ended",
      async () => (await rows())[0]?.next_attempt_at === null || undefined,
    );
    expect(await rows()).toMatchObject([{ sent_at: null, last_error: "it is too old" }]);
    expect(mailbox.arrived).toEqual([]);
  });
});

test("nothing is sent from a copy of an account", async () => {
  const seed = { copyOf: "https://api.example.com", users: [{ username: "ada" }] };
  await world.open("memory", { smtp, seed });
  await queue("ada@example.com", "first");
  await world.advance(hour);
  // A mail of a server that is no copy arrives meanwhile.
  await sleep(500);
  expect(mailbox.attempts).toBe(0);
  await world.services.store.write((tx) => tx.deleteFrom("meta").where("name", "=", copyOfName).execute());
  await world.advance(hour);
  expect(await mailbox.waitFor(1)).toHaveLength(1);
});

test("without an SMTP server mail is shown, and waits", async () => {
  await world.open("memory");
  await queue("ada@example.com", "first");
  await world.advance(hour);
  expect(await world.control.mail()).toMatchObject([
    { to: "ada@example.com", subject: "first", body: "About: first\nGrüße", sentAt: null },
  ]);
  expect(mailbox.attempts).toBe(0);
});

test.each(["127.0.0.1:25", "http://127.0.0.1:25", "smtp"])(
  "%s is not an address of an SMTP server, and the refusal does not repeat it",
  async (address) => {
    const refusal = await openServer({ port: 0, data: "memory", smtp: address }).catch((error) => error);
    expect(refusal).toBeInstanceOf(StartError);
    expect(refusal.message).toMatch(/^--smtp takes an address/);
  },
);
