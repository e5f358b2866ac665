import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Traffic } from "./observers";
import { type Answered, keyOf, type UntilCommit } from "./response-cache";
import { pathOf, unversioned } from "./router";
import { closingOf } from "./shutdown";

/**
 * Answers what the cache knows before a request is routed: what routing does with a request costs more than
 * all the rest of such an answer. Its bytes are the same.
 */
export function answerQuickly(app: FastifyInstance, answers: UntilCommit<Answered>, traffic: Traffic): void {
  const [route] = app.server.listeners("request") as ((
    request: IncomingMessage,
    response: ServerResponse,
  ) => void)[];
  if (route === undefined) throw new Error("the server has no listener for requests");
  traffic.routeWhile(closingOf(app));
  app.server.removeAllListeners("request");
  app.server.on("request", (request, response) => {
    if (!answerKept(request, response, answers, traffic)) route.call(app.server, request, response);
  });
}

function answerKept(
  request: IncomingMessage,
  response: ServerResponse,
  answers: UntilCommit<Answered>,
  traffic: Traffic,
): boolean {
  if (request.method !== "GET" || answers.isEmpty || traffic.mustRoute) return false;
  const startedAt = performance.now();
  const { url: sent = "/", headers } = request;
  const kept = answers.find(keyOf(headers.authorization, unversioned(sent)));
  if (kept === undefined) return false;
  const { status, body, ...about } = kept;
  const requestId = randomUUID();
  response.on("finish", () =>
    traffic.answered({
      ...about,
      request,
      path: pathOf(sent),
      requestId,
      status,
      ms: performance.now() - startedAt,
    }),
  );
  response
    .writeHead(status, {
      "x-request-id": requestId,
      "content-type": "application/json; charset=utf-8",
      "content-length": body.length,
    })
    .end(body);
  return true;
}
