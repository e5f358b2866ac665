/** The environment of a Pulumi CLI that Slipway runs. Otherwise, the CLI asks for newer versions once a day. */
export const pulumiEnvironment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PULUMI_SKIP_UPDATE_CHECK: "true",
});
