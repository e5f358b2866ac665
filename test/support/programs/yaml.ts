import { mapSecrets } from "./declared-secrets";
import { type Program, resolve } from "./program";

/** A program in YAML, which the plugin carries out. @param team of the account of explicit providers */
export function toYaml(program: Program, team: string): string {
  const providers = new Set(program.flatMap(({ provider }) => provider ?? []));
  const resources = [
    ...[...providers].map(
      (name) => [name, { type: "pulumi:providers:slipway", properties: { team } }] as const,
    ),
    ...program.map(({ type, name, args, dependsOn = [], aliases = [], provider, ...others }) => {
      const options = {
        ...others,
        dependsOn: dependsOn.map((other) => `\${${other}}`),
        aliases: aliases.map((alias) => ({ name: alias })),
        ...(provider !== undefined && { provider: `\${${provider}}` }),
      };
      const resolved = resolve(args, ({ $ref, output }) => `\${${$ref}.${output}}`);
      const properties = mapSecrets(resolved, (text) => ({ "fn::secret": text }));
      return [name, { type: `slipway:${type}`, properties, options }] as const;
    }),
  ];
  return `resources: ${JSON.stringify(Object.fromEntries(resources))}\n`;
}
