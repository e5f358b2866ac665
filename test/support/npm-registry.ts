import { execFileSync } from "node:child_process";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

interface Published {
  name: string;
  versions: Record<string, { dist: { tarball: string } }>;
  _attachments: Record<string, { data: string }>;
}

/** An npm registry that keeps what is published, and sends clients to the machine's own registry for everything else. */
export class NpmRegistry {
  private readonly packages = new Map<string, Published>();
  readonly published: string[] = [];

  private constructor(
    private readonly server: Server,
    private readonly upstream: string,
  ) {}

  static async start(): Promise<NpmRegistry> {
    const upstream = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
    const server = createServer();
    const registry = new NpmRegistry(server, upstream);
    server.on("request", async (request, response) => {
      const { status, headers = {}, body = "" } = await registry.answer(request);
      response.writeHead(status, headers).end(body);
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.server.close();
  }

  private async answer(
    request: IncomingMessage,
  ): Promise<{ status: number; headers?: Record<string, string>; body?: string | Buffer }> {
    const { pathname } = new URL(request.url ?? "", this.url);
    const path = decodeURIComponent(pathname).slice(1);
    if (request.method === "PUT") {
      const document: Published = JSON.parse((await request.toArray()).join(""));
      this.packages.set(path, document);
      this.published.push(document.name);
      return { status: 201, body: "{}" };
    }
    const [tarball] = /^tarballs\/(.+)$/.exec(path) ?? [];
    if (tarball !== undefined) {
      const name = path.slice("tarballs/".length);
      const data = Object.values(this.packages.get(name)?._attachments ?? {})[0]?.data ?? "";
      return { status: 200, body: Buffer.from(data, "base64") };
    }
    const known = this.packages.get(path);
    if (!known) return { status: 302, headers: { location: new URL(pathname.slice(1), this.upstream).href } };
    const { _attachments: _, ...packument } = structuredClone(known);
    for (const { dist } of Object.values(packument.versions)) dist.tarball = `${this.url}tarballs/${path}`;
    return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(packument) };
  }
}
