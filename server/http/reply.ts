import type { FastifyReply } from "fastify";
import type { Refusal } from "../platform/refusal";

export function sendError(reply: FastifyReply, refusal: Refusal): FastifyReply {
  reply.request.refusal = { code: refusal.code, message: refusal.message };
  return sendJson(reply.headers(refusal.headers), refusal.status, JSON.stringify(refusal.body));
}

export function sendJson(reply: FastifyReply, status: number, body: string | Buffer): FastifyReply {
  return reply.code(status).type("application/json; charset=utf-8").send(body);
}

type Unset<T> = { [K in keyof T]: T[K] | undefined };

/** On the wire, not set is absent: JSON leaves out what is undefined. */
export const present = <T extends object>(value: Unset<T>): T => value as T;
