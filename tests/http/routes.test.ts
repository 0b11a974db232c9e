import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Koa from "koa";
import { expect, onTestFinished, test } from "vitest";
import { v1 } from "#shared/contract/v1.ts";
import type { Endpoint } from "#shared/contract/endpoint.ts";
import { Failure } from "#shared/contract/failure.ts";
import { createRoutes } from "#api/http/routes.ts";

const rows = Object.values(v1).flatMap((endpoints) => Object.values(endpoints as Record<string, Endpoint>));

/** Serves the endpoint table; each endpoint answers with its path pattern and parameters. */
async function serveTable() {
  const routes = createRoutes();
  for (const { method, path } of rows)
    routes.add(method, path, async (koa) => {
      koa.body = { route: `${method} ${path}`, params: koa.state["params"] };
    });
  const app = new Koa();
  app.use(async (koa, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      koa.status = error.status;
      koa.body = { code: error.code };
    }
  });
  app.use(routes.dispatch);
  app.use((koa) => {
    koa.body = { passedOn: true };
  });
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return async (method: string, path: string) => {
    const response = await fetch(origin + path, { method });
    const body = method === "HEAD" ? undefined : await response.json();
    return { status: response.status, allow: response.headers.get("allow"), body };
  };
}

test("every row of the endpoint table routes to itself, with and without a trailing slash", async () => {
  const call = await serveTable();
  for (const { method, path } of rows)
    for (const end of ["", "/"]) {
      const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
      const params = Object.fromEntries(names.map((name) => [name, `the ${name}/é%`]));
      const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
      expect((await call(method, filled + end)).body).toEqual({ route: `${method} ${path}`, params });
    }
});

test("paths without parameters take precedence, and letter case is ignored", async () => {
  const call = await serveTable();
  expect((await call("GET", "/v1/pages/export")).body).toMatchObject({ route: "GET /v1/pages/export" });
  expect((await call("GET", "/v1/Pages/AbC")).body).toEqual({ route: "GET /v1/pages/:id", params: { id: "AbC" } });
  const longId = "x".repeat(12_000);
  expect((await call("GET", `/v1/pages/${longId}`)).body).toMatchObject({ params: { id: longId } });
});

test("HEAD works like GET, and other methods return 405 with the allowed ones", async () => {
  const call = await serveTable();
  expect((await call("HEAD", "/v1/pages/abc")).status).toBe(200);
  for (const method of ["PUT", "OPTIONS"])
    expect(await call(method, "/v1/study/fit")).toEqual({
      status: 405,
      allow: "GET, POST, DELETE",
      body: { code: "method_not_allowed" },
    });
  expect(await call("HEAD", "/v1/auth/login")).toMatchObject({ status: 405, allow: "POST" });
});

test("unknown paths under /v1 return 404, other paths are passed on, undecodable ones return 400", async () => {
  const call = await serveTable();
  for (const path of ["/v1/nothing", "/v1/pages/a/b/c", "/v1//pages", "/v1/"])
    expect(await call("GET", path)).toEqual({ status: 404, allow: null, body: { code: "not_found" } });
  for (const path of ["/", "/home", "/healthz", "/v2/pages/abc"])
    expect((await call("GET", path)).body).toEqual({ passedOn: true });
  expect((await call("OPTIONS", "/health")).body).toEqual({ passedOn: true });
  expect(await call("GET", "/v1/pages/%E0%A4%A")).toMatchObject({ status: 400, body: { code: "bad_input" } });
});
