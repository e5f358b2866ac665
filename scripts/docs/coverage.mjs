/** How many operations are served, as a paragraph. */
export function coverageSentence({ sdkOperations, cliPaths, clients }, folder) {
  const share = (list) => `${list.filter(({ isServed }) => isServed).length} of ${list.length}`;
  const link = folder ? ` [Coverage of the API](${folder}coverage.md) lists them.` : "";
  return [
    `The server serves ${share(sdkOperations)} operations of the official SDK (\`@vercel/sdk\` ${clients.sdk.version}), and ${share(cliPaths)} paths of the official command line (\`vercel\` ${clients.cli.version}).${link}`,
  ];
}

/** The rows of the operations of the SDK. */
export const sdkRows = ({ sdkOperations, limits }) =>
  sdkOperations.map(({ id, method, path, isServed }) => [
    `\`${id}\``,
    `\`${method} ${path}\``,
    isServed ? (limits[id] ? `with limits: ${limits[id]}` : "yes") : "no",
  ]);

/** The rows of the paths of the command line. */
export const cliRows = ({ cliPaths }) =>
  cliPaths.map(({ path, isServed }) => [`\`${path}\``, isServed ? "yes" : "no"]);
