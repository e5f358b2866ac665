import * as z from "zod";
import type { Caller } from "../access/caller";
import { loadProject, projectName, projectPath, unknownProject } from "../access/projects";
import { beingTransferred, paymentMethodNeeded, softBlocked } from "../access/rules";
import { receiverUrl } from "../events/receiver-url";
import { type Call, type Route, route } from "../http/route";
import { newSecret } from "../platform/ids";
import { notFound, type RefusalRow } from "../platform/refusal";
import { tokenHash } from "../platform/vault";
import { findRow, hasRow } from "../store/rows";
import type { ProjectRow } from "./object";
import { transferRefused } from "./rules";
import { applyUpdate } from "./store";
import { completeTransfer, startTransfer } from "./transfer";
import { putTransferRequest, requestedProject } from "./transfer-store";

/**
 * The transfer of a project to whoever has the code of a request for it.
 * @source the newest official client: createProjectTransferRequest, acceptProjectTransferRequest
 */

/** How long a code may be used (ms). @source the newest official client */
const codeLifetimeMs = 24 * 60 * 60 * 1000;

/** @choice An installation neither gives a project away nor takes one. */
const usersOnly: RefusalRow<{ caller: Caller }> = [
  403,
  "forbidden",
  "Only a user transfers a project. Use the access token of a user.",
  ({ caller }) => caller.installation !== undefined,
];

/** @choice A new request replaces the earlier one of the project. Nothing is sent to `callbackUrl`, which is not kept. */
const createRequest = route({
  method: "POST",
  path: "/projects/:idOrName/transfer-request",
  operationId: "createProjectTransferRequest",
  summary: "Makes a code, valid for a day, with which another account can take over a project once.",
  scope: ["read-write:project"],
  params: projectPath,
  body: z
    .strictObject({ callbackUrl: receiverUrl.optional(), callbackSecret: z.string().max(1000).optional() })
    .default({}),
  example: {},
  success: [200, z.strictObject({ code: z.string() })],
  throws: [unknownProject],
  load: loadProject,
  refuse: [usersOnly, beingTransferred],
  async handle({ tx, now, project }) {
    const code = newSecret(32);
    const request = { project_id: project.id, hash: tokenHash(code), expires_at: now + codeLifetimeMs };
    await putTransferRequest(tx, request);
    return { code };
  },
});

const date = z
  .string()
  .max(64)
  .refine((text) => !Number.isNaN(Date.parse(text)), "must be a date");

const accept = z.strictObject({
  newProjectName: projectName.optional(),
  /** Has no effect, because no plan limits the features of a project that is transferred. */
  paidFeatures: z
    .strictObject({
      concurrentBuilds: z.number().int().nullable(),
      passwordProtection: z.boolean().nullable(),
      previewDeploymentSuffix: z.boolean().nullable(),
    })
    .partial()
    .optional(),
  /** Has no effect, because no resources of integrations are transferred. */
  acceptedPolicies: z.record(z.string(), z.record(z.string(), date)).optional(),
});

const empty = z.array(z.never());
type Accepting = Call<{ code: string }, unknown, z.infer<typeof accept>>;

/** @choice Blob stores stay in the old account, as in every transfer. */
const acceptRequest = route({
  method: "PUT",
  path: "/projects/transfer-request/:code",
  operationId: "acceptProjectTransferRequest",
  summary: "Takes over the project of a transfer request, by its code.",
  scope: ["read-write:project"],
  params: z.object({ code: z.string() }),
  body: accept.default({}),
  example: { newProjectName: "web-2" },
  success: [
    202,
    z.strictObject({ partnerCalls: empty, resourceTransferErrors: empty, transferredStoreIds: empty }),
  ],
  throws: [
    [404, "not_found", "the code is unknown, was used or has expired"],
    [400, "bad_request", "the account has the project already"],
    [409, "conflict", "the project is being transferred, or its name or a domain is taken"],
  ],
  otherAccounts: async ({ services, now, params }) => {
    const project = await services.store.read((tx) => requestedProject({ tx, now }, tokenHash(params.code)));
    return project ? [project.account_id] : [];
  },
  load: loadRequest,
  refuse: [usersOnly, softBlocked, paymentMethodNeeded],
  async handle({ tx, now, account, services, body, project }) {
    const target = await findRow(tx, "accounts", { id: account.id });
    if (!target) throw new Error(`account ${account.id} is gone`);
    const { account_id } = project;
    const { newProjectName: name = project.name } = body;
    const isRenamed = name !== project.name && account_id !== target.id;
    if (isRenamed && (await hasRow(tx, "projects", { account_id, name })))
      throw transferRefused.nameTaken({ ...project, name });
    const named = isRenamed ? await applyUpdate({ tx, now }, services, project, { name }) : project;
    await completeTransfer({ tx, now }, await startTransfer({ tx, now }, named, target));
    return { partnerCalls: [], resourceTransferErrors: [], transferredStoreIds: [] };
  },
});

/** @throws Refusal 404. The message does not repeat the code, which is a secret. */
async function loadRequest({ tx, now, params }: Accepting): Promise<{ project: ProjectRow }> {
  const project = await requestedProject({ tx, now }, tokenHash(params.code));
  if (!project) throw notFound("The transfer request");
  return { project };
}

export const transferRequestRoutes: readonly Route[] = [createRequest, acceptRequest];
