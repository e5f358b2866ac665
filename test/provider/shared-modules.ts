/** Modules that hold nothing of a run, and take long to load. */
const stateless = [
  "@grpc/grpc-js",
  "@pulumi/pulumi/proto/engine_grpc_pb",
  "@pulumi/pulumi/proto/engine_pb",
  "@pulumi/pulumi/proto/plugin_pb",
  "@pulumi/pulumi/proto/provider_pb",
  "@pulumi/pulumi/proto/status_pb",
  "google-protobuf/google/protobuf/any_pb",
  "google-protobuf/google/protobuf/empty_pb",
  "google-protobuf/google/protobuf/struct_pb",
  "undici",
  "zod",
];
/** Listens to Node.js for as long as the process runs, and so would keep every module that it was loaded with. */
const listening = "../../provider/cancellation";

/** Has modules that are isolated from now on share these. */
export function shareModules(): void {
  for (const name of [...stateless, listening]) {
    const module = jest.requireActual(name);
    jest.doMock(name, () => module);
  }
}
