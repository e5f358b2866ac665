import type { RequestContext } from "../../../server/http/context";
import { Router } from "../../../server/http/router";

const asked = (method: string, path: string) =>
  ({ method, path, routedPath: path, params: {} }) as unknown as RequestContext;
const answering = (status: number) => () => ({ status }) as never;

it("two servers with the same routes have their own handlers", () => {
  const routers = [1, 2].map((status) => {
    const router = new Router();
    router.add("GET", "/v9/projects/:id", answering(status));
    return router;
  });
  const found = routers.map((router) => router.find(asked("GET", "/projects/a"))(asked("GET", "")));
  expect(found).toEqual([{ status: 1 }, { status: 2 }]);
});

it("finds a route that is added after the first request", () => {
  const router = new Router();
  router.add("GET", "/v9/projects", answering(1));
  expect(() => router.find(asked("POST", "/projects"))).toThrow("does not accept the method");
  router.add("POST", "/v10/projects", answering(2));
  expect(router.find(asked("POST", "/projects"))(asked("POST", ""))).toEqual({ status: 2 });
});

it("refuses a route that is added twice, in another version too", () => {
  const router = new Router();
  router.add("GET", "/v9/projects", answering(1));
  expect(() => router.add("GET", "/v10/projects", answering(2))).toThrow(
    "the route GET /v10/projects is added twice",
  );
});
