import * as z from "zod";
import { type Route, route } from "../http/route";

/**
 * @choice The code of an account does not change, and this server never asks an endpoint for the code.
 * @source the Terraform provider: `vercel_endpoint_verification`
 */
const getVerificationCode = route({
  method: "GET",
  path: "/v1/verify-endpoint",
  operationId: "getVerificationCode",
  summary: "Returns the code with which an endpoint shows that it belongs to the account.",
  scope: ["read:log-drain"],
  success: [200, z.strictObject({ verificationCode: z.string() })],
  handle: async ({ account, services }) => ({
    verificationCode: services.vault.digest(`verify-endpoint:${account.id}`).slice(0, 40),
  }),
});

export const verifyEndpointRoutes: readonly Route[] = [getVerificationCode];
