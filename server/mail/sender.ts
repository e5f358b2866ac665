import { setTimeout as sleep } from "node:timers/promises";
import { createTransport, type Transporter } from "nodemailer";
import { leases } from "../events/lease-store";
import { startPoller } from "../platform/poller";
import type { Services } from "../platform/services";
import { changeRows, findRow } from "../store/rows";
import type { MailRow } from "./object";

/** How long a mail is retried, in milliseconds. */
const longestRetryMs = 24 * 60 * 60 * 1000;
const pauseMs = (attempts: number): number => Math.min(10_000 * 2 ** (attempts - 1), 30 * 60 * 1000);
const pollMs = 1_000;
/** How long the SMTP server may take for a step, in milliseconds. */
const stepMs = 20_000;
/** How long a closing server waits for a mail that is being sent, in milliseconds. */
const closeGraceMs = 3_000;

export interface MailSender {
  wake(): void;
  stop(): Promise<void>;
}

/**
 * Sends the mail in the outbox one by one. Retries a mail unless the SMTP server refuses it permanently. A mail that is
 * sent again after a crash has the same Message-ID.
 * @param isCopy returns true if the data is a copy of a real account. Its addresses then get no mail
 * @param smtp `smtp://` or `smtps://`, with user and password where they are needed; `?from=` names the sender
 * @choice Mail that is older than a day is not sent any more, even if no SMTP server was configured until now.
 */
export function startMailSender(
  { store, clock, log }: Services,
  smtp: string,
  isCopy: () => Promise<boolean> = async () => false,
): MailSender {
  const url = new URL(smtp);
  const from = url.searchParams.get("from") ?? "Slipway <slipway@localhost>";
  url.searchParams.delete("from");
  const owned = leases(store, "mail");
  let transport: Transporter | undefined;

  async function sendDue(stopping: AbortSignal): Promise<void> {
    if (await isCopy()) return;
    while (!stopping.aborted) {
      const [id] = await owned.claim(clock.now(), 1, []);
      if (id === undefined) return;
      const mail = await store.read((tx) => findRow(tx, "mail", { id }));
      if (mail) await recordOutcome(mail, await send(mail));
    }
  }

  /** @returns the error; undefined: the mail was sent */
  async function send(mail: MailRow): Promise<{ problem: string; isPermanent: boolean } | undefined> {
    if (clock.now() >= mail.created_at + longestRetryMs)
      return { problem: "it is too old", isPermanent: true };
    try {
      // Opened on first use, because few servers send mail.
      transport ??= createTransport({
        url: url.href,
        connectionTimeout: stepMs,
        greetingTimeout: stepMs,
        socketTimeout: stepMs,
        // The text must not fetch or attach anything.
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      await transport.sendMail({
        from,
        to: { name: "", address: mail.recipient },
        subject: mail.subject,
        text: mail.body,
        date: new Date(mail.created_at),
        messageId: `<${mail.id}@slipway.invalid>`,
      });
      return undefined;
    } catch (error) {
      const { message, responseCode = 0 } = error as Error & { responseCode?: number };
      log.warn({ mail: mail.id, problem: message }, "a mail could not be sent");
      return { problem: message.slice(0, 500), isPermanent: responseCode >= 500 };
    }
  }

  async function recordOutcome(mail: MailRow, failure: Awaited<ReturnType<typeof send>>): Promise<void> {
    const now = clock.now();
    const attempts = mail.attempts + 1;
    await store.write(async (tx) => {
      if (!(await owned.hold(tx, mail.id))) return;
      await changeRows(
        tx,
        "mail",
        { id: mail.id },
        {
          attempts,
          sent_at: failure ? null : now,
          next_attempt_at: failure && !failure.isPermanent ? now + pauseMs(attempts) : null,
          last_error: failure?.problem ?? null,
        },
      );
      await owned.release(tx, mail.id);
    }, mail.id);
  }

  const poller = startPoller({ run: sendDue, failure: "sending mail failed", log, everyMs: pollMs, clock });
  poller.wake();
  return {
    wake: poller.wake,
    async stop() {
      const grace = new AbortController();
      // A mail that is not finished by then is sent again after the next start.
      await Promise.race([
        poller.stop(),
        sleep(closeGraceMs, undefined, { signal: grace.signal }).catch(() => {}),
      ]);
      grace.abort();
    },
  };
}
