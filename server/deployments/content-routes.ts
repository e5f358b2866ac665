import { readFile } from "node:fs/promises";
import * as z from "zod";
import { unsupported } from "../http/query";
import { type Call, type Route, route } from "../http/route";
import { notFound, Refusal, type RefusalRow } from "../platform/refusal";
import { findRow } from "../store/rows";
import { loadDeployment, unknownDeployment } from "./list-store";
import * as wire from "./schema";
import { filesOf } from "./tree-store";

/** The largest file in an answer, in bytes, because the answer is built in memory. @choice */
const largestFile = 16 * 1024 * 1024;

const filePath = wire.deploymentPath.extend({
  fileId: z.string().describe("`uid` of the file in the tree."),
});
type FileCall = Call<z.infer<typeof filePath>>;

const tooLarge: RefusalRow<{ size: number }> = [
  400,
  "bad_request",
  `The file has more than ${largestFile} bytes, which are too many for an answer.`,
  ({ size }) => size > largestFile,
];

/**
 * @choice The answer has the member `data`, which clients of the API read. Contents are stored with a data folder only.
 * @source the newest official client: getDeploymentFileContents, which names no members
 */
const getFile = route({
  method: "GET",
  path: "/v8/deployments/:id/files/:fileId",
  operationId: "getDeploymentFileContents",
  summary: "Returns the contents of a file of a deployment, in base64.",
  scope: ["read:deployment"],
  params: filePath,
  query: z.object({ path: unsupported }),
  success: [200, z.strictObject({ data: z.string() })],
  throws: [
    unknownDeployment,
    [404, "not_found", "no such file of the deployment, or its contents are not stored"],
  ],
  before: findFile,
  refuse: [tooLarge],
  async handle({ file, params: { fileId } }) {
    const data = await readFile(file, "base64").catch(() => undefined);
    if (data === undefined) throw contentsMissing(fileId);
    return { data };
  },
});

/** @throws Refusal 404 */
async function findFile({ services, account, caller, params }: Omit<FileCall, "tx" | "emit">) {
  const { id, fileId: sha } = params;
  const size = await services.store.read(async (tx) => {
    const deployment = await loadDeployment({ tx, account, caller, params: { id } });
    const files = (await filesOf(tx, deployment.id)) ?? [];
    if (!files.some((file) => file.sha === sha))
      throw notFound(`File ${JSON.stringify(sha)} of the deployment`);
    return (await findRow(tx, "uploads", { account_id: deployment.account_id, sha }))?.size;
  });
  const file = size === undefined ? undefined : await services.contents?.find(sha, size);
  if (size === undefined || file === undefined) throw contentsMissing(sha);
  return { size, file };
}

const contentsMissing = (sha: string): Refusal =>
  new Refusal(
    404,
    "not_found",
    `The contents of the file ${sha} are not stored. Start the server with a data folder, and deploy again.`,
  );

export const contentRoutes: readonly Route[] = [getFile];
