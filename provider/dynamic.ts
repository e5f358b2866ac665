import type * as pulumi from "@pulumi/pulumi";
import { flushSpans } from "./client/trace";
import type { Resource } from "./core/resource";
import { EngineConnections } from "./dynamic/cancellation";
import { DynamicHost } from "./dynamic/host";
import { handlerName, type ResourceType } from "./loader";
import { resources } from "./resources";
import { beforeEnd, StepsInProgress } from "./termination";

/** The dynamic provider. The `__provider` of a resource (see `loader`) names an export. Pulumi calls its `handler`. */
for (const resource of Object.values<Resource>(resources)) {
  exports[handlerName(resource.type as ResourceType)] = {
    handler(): pulumi.dynamic.ResourceProvider {
      host ??= startHost();
      return host.handlerOf(resource);
    },
  };
}

/** The host of this process. The first call of a `handler` starts the host; importing this module does not. */
let host: DynamicHost | undefined;

function startHost(): DynamicHost {
  muteStackLine();
  const steps = new StepsInProgress();
  const engine = new EngineConnections((cancel) => steps.endProcessAfterwards(cancel));
  const started = new DynamicHost(engine, steps);
  beforeEnd(async () => {
    await started.showLastWarnings();
    await flushSpans();
  });
  return started;
}

/**
 * Drops a redundant line. For each failed diff, read and delete, Pulumi's process prints the error and its stack with
 * `: ` between them (`host` makes both empty). It also sends the message to the engine, which prints the message.
 */
function muteStackLine(): void {
  const print = console.error;
  console.error = (...values: unknown[]) => {
    if (values.length !== 1 || values[0] !== ": ") print(...values);
  };
}
