import * as z from "zod";
import { gitProviders } from "../../provider/vocabulary";
import { flag, unsupported } from "../http/query";
import { type Call, type Route, route } from "../http/route";
import { linkTo, namespaceId, type Repository } from "./link";
import { findRepositories } from "./link-store";

/**
 * The Git repositories that an account can link.
 * @choice They are those of its Git providers and those that its projects are linked to. The server asks no Git
 *   provider, so it knows no branches, times and roles there: a repository is private, has the branch `main` and the
 *   time 0, and its namespace is a team. Their ids are those in the links of projects.
 * @source the newest official client: gitNamespaces, searchRepo
 */

const id = z.union([z.string(), z.number()]);
const type = z.enum(gitProviders);
const provider = z.enum([...gitProviders, "github-limited", "github-custom-host", "cursor-origin"]);

const ownerOf = ({ repo }: Repository): string => repo.slice(0, repo.indexOf("/"));

const listNamespaces = route({
  method: "GET",
  path: "/v1/integrations/git-namespaces",
  operationId: "gitNamespaces",
  summary: "Lists the owners of the Git repositories that the account can link.",
  scope: ["read:project"],
  query: z.object({
    provider: provider.optional().describe("Only namespaces of this Git provider."),
    viewerMetadata: flag.optional().describe("Has no effect: the server knows no roles at Git providers."),
    host: unsupported,
  }),
  success: [
    200,
    z.array(
      z.strictObject({
        id,
        provider: type,
        slug: z.string(),
        name: z.string(),
        ownerType: z.literal("team"),
      }),
    ),
  ],
  async handle(call) {
    const found = new Map<string, Repository>();
    for (const one of await wanted(call, call.query.provider)) {
      const key = `${one.type}:${ownerOf(one)}`;
      if (!found.has(key)) found.set(key, one);
    }
    return [...found.values()].map((one) => {
      const name = ownerOf(one);
      return { id: namespaceId(one), provider: one.type, slug: name, name, ownerType: "team" as const };
    });
  },
});

const repository = z.strictObject({
  ...{ id, provider: type, url: z.string(), name: z.string(), slug: z.string(), namespace: z.string() },
  owner: z.strictObject({ id, name: z.string() }),
  ownerType: z.literal("team"),
  ...{ private: z.literal(true), defaultBranch: z.literal("main"), updatedAt: z.literal(0) },
});

const searchRepositories = route({
  method: "GET",
  path: "/v1/integrations/search-repo",
  operationId: "searchRepo",
  summary: "Lists the Git repositories that the account can link, of one Git provider.",
  scope: ["read:project"],
  query: z.object({
    query: z.string().optional().describe("Only repositories whose name contains this text, in any case."),
    namespaceId: z.string().optional().describe("Only repositories of this namespace."),
    provider: provider.optional().describe("Default: the first Git provider with repositories."),
    installationId: unsupported,
    host: unsupported,
  }),
  success: [
    200,
    z.strictObject({
      gitAccount: z.strictObject({ namespaceId: id.nullable(), provider }),
      repos: z.array(repository),
    }),
  ],
  async handle(call) {
    const { query = "", namespaceId: namespace, provider: given } = call.query;
    const all = await wanted(call, given);
    const of = given ?? all[0]?.type ?? "github";
    const repos = all
      .filter(({ type, repo }) => type === of && repo.toLowerCase().includes(query.toLowerCase()))
      .filter((one) => namespace === undefined || String(namespaceId(one)) === namespace);
    const gitAccount = { namespaceId: namespace ?? null, provider: of };
    return { gitAccount, repos: repos.map(viewRepository) };
  },
});

/** The repositories of one provider or of all, ordered by provider and name. */
const wanted = async (call: Call, of: string | undefined): Promise<Repository[]> =>
  (await findRepositories(call)).filter(({ type }) => of === undefined || type === of);

function viewRepository(one: Repository): z.infer<typeof repository> {
  const { repoId, repoUrl } = linkTo(one, 0);
  const namespace = ownerOf(one);
  const name = one.repo.slice(namespace.length + 1);
  return {
    ...{ id: one.type === "bitbucket" ? repoId : Number(repoId), provider: one.type, url: repoUrl },
    ...{ name, slug: name, namespace, owner: { id: namespaceId(one), name: namespace } },
    ...{ ownerType: "team", private: true, defaultBranch: "main", updatedAt: 0 },
  };
}

export const gitRoutes: readonly Route[] = [listNamespaces, searchRepositories];
