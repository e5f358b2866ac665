import { useWorld } from "../../support/world";

const world = useWorld();

interface Document {
  paths: Record<string, Record<string, { summary: string }>>;
}

describe("the page for readers", () => {
  it("is where the server's address leads", async () => {
    const { statusCode, headers } = await world.app.inject("/");
    expect([statusCode, headers.location]).toEqual([302, "/docs"]);
  });

  it("lists each operation of the document, and leads to it", async () => {
    const { paths } = (await world.app.inject("/openapi.json")).json<Document>();
    const page = (await world.app.inject("/docs")).body;
    const links = [...page.matchAll(/<li><a href="#([^"]+)"><b>(\w+)<\/b> ([^<]+)<\/a>/g)];
    const listed = links.map(([, , method = "", path]) => `${method.toLowerCase()} ${path}`);
    const documented = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method} ${path}`),
    );
    expect(listed.sort()).toEqual(documented.sort());
    expect(links.filter(([, place]) => !page.includes(`<section id="${place}">`))).toEqual([]);
  });
});
