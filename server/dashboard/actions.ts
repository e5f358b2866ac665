import { stringify } from "node:querystring";
import { parseDocument } from "yaml";
import * as z from "zod";
import { controlRoutes } from "../control";
import { runControlRoute } from "../control/route";
import type { ControlState } from "../control/state";
import { redeliver } from "../events/delivery-store";
import type { Route } from "../http/route";
import { unversioned } from "../http/router";
import { check, refuseUnstorable } from "../http/validate";
import { putDnsRecord, removeDnsRecords, type ZoneRecord, zoneKey } from "../platform/dns-store";
import { badRequest, notFound, Refusal } from "../platform/refusal";
import type { Services } from "../platform/services";
import { zoneRecord, zoneType } from "../seed/zone";
import { sentAgain } from "./again";
import { type Operation, runOperation } from "./operations";

/** The context of an action. */
export interface ActionContext {
  services: Services;
  state: ControlState;
  routes: readonly Route[];
}

/** An action on the dashboard. @returns the body of its answer */
export type Action = (context: ActionContext, body: unknown) => Promise<unknown>;

const account = z.string();
const project = z.string();
const onProject = z.strictObject({ account, project });
const toDeployment = z.strictObject({ account, project, deployment: z.string() });
const onDomain = z.strictObject({ account, project, domain: z.string() });
const onVariable = z.strictObject({ account, project, variable: z.string() });

/** The actions, by their names in paths: `/_dashboard/do/promote`. */
export const actions: Readonly<Record<string, Action>> = {
  promote: ofApi(toDeployment, ({ project: projectId, deployment: deploymentId }) => ({
    method: "POST",
    path: "/v10/projects/:projectId/promote/:deploymentId",
    params: { projectId, deploymentId },
  })),
  "roll-back": ofApi(toDeployment, ({ project: projectId, deployment: deploymentId }) => ({
    method: "POST",
    path: "/v9/projects/:projectId/rollback/:deploymentId",
    params: { projectId, deploymentId },
  })),
  pause: ofApi(onProject, ({ project: projectId }) => ({
    method: "POST",
    path: "/v1/projects/:projectId/pause",
    params: { projectId },
  })),
  unpause: ofApi(onProject, ({ project: projectId }) => ({
    method: "POST",
    path: "/v1/projects/:projectId/unpause",
    params: { projectId },
  })),
  verify: ofApi(onDomain, ({ project: idOrName, domain }) => ({
    method: "POST",
    path: "/v9/projects/:idOrName/domains/:domain/verify",
    params: { idOrName, domain },
  })),
  reveal: ofApi(
    onVariable,
    ({ project: idOrName, variable: id }) => ({
      method: "GET",
      path: "/v1/projects/:idOrName/env/:id",
      params: { idOrName, id },
    }),
    (variable) => ({ value: (variable as { value: string }).value }),
  ),
  "publish-record": action(
    z
      .looseObject({ type: zoneType.default("TXT"), value: z.string().min(1) })
      .pipe(zoneRecord) as z.ZodType<ZoneRecord>,
    async ({ services }, record) => {
      await services.store.write(async (tx) => {
        // A name has one CNAME record.
        if (record.type === "CNAME") await removeDnsRecords(tx, record.name, "CNAME");
        await putDnsRecord(tx, record);
      }, zoneKey);
    },
  ),
  redeliver: action(
    z.strictObject({ event: z.string(), receiver: z.string() }),
    async ({ services }, { event, receiver }) => {
      const found = await services.store.write((tx) => redeliver(tx, event, receiver), receiver);
      if (!found) throw notFound("This delivery");
    },
  ),
  "confirm-scopes": onInstallation("/installations/:id/confirm-scopes"),
  enable: onInstallation("/installations/:id/enable"),
  "advance-clock": ofControl(z.strictObject({ advanceMs: z.int() }), (body) => ({
    method: "POST",
    path: "/clock",
    body,
  })),
  "set-records": ofControl(
    z.strictObject({ name: z.string(), type: zoneType.default("TXT"), values: z.array(z.string()) }),
    ({ name, type, values }) =>
      values.length === 0
        ? { method: "DELETE", path: "/dns/:name", params: { name }, query: { type } }
        : { method: "PUT", path: "/dns/:name", params: { name }, body: { type, values } },
  ),
  "plan-builds": ofControl(z.record(z.string(), z.unknown()), (body) => ({
    method: "POST",
    path: "/builds",
    body,
  })),
  "save-state": onState("PUT", "/states/:name"),
  "load-state": onState("POST", "/states/:name/load"),
  "remove-state": onState("DELETE", "/states/:name"),
  reset: ifControlled(ofControl(z.strictObject({}), () => ({ method: "POST", path: "/reset" }))),
  seed: ifControlled(
    ofControl(z.strictObject({ text: z.string() }), ({ text }) => ({
      method: "POST",
      path: "/seed",
      body: readSeedText(text),
    })),
  ),
  "add-fault": ofControl(z.record(z.string(), z.unknown()), (body) => ({
    method: "POST",
    path: "/faults",
    body,
  })),
  "send-again": action(z.strictObject({ sequence: z.int() }), async (context, { sequence }) => {
    const { account, ...asked } = sentAgain(context.state, context.routes, sequence);
    await runNoted(context, account, asked);
  }),
  "remove-fault": action(z.strictObject({ id: z.int() }), async ({ state }, { id }) => {
    if (!state.faults.remove(id)) throw notFound("This fault");
  }),
  "clear-faults": ofControl(z.strictObject({}), () => ({ method: "DELETE", path: "/faults" })),
};

function action<B>(body: z.ZodType<B>, run: (context: ActionContext, body: B) => Promise<unknown>): Action {
  return (context, given) => run(context, check(body, given, "body"));
}

/**
 * Makes an action that runs an operation of the API. The log of requests lists the action.
 * @param answer makes the body of the action's answer from the operation's result. Default: no body
 */
function ofApi<B extends { account: string }>(
  body: z.ZodType<B>,
  operation: (body: B) => Operation,
  answer: (value: unknown) => unknown = () => undefined,
): Action {
  return action(body, async (context, given) =>
    answer(await runNoted(context, given.account, operation(given))),
  );
}

/** Runs an operation of the API, and adds it to the log of requests. */
async function runNoted(
  { services, state, routes }: ActionContext,
  account: string,
  asked: Operation,
): Promise<unknown> {
  const startedAt = performance.now();
  const note = (status: number, refusal?: { code: string; message: string }): void =>
    state.requests.add({
      id: null,
      at: services.clock.now(),
      method: asked.method,
      path: asked.path.replace(/:([^/]+)/g, (_, name) => encodeURIComponent(asked.params?.[name] ?? "")),
      query: stringify(asked.query),
      status,
      ms: Math.round((performance.now() - startedAt) * 10) / 10,
      caller: null,
      account,
      code: refusal?.code ?? null,
      message: refusal?.message ?? null,
      resource: null,
      run: null,
      operation: state.operations.get(`${asked.method} ${unversioned(asked.path)}`) ?? null,
      dashboard: true,
    });
  try {
    const value = await runOperation(services, routes, account, asked);
    note(
      routes.find(({ method, path }) => method === asked.method && path === asked.path)?.success[0] ?? 200,
    );
    return value;
  } catch (error) {
    if (error instanceof Refusal) note(error.status, error);
    throw error;
  }
}

interface ControlOperation {
  method: string;
  path: string;
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}

/** Makes an action that runs an operation of the control plane. */
function ofControl<B>(body: z.ZodType<B>, operation: (body: B) => ControlOperation): Action {
  return action(body, async ({ services, state }, given) => {
    const { method, path, params = {}, query = {}, body = {} } = operation(given);
    const route = controlRoutes.find((one) => one.method === method && one.path === path);
    if (!route) throw new Error(`the control plane has no ${method} ${path}`);
    return runControlRoute(services, state, route, { params, query, body });
  });
}

/** Restricts an action on all data to servers with a control plane, whose operators have allowed such changes. */
function ifControlled(run: Action): Action {
  return async (context, body) => {
    if (context.state.isServed) return run(context, body);
    throw new Refusal(
      403,
      "forbidden",
      "The control plane is off. Start the server with --control-token <token> to allow changes of all data.",
    );
  };
}

function onState(method: string, path: string): Action {
  return ifControlled(
    ofControl(z.strictObject({ name: z.string() }), (params) => ({ method, path, params })),
  );
}

/** @throws Refusal 400 for a text that is not YAML or JSON */
function readSeedText(text: string): unknown {
  const document = parseDocument(text, { prettyErrors: false });
  const [mistake] = document.errors;
  if (mistake) throw badRequest(`The seed is not valid YAML or JSON: ${mistake.message}`);
  let value: unknown;
  try {
    value = document.toJS() ?? {};
  } catch (error) {
    throw badRequest(`The seed is not valid: ${error instanceof Error ? error.message : String(error)}`);
  }
  refuseUnstorable(value, "body");
  return value;
}

function onInstallation(path: string): Action {
  return ofControl(z.strictObject({ installation: z.string() }), ({ installation: id }) => ({
    method: "POST",
    path,
    params: { id },
  }));
}
