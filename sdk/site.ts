import * as pulumi from "@pulumi/pulumi";
import { DomainVerification, EnvVars, Project, ProjectDomain, Promotion } from "./classes";
import { userError } from "./core/user-error";
import type { EnvVarsArgs, ProjectArgs, ProjectDomainArgs, PromotionArgs } from "./types";

/** A DNS record that verifies a domain. */
export interface Challenge {
  /** Type of the DNS record. */
  type: string;
  /** Name of the DNS record. */
  domain: string;
  /** Value of the DNS record. */
  value: string;
}

/** A domain of a site. */
export interface SiteDomain
  extends Omit<ProjectDomainArgs, "project" | "name" | "adopt" | "waitForVerification" | "timeoutMs"> {
  /** The domain name: a plain string, not an output, because the resource's name contains the domain name. */
  name: string;
  /** How to verify the domain before the promotion. Without `verify`, the promotion waits for no verification. */
  verify?: SiteVerification | undefined;
}

/** How a domain gets verified. */
export interface SiteVerification {
  /**
   * Your function that declares a DNS record that verifies the domain, and returns the resource of the record. One of
   * `records` is enough. Without `publish`, publish a record yourself, outside the site.
   */
  publish?: (
    records: pulumi.Output<Challenge[]>,
    opts: { parent: pulumi.Resource },
  ) => pulumi.Resource | pulumi.Resource[];
  /** How long to wait in total (milliseconds). Default: 600000 (ten minutes). */
  timeoutMs?: pulumi.Input<number | undefined>;
  /** Also waits until the domain's DNS records point at Vercel. */
  waitForDns?: pulumi.Input<boolean | undefined>;
}

/** Arguments of a site. */
export interface SiteArgs {
  /** Settings of the project. The project's default name is the name of the site. */
  project?: Omit<ProjectArgs, "adopt"> | undefined;
  /** Domains of the site: each is a domain name, or a `SiteDomain` with settings. */
  domains?: readonly (string | SiteDomain)[] | undefined;
  /** Environment variables by name, as in `EnvVars`. The whole input is a secret. */
  variables?: EnvVarsArgs["variables"] | undefined;
  /** The deployment that serves production. Without this input, the site declares no `Promotion`. */
  production?: Omit<PromotionArgs, "project"> | undefined;
  /** Takes over an existing project, domains and variables instead of failing. */
  adopt?: pulumi.Input<boolean | undefined>;
}

/**
 * A project with its domains, variables and production in one declaration.
 * The project, the variables and the promotion have the name of the site. Domains are named `<site>-<domain>`. To move
 * existing resources into a site, give the resources of the site `aliases` with the option `transforms`.
 */
export class Site extends pulumi.ComponentResource {
  /** The project of the site. */
  readonly project: Project;
  /** The domains, by name. */
  readonly domains: Readonly<Record<string, ProjectDomain>>;
  /** The environment variables, if the site declares some. */
  readonly variables: EnvVars | undefined;
  /** The promotion, if the site has the input `production`. */
  readonly promotion: Promotion | undefined;
  /** Id of the project. */
  readonly projectId: pulumi.Output<string>;
  /** URLs of the site, in the order of its domains. Wildcard domains have no URL. */
  readonly urls: pulumi.Output<string[]>;
  /** DNS records to publish, for domains that are not verified. */
  readonly challenges: pulumi.Output<Challenge[]>;
  /** Id of the deployment that serves production, if the site has the input `production`. */
  readonly production: pulumi.Output<string | undefined>;

  constructor(name: string, args: SiteArgs = {}, opts?: pulumi.ComponentResourceOptions) {
    super("slipway:index:Site", name, {}, opts);
    const { variables, production, adopt } = args;
    this.project = new Project(name, { ...args.project, adopt }, { parent: this });
    // The service deletes domains and variables with their project.
    const member = { parent: this, deletedWith: this.project };
    this.projectId = this.project.id;
    const declared = (args.domains ?? []).map((domain) =>
      typeof domain === "string" ? { name: domain } : domain,
    );
    const { domains, verifications } = this.#declareDomains(name, declared, adopt, member);
    this.domains = domains;
    const project = this.projectId;
    this.variables = variables && new EnvVars(name, { project, variables, adopt }, member);
    // A promotion moves the domains, so the domains must exist first.
    const dependsOn = [...Object.values(domains), ...verifications];
    this.promotion = production && new Promotion(name, { ...production, project }, { ...member, dependsOn });

    this.urls = urlsOf(declared, domains);
    this.challenges = openChallenges(Object.values(domains));
    this.production = pulumi.output(this.promotion?.deployment);
    this.registerOutputs({
      projectId: this.projectId,
      urls: this.urls,
      challenges: this.challenges,
      production: this.production,
    });
  }

  #declareDomains(
    site: string,
    declared: readonly SiteDomain[],
    adopt: SiteArgs["adopt"],
    member: pulumi.CustomResourceOptions,
  ): Domains {
    refuseDuplicates(site, declared);
    refuseLoop(site, declared);
    const project = this.projectId;
    const domains: Record<string, ProjectDomain> = {};
    const verifications: DomainVerification[] = [];
    for (const { verify, redirect, ...domain } of targetsFirst(declared)) {
      // The output of the target makes this domain depend on the target.
      const target = typeof redirect === "string" ? (domains[redirect]?.name ?? redirect) : redirect;
      const logicalName = `${site}-${domain.name}`;
      // If the project is replaced, the engine does not ask the provider whether the old domain must be deleted first.
      const options = { ...member, deleteBeforeReplace: true };
      const resource = new ProjectDomain(
        logicalName,
        { ...domain, project, redirect: target, adopt },
        options,
      );
      domains[domain.name] = resource;
      if (!verify) continue;
      const published = verify.publish?.(challengesOf(resource), { parent: this }) ?? [];
      const { timeoutMs, waitForDns } = verify;
      const args = { project, name: domain.name, timeoutMs, waitForDns };
      const dependsOn = [resource, ...[published].flat()];
      verifications.push(new DomainVerification(logicalName, args, { ...member, dependsOn }));
    }
    return { domains, verifications };
  }
}

/** The resources of a site's domains. */
interface Domains {
  domains: Record<string, ProjectDomain>;
  verifications: DomainVerification[];
}

/** The URLs of the domains. Wildcards have no URL. */
function urlsOf(
  declared: readonly SiteDomain[],
  domains: Readonly<Record<string, ProjectDomain>>,
): pulumi.Output<string[]> {
  const names = declared.map(({ name }) => name).filter((name) => !name.startsWith("*."));
  return pulumi
    .all(names.map((name) => domains[name]?.name ?? name))
    .apply((all) => all.map((name) => `https://${name}`));
}

/** The challenges of the domains that are not verified. */
const openChallenges = (domains: readonly ProjectDomain[]): pulumi.Output<Challenge[]> =>
  pulumi
    .all(domains.map((domain) => pulumi.all([domain.verified, challengesOf(domain)])))
    .apply((all) => distinct(all.flatMap(([isVerified, records]) => (isVerified ? [] : records))));

/** @throws RunError for domains that redirect to each other, which the service refuses */
function refuseLoop(site: string, domains: readonly SiteDomain[]): void {
  const targets = new Map(domains.map(({ name, redirect }) => [name, redirect]));
  for (const { name } of domains) {
    const path = [name];
    for (let next = targets.get(name); typeof next === "string"; next = targets.get(next)) {
      // The resource itself refuses a redirect to itself.
      if (next === name && path.length > 1) {
        throw userError(
          `Site "${site}": the domains ${path.join(", ")} redirect to each other. Remove one of the redirects.`,
        );
      }
      // This domain leads to a loop of other domains, which the outer loop finds when it checks them.
      if (path.includes(next)) break;
      path.push(next);
    }
  }
}

/** Sorts the domains so that each domain comes after the target of its redirect. */
function targetsFirst(domains: readonly SiteDomain[]): SiteDomain[] {
  const byName = new Map(domains.map((domain) => [domain.name, domain]));
  const ordered = new Set<SiteDomain>();
  const open = new Set<SiteDomain>();
  const visit = (domain: SiteDomain): void => {
    if (open.has(domain)) return;
    open.add(domain);
    const target = typeof domain.redirect === "string" ? byName.get(domain.redirect) : undefined;
    if (target) visit(target);
    ordered.add(domain);
  };
  for (const domain of [...domains].sort((a, b) => Number(redirects(a)) - Number(redirects(b))))
    visit(domain);
  return [...ordered];
}

const redirects = ({ redirect }: SiteDomain): boolean => redirect !== undefined;

function refuseDuplicates(site: string, domains: readonly SiteDomain[]): void {
  const names = domains.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice === undefined) return;
  throw userError(`Site "${site}": the domain ${twice} is declared twice. Remove one of them.`);
}

const challengesOf = ({ verification }: ProjectDomain): pulumi.Output<Challenge[]> =>
  verification.apply((records = []) => records.map(({ type, domain, value }) => ({ type, domain, value })));

/** Removes duplicates, because one record may verify several domains. */
const distinct = (records: readonly Challenge[]): Challenge[] => [
  ...new Map(records.map((record) => [JSON.stringify(record), record])).values(),
];
