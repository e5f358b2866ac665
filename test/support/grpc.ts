import { type Server, ServerCredentials } from "@grpc/grpc-js";

/** Starts a gRPC server on a free port of this machine. @returns its address, `127.0.0.1:<port>` */
export const listen = (server: Server): Promise<string> =>
  new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(`127.0.0.1:${port}`),
    );
  });
