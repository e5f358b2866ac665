/**
 * The pages that Pulumi's registry shows, in the registry's format: front matter, and a tab for each language.
 * @param {object} schema the package schema
 * @param {Record<string, string>} programs the same program in each language, by the language of its code block
 * @returns {Record<string, string>} the pages by their names in docs/
 */
export function registryPages(schema, programs) {
  return { "_index.md": overview(schema, programs), "installation-configuration.md": installation(schema) };
}

/** The languages of the tabs, in the registry's order, with the languages of their code blocks. */
const tabs = {
  typescript: "typescript",
  python: "python",
  go: "go",
  csharp: "csharp",
  java: "java",
  yaml: "yaml",
  hcl: "hcl",
};

const frontMatter = (title, description) => `---
title: ${title}
meta_desc: ${description}
layout: package
---`;

function overview({ displayName }, programs) {
  const shown = Object.entries(tabs).map(
    ([tab, fence]) => `{{% choosable language ${tab} %}}

\`\`\`${fence}
${programs[fence].trim()}
\`\`\`

{{% /choosable %}}`,
  );
  return `${frontMatter(displayName, `Provides an overview of the ${displayName} provider for Pulumi.`)}

With the ${displayName} provider, you declare Vercel projects in code: projects, domains, environment variables, and the deployment that serves production. It includes the API as a small server, so that you can try, test and run everything in CI without an account.

## Example

{{< chooser language "${Object.keys(tabs).join(",")}" >}}
${shown.join("\n")}
{{< /chooser >}}
`;
}

function installation({ displayName, name, config, language, repository, pluginDownloadURL }) {
  const { nodejs, python, go, csharp, java } = language;
  const settings = Object.entries(config.variables).map(
    ([key, { description, defaultInfo }]) =>
      `- \`${name}:${key}\` (environment: \`${defaultInfo.environment[0]}\`): ${description}`,
  );
  return `${frontMatter(
    `${displayName} Installation & Configuration`,
    `How to install and configure the ${displayName} provider for Pulumi.`,
  )}

## Installation

The ${displayName} provider is available as a package in all Pulumi languages:

- JavaScript and TypeScript: [\`${nodejs.packageName}\`](https://www.npmjs.com/package/${nodejs.packageName})
- Python: [\`${python.packageName}\`](https://pypi.org/project/${python.packageName}/)
- Go: [\`${go.importBasePath}\`](https://pkg.go.dev/${go.importBasePath})
- .NET: [\`${csharp.rootNamespace}.Slipway\`](https://www.nuget.org/packages/${csharp.rootNamespace}.Slipway)
- Java: [\`${java.basePackage}:slipway\`](https://central.sonatype.com/artifact/${java.basePackage}/slipway)

The Pulumi CLI installs the plugin when a program needs it. To install it beforehand, run:

\`\`\`bash
pulumi plugin install resource ${name} --server ${pluginDownloadURL}
\`\`\`

The plugin contains Node.js. On Linux, it needs glibc.

## Configuration

${settings.join("\n")}

\`\`\`bash
pulumi config set ${name}:team acme
pulumi config set --secret ${name}:token
\`\`\`

The environment wins over the stack's configuration. An explicit provider wins over both. Without \`${name}:apiUrl\`, the provider uses the bundled server on this machine: see [the repository](${repository}).
`;
}
