import { credentials, Server } from "@grpc/grpc-js";
import { ResourceProviderClient, ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { InvokeRequest, InvokeResponse } from "@pulumi/pulumi/proto/provider_pb";
import { pause, requestSignal } from "../../../provider/client/step-limits";
import { Replies } from "../../../provider/plugin/replies";
import { StepsInProgress } from "../../../provider/termination";
import { listen } from "../../support/grpc";

it("ends the waits of a call that the engine cancels, and sends nothing further", async () => {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<unknown>();
  const server = new Server();
  const { unary } = new Replies(new StepsInProgress());
  server.addService(ResourceProviderService, {
    invoke: unary<InvokeRequest, InvokeResponse>(async () => {
      begun.resolve();
      await pause(3_600_000).catch(() => undefined);
      try {
        requestSignal(1_000);
        ended.resolve("sends on");
      } catch (error) {
        ended.resolve((error as Error).message);
      }
      return new InvokeResponse();
    }),
  });
  const client = new ResourceProviderClient(await listen(server), credentials.createInsecure());
  try {
    const answer = Promise.withResolvers<unknown>();
    const call = client.invoke(new InvokeRequest(), (error) => answer.resolve(error?.message));
    await begun.promise;
    call.cancel();
    await expect(answer.promise).resolves.toMatch(/CANCELLED/);
    await expect(ended.promise).resolves.toBe("Pulumi has ended, so nothing further is sent.");
  } finally {
    client.close();
    server.forceShutdown();
  }
});
