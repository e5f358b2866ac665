import * as z from "zod";
import { findAccount } from "../../access/account-store";
import { notFound } from "../../platform/refusal";
import type { ProjectRow } from "../../projects/object";
import { completeTransfer, startTransfer } from "../../projects/transfer";
import { findRow } from "../../store/rows";
import type { Tx } from "../../store/store";
import { accountsIn, writeOn } from "../locks";
import { controlRoute } from "../route";

const projectPath = z.object({ id: z.string().describe("Id of the project.") });

/** Starts the transfer of a project to another account. Until it is complete, writes to the project are refused. */
const postTransfer = controlRoute({
  method: "POST",
  path: "/projects/:id/transfer",
  operationId: "beginTransfer",
  summary:
    "Begins the transfer of a project to another account. Until it is completed, writes to the project are refused.",
  example: { toUser: "dev" },
  params: projectPath,
  body: z
    .strictObject({ toTeam: z.string().optional(), toUser: z.string().optional() })
    .refine(({ toTeam, toUser }) => (toTeam === undefined) !== (toUser === undefined), {
      message: "needs either toTeam or toUser",
    }),
  handle: ({ params, body, services }) =>
    writeOn(
      services,
      (tx) => accountsOf(tx, params.id, body),
      async (tx) => {
        const [kind, key] =
          body.toTeam === undefined ? ["user" as const, body.toUser ?? ""] : ["team" as const, body.toTeam];
        const project = await loadById(tx, params.id);
        const target = await findAccount(tx, kind, key);
        if (!target) throw notFound(`The ${kind} ${JSON.stringify(key)}`);
        return view(await startTransfer({ tx, now: services.clock.now() }, project, target));
      },
    ),
});

const postComplete = controlRoute({
  method: "POST",
  path: "/projects/:id/transfer/complete",
  operationId: "completeTransfer",
  summary: "Completes the transfer of a project.",
  params: projectPath,
  handle: ({ params, services }) =>
    writeOn(
      services,
      (tx) => accountsOf(tx, params.id),
      async (tx) =>
        view(await completeTransfer({ tx, now: services.clock.now() }, await loadById(tx, params.id))),
    ),
});

/** The accounts that a transfer changes. */
async function accountsOf(
  tx: Tx,
  project: string,
  { toTeam, toUser }: { toTeam?: string | undefined; toUser?: string | undefined } = {},
): Promise<string[]> {
  const row = await findRow(tx, "projects", { id: project });
  const accounts = [row?.account_id, row?.transfer_to_account_id ?? undefined];
  return [...accounts.flatMap((id) => id ?? []), ...(await accountsIn({ team: toTeam, user: toUser })(tx))];
}

async function loadById(tx: Tx, id: string): Promise<ProjectRow> {
  const project = await findRow(tx, "projects", { id });
  if (!project) throw notFound(`Project ${JSON.stringify(id)}`);
  return project;
}

const view = (row: ProjectRow): object => ({
  id: row.id,
  name: row.name,
  accountId: row.account_id,
  transferStartedAt: row.transfer_started_at,
  transferToAccountId: row.transfer_to_account_id,
  transferCompletedAt: row.transfer_completed_at,
  transferredFromAccountId: row.transferred_from_account_id,
});

export const transferRoutes = [postTransfer, postComplete];
