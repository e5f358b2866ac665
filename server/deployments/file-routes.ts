import * as z from "zod";
import { type Route, route } from "../http/route";
import type { Upload } from "../http/upload";
import { addUploads } from "./file-store";
import { noDigest, otherDigest, otherSize } from "./rules";

/** The largest file that is accepted, in bytes. @choice The limit of the public API's smallest plan. */
const largestFile = 100 * 1024 * 1024;

/**
 * Accepts a file for deployments that are created later. The server checks and records the file. With a data folder,
 * the contents of the file are kept there.
 * @source the newest official client: uploadFile
 */
const uploadFile = route<unknown, unknown, Upload>({
  method: "POST",
  path: "/v2/files",
  operationId: "uploadFile",
  summary: "Uploads a file for later deployments, which name it by its SHA-1.",
  scope: ["read-write:deployment"],
  upload: largestFile,
  success: [200, z.strictObject({ urls: z.array(z.string()) })],
  refuse: [noDigest, otherDigest, otherSize],
  async handle({ tx, now, account, body }) {
    await addUploads({ tx, now }, account.id, [body]);
    return { urls: [] };
  },
});

export const fileRoutes: readonly Route[] = [uploadFile];
