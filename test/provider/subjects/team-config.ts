import type { Plain } from "../../../provider/core/values";
import { teamConfig } from "../../../provider/resources/team-config";
import { life, type Row, type Subject } from "../subject";

const path = "/v2/teams/acme";

/** Changes the team without the provider. */
const set =
  (body: object): Row["drift"] =>
  (w) =>
    w.curl("PATCH", path, body);

/**
 * A setting whose input has the form of the service.
 * @param unset what the service has when the setting has left the program; undefined if the setting stays
 */
const setting = (name: string, first: unknown, second: unknown, unset: unknown, foreign: unknown): Row => ({
  path: name,
  first,
  second,
  changed: "update",
  cleared: "update",
  shown: (value = unset) => (value === undefined ? {} : { [name]: value }),
  drift: set({ [name]: foreign }),
});

/** A setting that is on or off. */
const onOrOff = (name: string, unset: unknown): Row[] => {
  const [on, off] = [{ enabled: true }, { enabled: false }];
  const whole = setting(name, on, off, unset, on);
  const cleared = new RegExp(`^${name}.enabled is missing`);
  const shown = (enabled: unknown): Plain => ({ [name]: { enabled } });
  return [whole, { ...whole, path: `${name}.enabled`, first: true, second: false, cleared, shown }];
};

const policy = (name: string): Row => setting(name, "on", "off", "default", "on");
const flag = (name: string): Row => setting(name, true, false, false, true);

const enforced = { enforced: true };
const member = { K: { role: "MEMBER" } };
const group = (role: unknown): Plain => ({ saml: { enforced: true, roles: { K: role } } });
const saml: Omit<Row, "path" | "first" | "second"> = {
  changed: "update",
  cleared: "update",
  shown: () => ({}),
  drift: set(group("BILLING")),
};

export const subject: Subject = {
  resource: teamConfig,
  handler: "teamconfig",
  prepare: async () => ({ given: {} }),
  look: (w) => w.curl("GET", path),
  listed: { query: {}, names: ["acme"] },
  rows: [
    setting("name", "Acme", "Acme Works", undefined, "Others"),
    {
      path: "slug",
      first: "acme",
      second: "acme-works",
      changed: /would change during the run/,
      cleared: "update",
      shown: (slug) => (slug === undefined ? {} : { slug }),
      drift: "the provider, which selects the team by its slug, would not find it",
    },
    setting("description", "Builds the shop", "Builds shops", "", "Others"),
    setting("emailDomain", "example.org", null, null, "example.net"),
    setting("previewDeploymentSuffix", "preview.example.org", null, null, "example.net"),
    policy("sensitiveEnvironmentVariablePolicy"),
    policy("enablePreviewFeedback"),
    policy("enableProductionFeedback"),
    ...onOrOff("remoteCaching", undefined),
    flag("hideIpAddresses"),
    flag("hideIpAddressesInLogDrains"),
    flag("requireVerifiedCommits"),
    flag("disableRepositoryDispatchEvents"),
    ...onOrOff("strictDeploymentProtectionSettings", { enabled: false }),
    ...onOrOff("strictShareableLinks", { enabled: false }),
    ...onOrOff("strictPasswordProtectionSettings", { enabled: false }),
    {
      ...saml,
      path: "saml",
      first: enforced,
      second: { enforced: false },
      shown: (value) => (value === undefined ? {} : { saml: value }),
      drift: set({ saml: enforced }),
    },
    {
      ...saml,
      path: "saml.enforced",
      first: true,
      second: false,
      cleared: /^saml.enforced is missing/,
      shown: (value) => ({ saml: { enforced: value } }),
      drift: set({ saml: enforced }),
    },
    {
      ...saml,
      path: "saml.roles",
      given: { saml: enforced },
      first: member,
      second: { K: { role: "OWNER" } },
    },
    {
      ...saml,
      path: "saml.roles.*",
      given: { saml: enforced },
      first: { role: "MEMBER" },
      second: { accessGroupId: "ag_1" },
      shown: (value) =>
        group(
          (value as Plain | undefined)?.role ?? (value === undefined ? undefined : { accessGroupId: "ag_1" }),
        ),
    },
    {
      ...saml,
      path: "saml.roles.*.role",
      given: { saml: enforced },
      first: "MEMBER",
      second: "VIEWER",
      cleared: /must have either role or accessGroupId/,
      shown: group,
    },
    {
      ...saml,
      path: "saml.roles.*.accessGroupId",
      given: { saml: enforced },
      first: "ag_1",
      second: "ag_2",
      cleared: /must have either role or accessGroupId/,
      shown: (accessGroupId) => group({ accessGroupId }),
    },
  ],
  operations: life(
    teamConfig,
    () => ({ name: "Acme", hideIpAddresses: true }),
    () => ({ name: "Acme Works", enablePreviewFeedback: "on" }),
  ),
};
