import { beginning, type TestServer } from "../../support/world";

/** Accounts with a little of everything, and how the dashboard shows it. */

export const team = "acme";
export const minute = 60_000;

export async function populate(world: TestServer): Promise<void> {
  const deployment = (id: string, minutes: number, more: object = {}) => ({
    id: `dpl_${id}`,
    team,
    project: "web",
    target: "production" as const,
    url: `${id}.example.app`,
    createdAt: beginning - minutes * minute,
    ...more,
  });
  await world.seed({
    teams: [{ slug: "other", members: [{ user: "dev", role: "OWNER" }] }],
    projects: [
      { team, name: "api", id: "prj_api", paused: true, createdAt: beginning - 3_000 },
      { team, name: "web", id: "prj_web", framework: "nextjs", createdAt: beginning - 2_000 },
      { team: "other", name: "web", id: "prj_other", createdAt: beginning - 1_000 },
    ],
    deployments: [
      deployment("old", 3),
      deployment("live", 2, { gitBranch: "main", gitSha: "a".repeat(40) }),
      deployment("broken", 1, { readyState: "ERROR", target: "preview" }),
      deployment("apis", 4, { project: "api" }),
      { ...deployment("foreign", 1), team: "other" },
    ],
    domains: [
      { team, project: "web", name: "example.com", verified: true },
      { team, project: "web", name: "a.example.org", verified: false, challenge: "0".repeat(20) },
      { team, project: "web", name: "b.example.org", verified: false, challenge: "1".repeat(20) },
      {
        team,
        project: "api",
        name: "www.example.com",
        redirect: "example.com",
        redirectStatusCode: 308,
        verified: true,
      },
      { team: "other", project: "web", name: "example.net", verified: true },
    ],
    dns: [
      {
        name: "_vercel.example.org",
        type: "TXT",
        value: `vc-domain-verify=a.example.org,${"0".repeat(20)}`,
      },
      { name: "_vercel.example.org", type: "TXT", value: "another" },
      { name: "_vercel.example.net", type: "TXT", value: "third" },
    ],
    env: [
      { team, project: "web", key: "Token", value: "secret", type: "sensitive", target: ["production"] },
      {
        team,
        project: "web",
        key: "Greeting",
        value: "hello",
        type: "plain",
        target: ["preview"],
        gitBranch: "next",
        comment: "for the next one",
      },
      { team, project: "api", key: "Token", value: "secret", type: "encrypted", target: ["preview"] },
      { team: "other", project: "web", key: "Token", value: "x", type: "plain", target: ["preview"] },
    ],
  });
}

export const live = {
  id: "dpl_live",
  url: "live.example.app",
  readyState: "READY",
  target: "production",
  branch: "main",
  sha: "a".repeat(40),
  createdAt: beginning - 2 * minute,
};
export const web = {
  id: "prj_web",
  name: "web",
  framework: "nextjs",
  paused: false,
  transferring: false,
  production: live,
  repository: null,
  domains: 3,
  unverified: 2,
  variables: 2,
  activeAt: expect.any(Number),
};
export const api = {
  ...web,
  id: "prj_api",
  name: "api",
  framework: null,
  paused: true,
  production: {
    ...live,
    id: "dpl_apis",
    url: "apis.example.app",
    branch: null,
    sha: null,
    createdAt: beginning - 4 * minute,
  },
  domains: 1,
  unverified: 0,
  variables: 1,
};
export const domain = {
  apexName: "example.com",
  projectId: "prj_web",
  project: "web",
  verified: true,
  redirect: null,
  redirectStatusCode: null,
  gitBranch: null,
  environment: null,
  records: [],
};
export const unverified = (letter: string, digit: string, published: boolean) => ({
  ...domain,
  name: `${letter}.example.org`,
  apexName: "example.org",
  verified: false,
  records: [
    {
      type: "TXT",
      name: "_vercel.example.org",
      value: `vc-domain-verify=${letter}.example.org,${digit.repeat(20)}`,
      published,
    },
  ],
});
export const apex = { ...domain, name: "example.com" };
export const www = {
  ...domain,
  name: "www.example.com",
  projectId: "prj_api",
  project: "api",
  redirect: "example.com",
  redirectStatusCode: 308,
};
export const token = {
  id: expect.any(String),
  projectId: "prj_web",
  project: "web",
  key: "Token",
  type: "sensitive",
  target: ["production"],
  environments: [],
  gitBranch: null,
  comment: null,
  updatedAt: expect.any(Number),
};
export const greeting = {
  ...token,
  key: "Greeting",
  type: "plain",
  target: ["preview"],
  gitBranch: "next",
  comment: "for the next one",
};
export const apiToken = {
  ...token,
  projectId: "prj_api",
  project: "api",
  type: "encrypted",
  target: ["preview"],
};
