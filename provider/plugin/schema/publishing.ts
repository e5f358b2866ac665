/** Where the package and its SDKs are published: the contents of publishing.json. */
export interface Publishing {
  /** The organization on GitHub. */
  organization: string;
  /** The repository on GitHub. */
  repository: string;
  /** The publisher that Pulumi's registry shows. */
  publisher: string;
  /** The package of the Node.js SDK on npm. */
  npm: string;
  /** The package of the Python SDK on PyPI. */
  pypi: string;
  /** The prefix of the names of the .NET SDK: its package on NuGet and its namespace. NuGet reserves `Pulumi`. */
  nuget: string;
  /** The group of the Java SDK on Maven Central, and the start of its package. */
  maven: string;
}

/** The members of the schema with the addresses of the plugin and its sources. */
export function originOf({ organization, repository, publisher }: Publishing): object {
  const address = `https://github.com/${organization}/${repository}`;
  return {
    publisher,
    homepage: address,
    repository: address,
    logoUrl: `https://raw.githubusercontent.com/${organization}/${repository}/main/docs/pictures/logo.png`,
    pluginDownloadURL: `github://api.github.com/${organization}/${repository}`,
  };
}

/** The names of the generated SDKs. */
export function languagesOf(
  packageName: string,
  { organization, repository, npm, pypi, nuget, maven }: Publishing,
): object {
  return {
    nodejs: { packageName: npm, respectSchemaVersion: true },
    python: { packageName: pypi, pyproject: { enabled: true }, respectSchemaVersion: true },
    go: {
      // With `rootPackageName`, the code that `pulumi import` generates would lack the package name of its types.
      importBasePath: `github.com/${organization}/${repository}/sdk/go/${packageName}`,
      generateResourceContainerTypes: true,
      respectSchemaVersion: true,
    },
    csharp: { rootNamespace: nuget, respectSchemaVersion: true },
    java: { basePackage: maven, respectSchemaVersion: true },
  };
}
