import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { root } from "./server";

/** Answers of the hosted API. Their members and types are recorded, and their values are made up. */
export interface RecordedAnswer {
  file: string;
  /** Such as `GET project`. */
  operation: string;
  /** How the answer became known: a recording, a redacted recording, a quotation, or the documentation. */
  kind: "recording" | "redacted" | "quoted" | "docs";
  status: number;
  when?: string;
}

const folder = join(root, "test/fixtures/recorded");

export const recordedAnswers: RecordedAnswer[] = JSON.parse(readFileSync(join(folder, "index.json"), "utf8"));

// biome-ignore lint/suspicious/noExplicitAny: the tests look into whatever was recorded.
export const bodyOf = (file: string): any => JSON.parse(readFileSync(join(folder, file), "utf8"));

export interface RecordedApi {
  readonly url: string;
  /** The paths of the requests for which there is no answer. */
  readonly unanswered: readonly string[];
  close(): Promise<void>;
}

/**
 * Answers GET requests with recorded answers.
 * @param answers the bodies by path, or statuses with bodies; other requests are answered with 404
 */
export async function startRecordedApi(
  answers: Readonly<Record<string, unknown>>,
  status = 200,
): Promise<RecordedApi> {
  const unanswered: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url?.split("?")[0] ?? "");
    const isKnown = Object.hasOwn(answers, path);
    if (!isKnown) unanswered.push(path);
    response.writeHead(isKnown ? status : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(isKnown ? answers[path] : bodyOf("error-404-route-2026-07.json")));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    unanswered,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
