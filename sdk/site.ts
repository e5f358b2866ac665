import * as pulumi from "@pulumi/pulumi";
import { userError } from "./core/user-error";
import { DomainVerification } from "./domain-verification";
import { EnvVars } from "./env-vars";
import { Project } from "./project";
import { ProjectDomain } from "./project-domain";
import { Promotion } from "./promotion";
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
  /** The domain name, known when the program is written: the resource is called after it. */
  name: string;
  /** Waits until the domain is verified, before production is promoted. Not given: nothing waits for it. */
  verify?: SiteVerification | undefined;
}

/** How a domain gets verified. */
export interface SiteVerification {
  /**
   * Publishes the challenge: makes a DNS record, one of `records` being enough, and returns it.
   * Not given: the record is published elsewhere.
   */
  publish?: (
    records: pulumi.Output<Challenge[]>,
    opts: { parent: pulumi.Resource },
  ) => pulumi.Resource | pulumi.Resource[];
  /** How long to wait (milliseconds); by default ten minutes. */
  timeoutMs?: pulumi.Input<number | undefined>;
}

/** What a site is declared with. */
export interface SiteArgs {
  /** Settings of the project; it is called like the site unless they say otherwise. */
  project?: Omit<ProjectArgs, "adopt"> | undefined;
  /** Domains, by name or with their settings. */
  domains?: readonly (string | SiteDomain)[] | undefined;
  /** Environment variables by name, as in `EnvVars`. Secret as a whole. */
  variables?: EnvVarsArgs["variables"] | undefined;
  /** Which deployment serves production; not given, it is left to the service. */
  production?: Omit<PromotionArgs, "project"> | undefined;
  /** Takes over a project, domains and variables that exist already. */
  adopt?: pulumi.Input<boolean | undefined>;
}

/**
 * A project with its domains, variables and production in one declaration.
 * Its children are called like the site, the domains `<site>-<domain>`: resources that were declared one by one move
 * into a site by `aliases`, given to them with the option `transforms`.
 */
export class Site extends pulumi.ComponentResource {
  /** The project of the site. */
  readonly project: Project;
  /** The domains, by name. */
  readonly domains: Readonly<Record<string, ProjectDomain>>;
  /** The environment variables, if the site declares some. */
  readonly variables: EnvVars | undefined;
  /** The promotion, if the site declares what serves production. */
  readonly promotion: Promotion | undefined;
  /** Id of the project. */
  readonly projectId: pulumi.Output<string>;
  /** Addresses of the site, in the order of its domains; wildcards have none. */
  readonly urls: pulumi.Output<string[]>;
  /** DNS records still to be published, for domains that are not verified. */
  readonly challenges: pulumi.Output<Challenge[]>;
  /** Id of the deployment that serves production, when the site says which. */
  readonly production: pulumi.Output<string | undefined>;

  constructor(name: string, args: SiteArgs = {}, opts?: pulumi.ComponentResourceOptions) {
    super("slipway:index:Site", name, {}, opts);
    const { domains = [], variables, production, adopt } = args;
    const child = { parent: this };
    this.project = new Project(name, { ...args.project, adopt }, child);
    const project = this.project.id;
    this.projectId = project;

    const declared = domains.map((domain) => (typeof domain === "string" ? { name: domain } : domain));
    refuseDuplicates(name, declared);
    const made: Record<string, ProjectDomain> = {};
    const verified: DomainVerification[] = [];
    refuseLoop(name, declared);
    for (const { verify, redirect, ...domain } of targetsFirst(declared)) {
      // As an output of the other domain, so that it is there before.
      const to = typeof redirect === "string" ? (made[redirect]?.name ?? redirect) : redirect;
      const logical = `${name}-${domain.name}`;
      const resource = new ProjectDomain(logical, { ...domain, project, redirect: to, adopt }, child);
      made[domain.name] = resource;
      if (!verify) continue;
      const published = verify.publish?.(challengesOf(resource), child) ?? [];
      verified.push(
        new DomainVerification(
          logical,
          { project, name: domain.name, timeoutMs: verify.timeoutMs },
          { ...child, dependsOn: [resource, ...[published].flat()] },
        ),
      );
    }
    this.domains = made;
    this.variables = variables && new EnvVars(name, { project, variables, adopt }, child);
    // A promotion moves the domains: they come first.
    const dependsOn = [...Object.values(made), ...verified];
    this.promotion = production && new Promotion(name, { ...production, project }, { ...child, dependsOn });

    const names = declared.map((domain) => domain.name).filter((domain) => !domain.startsWith("*."));
    this.urls = pulumi
      .all(names.map((domain) => made[domain]?.name ?? domain))
      .apply((all) => all.map((domain) => `https://${domain}`));
    this.challenges = pulumi
      .all(Object.values(made).map((domain) => pulumi.all([domain.verified, challengesOf(domain)])))
      .apply((all) => distinct(all.flatMap(([done, records]) => (done ? [] : records))));
    this.production = pulumi.output(this.promotion?.deployment);
    this.registerOutputs({
      projectId: this.projectId,
      urls: this.urls,
      challenges: this.challenges,
      production: this.production,
    });
  }
}

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
      // A loop that this domain only leads to is found from one of its own.
      if (path.includes(next)) break;
      path.push(next);
    }
  }
}

/** Each domain after the one that it redirects to. */
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

/** One record may prove several domains. */
const distinct = (records: readonly Challenge[]): Challenge[] => [
  ...new Map(records.map((record) => [JSON.stringify(record), record])).values(),
];
