import { expect, test } from "vitest";
import { v1 } from "#shared/contract/v1.ts";
import type { Endpoint } from "#shared/contract/endpoint.ts";
import { startApi } from "#tests/kit/api.ts";

test("health reports the store, the files and the disk", async () => {
  const api = await startApi();
  const health = await api.clientFor().admin.getHealth({});
  expect(health).toMatchObject({ status: "ok", store: "ok", blobs: "ok", disk: { status: "ok" } });
  expect(health.disk?.freeBytes).toBeGreaterThan(0);
});

test("metrics count answers by route pattern, never by id", async () => {
  const api = await startApi();
  const { client } = await api.newUser();
  await expect(client.pages.getPage({ id: "01SECRETSECRETSECRETSECRET" })).rejects.toMatchObject({ code: "not_found" });
  const text = await (await api.clientFor().admin.getMetrics({})).text();
  expect(text).toContain('route="/v1/pages/:id",status="404"');
  expect(text).not.toContain("SECRET");
});

const METRICS_TOKEN = "a token of the operator's own";

/** The status of the metrics and the number of health fields that a caller with these headers gets. */
async function readMetricsAndHealth(env: Record<string, string>, headers: Record<string, string> = {}) {
  const api = await startApi({ env: { REGISTRATION: "closed", ...env } });
  const [metrics, health] = await Promise.all(
    ["/metrics", "/health"].map((path) => fetch(api.origin + path, { headers })),
  );
  const state = (await health?.json()) as Record<string, unknown>;
  expect([health?.status, state["status"]]).toEqual([200, "ok"]);
  return { metrics: metrics?.status, healthFields: Object.keys(state).length };
}

test("metrics and health details are served to this machine only, and not behind a proxy", async () => {
  const [shown, hidden] = [
    { metrics: 200, healthFields: 5 },
    { metrics: 404, healthFields: 1 },
  ];
  expect(await readMetricsAndHealth({})).toEqual(shown);
  expect(await readMetricsAndHealth({ PUBLIC_URL: "http://localhost:3000" })).toEqual(shown);
  expect(await readMetricsAndHealth({ PUBLIC_URL: "https://study.example.org" })).toEqual(hidden);
  expect(await readMetricsAndHealth({ TRUST_PROXY: "1" })).toEqual(hidden);
  expect(await readMetricsAndHealth({ TRUST_PROXY: "1" }, { "x-forwarded-for": "127.0.0.1" })).toEqual(hidden);
  // A proxy on the same machine that is not named in the settings.
  for (const name of ["x-forwarded-for", "x-real-ip", "forwarded", "via"])
    expect(await readMetricsAndHealth({}, { [name]: "127.0.0.1" })).toEqual(hidden);
});

test("with METRICS_TOKEN, metrics are served from anywhere to callers with the token, and to no one else", async () => {
  const env = { TRUST_PROXY: "1", METRICS_TOKEN };
  const ask = (token: string) =>
    readMetricsAndHealth(env, { "x-forwarded-for": "203.0.113.7", authorization: `Bearer ${token}` });
  expect(await ask(METRICS_TOKEN)).toEqual({ metrics: 200, healthFields: 5 });
  expect(await ask(`${METRICS_TOKEN}x`)).toEqual({ metrics: 404, healthFields: 1 });
  expect(await readMetricsAndHealth({ METRICS_TOKEN }, { authorization: "Bearer another token here" })).toEqual({
    metrics: 404,
    healthFields: 1,
  });
});

/** How many of 22 sign-ins are refused by the rate limit; each has its own address in the header. */
async function countRefused(trustedProxies: number, headerOf: (index: number) => string): Promise<number> {
  const api = await startApi({ env: { TRUST_PROXY: String(trustedProxies), REGISTRATION: "open" } });
  const statuses = await Promise.all(
    Array.from({ length: 22 }, async (_, index) => {
      const response = await fetch(`${api.origin}/v1/auth/login`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": headerOf(index) },
        // The request is counted before its body is read, so no password has to be hashed.
        body: "{}",
      });
      return response.status;
    }),
  );
  return statuses.filter((status) => status === 429).length;
}

const proxied = (client: string, index: number) => `8.8.${index}.1, ${client}`;

test("forged client addresses don't bypass the rate limit, because only trusted proxies are believed", async () => {
  expect(await countRefused(0, (index) => proxied("203.0.113.7", index))).toBe(2);
  expect(await countRefused(1, (index) => proxied("203.0.113.7", index))).toBe(2);
  expect(await countRefused(2, (index) => `${proxied("203.0.113.7", index)}, 10.0.0.1`)).toBe(2);
  // Different clients behind the proxies have limits of their own.
  expect(await countRefused(1, (index) => `203.0.113.${index}`)).toBe(0);
  expect(await countRefused(2, (index) => `203.0.113.${index}, 10.0.0.1`)).toBe(0);
});

test("the addresses of one IPv6 subscriber count as one", async () => {
  expect(await countRefused(1, (index) => `2001:db8:1:2:${index}::7`)).toBe(2);
  expect(await countRefused(1, (index) => `2001:db8:1:${index}::7`)).toBe(0);
  expect(await countRefused(1, (index) => (index % 2 === 0 ? "203.0.113.7" : "::ffff:203.0.113.7"))).toBe(2);
});

test("the OpenAPI document lists every endpoint under its path, with the failures of its row", async () => {
  const api = await startApi();
  const response = await fetch(`${api.origin}/v1/openapi.json`);
  expect(response.headers.get("content-type")).toContain("application/json");
  const document = (await response.json()) as {
    openapi: string;
    paths: Record<string, Record<string, { responses: object }>>;
  };
  expect(document.openapi).toBe("3.1.0");
  const rows = Object.values(v1).flatMap((feature) => Object.values(feature as Record<string, Endpoint>));
  for (const row of rows) {
    const operation = document.paths[row.path.replaceAll(/:(\w+)/g, "{$1}")]?.[row.method.toLowerCase()];
    expect(operation, `${row.method} ${row.path}`).toBeDefined();
    const statuses = Object.keys(operation?.responses ?? {});
    if (row.access !== "public") expect(statuses).toContain("401");
    expect(statuses).toContain("507");
    if (row.method === "POST" || row.kind === "upload") expect(statuses).toContain("413");
    const success = row.kind === "json" && row.status ? String(row.status) : "200";
    expect(statuses.filter((status) => status.startsWith("2"))).toEqual([success]);
  }
});

test("an endpoint that answers 202 is documented with 202", async () => {
  const api = await startApi();
  const { paths } = (await (await fetch(`${api.origin}/v1/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { responses: object }>>;
  };
  const { path } = v1.auth.forgotPassword;
  const answer = await fetch(api.origin + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "nobody@example.org" }),
  });
  expect(Object.keys(paths[path]?.["post"]?.responses ?? {})).toContain(String(answer.status));
});

test("the docs page works without scripts", async () => {
  const api = await startApi();
  const page = await (await fetch(`${api.origin}/v1/docs`)).text();
  expect(page).toContain("/v1/flashcards/content/ai_generation");
  expect(page).not.toContain("<script");
});

test("every response has a request id and the security headers, including failures", async () => {
  const api = await startApi();
  for (const path of ["/health", "/v1/none", "/v1/auth/get_user"]) {
    const { headers } = await fetch(api.origin + path);
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("script-src 'self'");
    expect(headers.get("content-security-policy")).not.toMatch(/script-src[^;]*'unsafe-inline'/);
    expect(headers.get("x-powered-by")).toBeNull();
  }
});

test("returns 404 for an unknown endpoint, and 405 with the allowed methods for a wrong one", async () => {
  const api = await startApi();
  expect(await (await fetch(`${api.origin}/v1/nothing`)).json()).toMatchObject({ code: "not_found", status: 404 });
  const wrong = await fetch(`${api.origin}/v1/auth/login`);
  expect(wrong.status).toBe(405);
  expect(wrong.headers.get("allow")).toBe("POST");
  expect(await wrong.json()).toMatchObject({ code: "method_not_allowed" });
});

test("browser extensions may call from their own origin without credentials, websites may not", async () => {
  const api = await startApi();
  const ask = (origin: string) =>
    fetch(`${api.origin}/v1/auth/get_user`, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "GET", "access-control-request-headers": "authorization" },
    });
  const extension = await ask("chrome-extension://abcdefghijklmnopabcdefghijklmnop");
  expect(extension.status).toBe(204);
  expect(extension.headers.get("access-control-allow-origin")).toBe(
    "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
  );
  expect(extension.headers.get("access-control-allow-credentials")).toBeNull();
  expect((await ask("https://evil.example")).headers.get("access-control-allow-origin")).toBeNull();
});

test("a cookie doesn't sign anyone in: only the Authorization header counts", async () => {
  const api = await startApi();
  const { token } = await api.newUser();
  const response = await fetch(`${api.origin}/v1/auth/get_user`, { headers: { cookie: `lamplight_token=${token}` } });
  expect(response.status).toBe(401);
});

test("too many sign-ins from one address return 429 with the time to wait", async () => {
  const api = await startApi();
  const statuses: number[] = [];
  for (let tries = 0; tries < 22; tries += 1) {
    const response = await fetch(`${api.origin}/v1/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: `nobody${tries}@example.org`, password: "not this one" }),
    });
    statuses.push(response.status);
    if (response.status === 429) expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
});
