import { fetchOnce } from "../../../provider/client/http";
import type { RunningServer, StartOptions } from "../../../server/index";
import type { Operation } from "../../objects/operation";
import { Reader } from "./reader";
import type { Schema } from "./schema";

/** The bundled server of this version, with the profile `hosted`, in this process. */
export interface Reference {
  /** Sends requests to the bundled server. */
  readonly reader: Reader;
  /** The id of a project on the bundled server. */
  readonly project: string;
  /** The schemas that other schemas name. */
  readonly definitions: Readonly<Record<string, Schema>>;
  /** All error codes of the bundled server. */
  readonly codes: ReadonlySet<string>;
  answerTo(operation: Operation): ReferenceAnswer;
  /** The members that an object in the answer to an operation can have and need not have. */
  optionalMembersOf(operation: Operation): string[];
  close(): Promise<void>;
}

interface ReferenceAnswer {
  status: number;
  schema: Schema;
  /** True if the operation takes a limit, so that it has pages. */
  hasLimit: boolean;
}

interface Document {
  paths: Record<string, { get?: DocumentedOperation }>;
  components: { schemas: Record<string, Schema> };
}

interface DocumentedOperation {
  parameters?: { name: string }[];
  responses: Record<string, { description: string; content?: { "application/json"?: { schema: Schema } } }>;
}

export async function startReference(): Promise<Reference> {
  const { startServer } = require("../../../server/index") as {
    startServer(options: StartOptions): Promise<RunningServer>;
  };
  const server = await startServer({ profile: "hosted" });
  try {
    const reader = new Reader({ apiUrl: server.url, token: server.token, team: "acme" });
    const { paths, components } = (await reader.get("/openapi.json")).body as Document;
    const answerTo = ({ path }: Operation): ReferenceAnswer => {
      const documented = paths[path]?.get;
      const [status, answer] =
        Object.entries(documented?.responses ?? {}).find(([code]) => code.startsWith("2")) ?? [];
      if (!documented || !answer) throw new Error(`the bundled server has no GET ${path}`);
      return {
        status: Number(status),
        schema: answer.content?.["application/json"]?.schema ?? {},
        hasLimit: documented.parameters?.some(({ name }) => name === "limit") ?? false,
      };
    };
    return {
      reader,
      project: await createProject(server),
      definitions: components.schemas,
      codes: codesIn(paths),
      answerTo,
      optionalMembersOf(operation) {
        const { schema } = answerTo(operation);
        const { items = "" } = operation;
        const list = items === "" ? schema : (schema.properties as Record<string, Schema>)[items];
        const item = operation.items === undefined ? schema : (list?.items as Schema | undefined);
        const required = (item?.required ?? []) as string[];
        return Object.keys(item?.properties ?? {}).filter((member) => !required.includes(member));
      },
      close: () => server.close(),
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** @returns the id of the project */
async function createProject({ url, token }: RunningServer): Promise<string> {
  const answer = await fetchOnce(`${url}/v10/projects?slug=acme`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "sample" }),
  });
  return ((await answer.json()) as { id: string }).id;
}

function codesIn(paths: Document["paths"]): Set<string> {
  const answers = Object.values(paths).flatMap(({ get }) => Object.values(get?.responses ?? {}));
  return new Set(answers.flatMap(({ description }) => description.match(/(?<=`)\w+(?=`)/g) ?? []));
}
