/** Fixtures for tests of programs and of clients of the API, with Jest, Vitest, `node:test` and Testcontainers. */

export type { ControlClient, SeedDocument } from "../../server";
export {
  type ContainerOptions,
  type Containers,
  type StartableContainer,
  type StartedContainer,
  startContainer,
} from "./container";
export type { Hook, Hooks } from "./hooks";
export type { PulumiVariables } from "./pulumi-state";
export { RequestError } from "./request";
export type { Account, ServerVariables, StartedServer, TestServer } from "./test-server";
export { type UsedServer, type UseServerOptions, useServer } from "./use-server";
