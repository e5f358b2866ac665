import fc from "fast-check";
import { edgeConfig } from "../../../provider/resources/edge-config";
import { edgeConfigItem } from "../../../provider/resources/edge-config-item";
import { logDrain } from "../../../provider/resources/log-drain";
import { sharedEnvVar } from "../../../provider/resources/shared-env-var";
import { teamMember } from "../../../provider/resources/team-member";
import { teamRoles } from "../../../provider/vocabulary";
import { targets, value } from "./project-inputs";
import { inputsOf } from "./values";

/** Random inputs of what belongs to the team. Runs share it, so that names have the run's name. */

const host = fc.constantFrom("a.example.org", "a.example.org.", "b.example.org");
const few = fc.integer({ min: 0, max: 2 });
const address = fc.constantFrom("192.0.2.1", "192.0.2.2");
const longAddress = fc.constantFrom("2001:db8::1", "2001:DB8:0::1", "2001:db8::2");
const text = fc.constantFrom("one", "two words", 'a "quoted" word');
const authority = fc.constantFrom('0 issue "ca.example.org"', '128 issue "ca.example.org"');

/** The type of a DNS record, with the parts that it needs. */
const content = fc.oneof(
  fc.record({ type: fc.constant("A"), value: address }),
  fc.record({ type: fc.constant("AAAA"), value: longAddress }),
  fc.record({ type: fc.constant("TXT"), value: text }),
  fc.record({ type: fc.constant("CAA"), value: authority }),
  fc.record({ type: fc.constantFrom("ALIAS", "CNAME", "CNAME", "NS"), value: host }),
  fc.record({ type: fc.constant("MX"), value: host, mxPriority: few }),
  fc.record({
    type: fc.constant("SRV"),
    srv: fc.record({ priority: few, weight: few, port: few, target: host }),
  }),
  fc.record({
    type: fc.constant("HTTPS"),
    https: fc.record(
      { priority: few, target: host, params: fc.constantFrom("alpn=h2", "alpn=h3  port=8443") },
      { requiredKeys: ["priority", "target"] },
    ),
  }),
);

/** Which of the projects. */
const projectIds = fc.uniqueArray(fc.nat(2), { minLength: 1, maxLength: 2 });
const receiver = fc.constantFrom("http://127.0.0.1:9/%/one", "http://127.0.0.1:9/%/two");
const events = fc.uniqueArray(fc.constantFrom("project.created", "project.removed", "budget.reached"), {
  minLength: 1,
});

/** Any JSON. */
const item = fc.constantFrom("one", 2, false, null, "", ["b", "a"], {
  deep: { list: [1, null], text: "two" },
});
const schema = fc.constantFrom({}, { title: "one" }, { description: "two", title: "one" });

export const ofTeam = {
  record: (name: string) =>
    fc.record(
      {
        name: fc.constantFrom(`${name}.%`, `${name}.%`, `other-${name}.%`),
        content,
        ttl: fc.constantFrom(60, 300),
        comment: fc.constantFrom("one", "two"),
      },
      { requiredKeys: ["name", "content"] },
    ),

  variable: (name: string) =>
    fc
      .tuple(
        fc.constantFrom(`SHARED_%_${name}`, `SHARED_%_${name}`, `OTHER_%_${name}`),
        value,
        fc.oneof(targets, fc.constant([])),
        inputsOf(sharedEnvVar, {
          ...{ key: undefined, value: undefined, valueFrom: undefined, target: undefined },
          projectIds: fc.uniqueArray(fc.nat(2), { maxLength: 2 }),
        }),
      )
      .map(([key, value, target, rest]) => ({ key, value, target, ...rest })),

  /** Its variable is one of those that do not declare their projects. */
  link: () => fc.constant({}),

  member: (name: string) =>
    fc
      .tuple(
        // The case of an address does not count.
        fc.constantFrom(
          `${name}.%@example.org`,
          `${name.toUpperCase()}.%@example.org`,
          `other-${name}.%@example.org`,
        ),
        fc.constantFrom(...teamRoles),
        inputsOf(teamMember, { email: undefined, role: undefined }),
      )
      .map(([email, role, rest]) => ({ email, role, ...rest })),

  config: (name: string) =>
    fc
      .tuple(
        fc.constantFrom(`${name}-%`, `${name}-%`, `other-${name}_%`),
        inputsOf(edgeConfig, { slug: undefined, schema }),
      )
      .map(([slug, rest]) => ({ slug, ...rest })),

  item: (name: string) =>
    fc
      .tuple(
        fc.constantFrom(name, name, `other-${name}`),
        item,
        inputsOf(edgeConfigItem, { edgeConfigId: undefined, key: undefined, value: undefined }),
      )
      .map(([key, value, rest]) => ({ key, value, ...rest })),

  token: () => fc.record({ label: fc.constantFrom("one", "two words") }),

  webhook: () => fc.record({ url: receiver, events, projectIds }, { requiredKeys: ["url", "events"] }),

  drain: (name: string) =>
    fc
      .tuple(
        fc.constantFrom(`${name} %`, `other ${name} %`),
        receiver,
        inputsOf(logDrain, {
          ...{ name: undefined, endpoint: undefined },
          projectIds,
          environments: fc.subarray(["production", "preview"], { minLength: 1 }),
          samplingRate: fc.constantFrom(0.25, 0.5, 1),
          "headers{}": fc.constantFrom("x-one", "X-Two"),
          "headers.*": fc.constantFrom("canary-1", "canary 2", ""),
          secret: fc.constantFrom("canary".padEnd(32, "x"), "canary".padEnd(32, "y")),
        }),
      )
      .map(([name, endpoint, rest]) => ({ name, endpoint, ...rest })),
};
