import type { Plain } from "../../../provider/core/values";
import type { Row } from "../subject";
import { memberOf, part, patch, setting } from "./settings";

/** An input that stands elsewhere in what the service tells. */
const placed = (
  path: string,
  told: (value: unknown) => Plain,
  ...[first, second, cleared, drifted]: unknown[]
): Row => ({
  path,
  first,
  second,
  changed: "update",
  cleared: "update",
  shown: (value = cleared) => {
    const { resourceConfig, ...rest } = told(value);
    return resourceConfig ? { resourceConfig: expect.objectContaining(resourceConfig) } : rest;
  },
  drift: patch(told(drifted)),
});

const inMachines = (name: string) => (value: unknown) => ({ resourceConfig: { [name]: value } });
const consolidated = { enabled: true, propagateFailures: true };
const comments = { onCommit: true, onPullRequest: true };
const machines = { fluid: false, functionDefaultTimeout: 10 };

/** Settings that came after the specification. */
export const platformRows: readonly Row[] = [
  {
    ...setting("resourceConfig", machines, { fluid: true }, undefined, { fluid: false }),
    shown: (value = { fluid: true, functionDefaultTimeout: 300 }) => ({
      resourceConfig: expect.objectContaining(value as Plain),
    }),
    // Members that leave are reset, also when the rest stays.
    drift: patch({ resourceConfig: { fluid: false } }),
  },
  memberOf("resourceConfig", { functionDefaultTimeout: 10 }, "fluid", false, true, true, false),
  memberOf(
    "resourceConfig",
    {},
    "functionDefaultMemoryType",
    "performance",
    "standard",
    "standard",
    "standard_legacy",
  ),
  memberOf("resourceConfig", { fluid: false }, "functionDefaultTimeout", 10, 20, 300, 30),
  memberOf(
    "resourceConfig",
    { fluid: false },
    "functionDefaultRegions",
    ["fra1", "sfo1"],
    ["sfo1"],
    ["iad1"],
    ["cdg1"],
  ),
  placed("buildMachineType", inMachines("buildMachineType"), "turbo", "enhanced", "standard", "basic"),
  placed("onDemandConcurrentBuilds", inMachines("elasticConcurrencyEnabled"), true, false, false, true),
  placed(
    "prioritiseProductionBuilds",
    (productionDeploymentsFastLane) => ({ productionDeploymentsFastLane }),
    ...[true, false, false, true],
  ),
  setting(
    "gitComments",
    { onCommit: true, onPullRequest: false },
    { onCommit: false, onPullRequest: false },
    null,
    null,
  ),
  ...[".onCommit", ".onPullRequest"].map((path) => ({
    ...part("gitComments", comments, path, true, false),
    drift: patch({ gitComments: comments }),
  })),
  {
    ...setting(
      "gitProviderOptions",
      { createDeployments: "disabled" },
      { createDeployments: "enabled", gitCommitStatus: false },
      undefined,
      { createDeployments: "disabled" },
    ),
    shown: (value = { createDeployments: "enabled", gitCommitStatus: true }) => ({
      gitProviderOptions: expect.objectContaining(value as Plain),
    }),
  },
  ...(
    [
      ["createDeployments", "disabled", "enabled", "enabled", "disabled"],
      ["disableRepositoryDispatchEvents", true, false, false, true],
      ["gitCommitStatus", false, true, true, false],
      ["requireVerifiedCommits", true, false, false, true],
      [
        "consolidatedGitCommitStatus",
        consolidated,
        { enabled: true, propagateFailures: false },
        { enabled: false, propagateFailures: false },
        { enabled: false, propagateFailures: true },
      ],
    ] as const
  ).map(([name, ...values]) => memberOf("gitProviderOptions", {}, name, ...values)),
  ...["enabled", "propagateFailures"].map(
    (name): Row => ({
      path: `gitProviderOptions.consolidatedGitCommitStatus.${name}`,
      given: { gitProviderOptions: { consolidatedGitCommitStatus: consolidated } },
      first: true,
      second: false,
      changed: "update",
      cleared: /^gitProviderOptions.* is missing/,
      shown: (value) => ({
        gitProviderOptions: expect.objectContaining({
          consolidatedGitCommitStatus: { ...consolidated, [name]: value },
        }),
      }),
      drift: patch({ gitProviderOptions: { consolidatedGitCommitStatus: consolidated } }),
    }),
  ),
  setting("previewDeploymentSuffix", "a.example.com", "b.example.com", null, null),
  setting("protectedSourcemaps", true, false, false, true),
];
