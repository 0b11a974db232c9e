import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { isPublicAddress } from "#api/outside/public-addresses.ts";
import { createFetchOutside } from "#api/outside/fetch-outside.ts";
import { anOutsideServer } from "#tests/kit/servers/outside-server.ts";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

test("fetching a public address returns its content type, status and final address", async () => {
  const server = await anOutsideServer((request, response) => {
    if (request.url === "/old") return response.writeHead(302, { location: "/new?x=1" }).end();
    return response.writeHead(200, { "content-type": "Text/HTML; charset=utf-8" }).end("hello");
  });
  const fetchOutside = createFetchOutside({ allowedHosts: [server.place] });

  const found = await fetchOutside(`${server.origin}/old`);

  expect([found.status, found.type, found.url]).toEqual([200, "text/html", `${server.origin}/new?x=1`]);
  expect(text(await found.bytes())).toBe("hello");
});

test.each([
  "127.0.0.1",
  "10.0.0.1",
  "172.16.5.4",
  "192.168.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "0.0.0.0",
  "255.255.255.255",
  "224.0.0.1",
  "192.0.2.7",
  "::1",
  "::",
  "fe80::1",
  "fd12::1",
  "ff02::1",
  "2001:db8::1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::127.0.0.1",
  "64:ff9b::7f00:1",
  "2002:7f00:1::1",
  "2001:0:7f00:1::1",
  "4000::1",
  "not an address",
  "",
])("%s is not a public address", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(["8.8.8.8", "93.184.216.34", "2606:4700::1111"])("%s is a public address", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test("private addresses are refused in every notation, without a connection", async () => {
  const server = await anOutsideServer((_request, response) => response.end("secret"));
  const port = server.place.split(":")[1] ?? "";
  const fetchOutside = createFetchOutside({ allowedHosts: [] });
  const spellings = ["127.0.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "[::ffff:127.0.0.1]", "[::1]"];
  for (const host of spellings) {
    await expect(fetchOutside(`http://${host}/`)).rejects.toMatchObject({ reason: "unreachable" });
    await expect(fetchOutside(`http://${host}:${port}/`)).rejects.toMatchObject({ reason: "bad_address" });
  }
  expect(server.connections).toBe(0);
});

test("a name that resolves to a private address is refused, and only ports 80 and 443 are used", async () => {
  const asked: string[] = [];
  const fetchOutside = createFetchOutside({
    resolve: async (host) => {
      asked.push(host);
      return [{ address: "127.0.0.1", family: 4 }];
    },
  });
  await expect(fetchOutside("http://rebound.example/")).rejects.toMatchObject({ reason: "unreachable" });
  await expect(fetchOutside("https://rebound.example/")).rejects.toMatchObject({ reason: "unreachable" });
  expect(asked).toEqual(["rebound.example", "rebound.example"]);
  for (const address of [
    "http://rebound.example:22/",
    "http://a:b@rebound.example/",
    "ftp://rebound.example/",
    "file:///etc/passwd",
    "x",
  ])
    await expect(fetchOutside(address)).rejects.toMatchObject({ reason: "bad_address" });
});

test("a redirect to a private address is refused", async () => {
  const inner = await anOutsideServer((_request, response) => response.end("secret"));
  const outer = await anOutsideServer((request, response) => {
    const to = request.url === "/port" ? `${inner.origin}/` : "http://127.0.0.1/";
    response.writeHead(302, { location: to }).end();
  });
  const fetchOutside = createFetchOutside({ allowedHosts: [outer.place] });
  await expect(fetchOutside(`${outer.origin}/port`)).rejects.toMatchObject({ reason: "bad_address" });
  await expect(fetchOutside(`${outer.origin}/host`)).rejects.toMatchObject({ reason: "unreachable" });
  expect(inner.connections).toBe(0);
});

test("follows at most three redirects and sends no secret to another origin", async () => {
  const seen: (string | undefined)[] = [];
  const other = await anOutsideServer((request, response) => {
    seen.push(request.headers.authorization);
    response.end("there");
  });
  const server = await anOutsideServer((request, response) => {
    seen.push(request.headers.authorization);
    const left = Number(request.url?.slice(1));
    response.writeHead(307, { location: left === 1 ? other.origin : `/${left - 1}` }).end();
  });
  const fetchOutside = createFetchOutside({ allowedHosts: [server.place, other.place] });
  const headers = { authorization: "Bearer x" };

  expect(text(await (await fetchOutside(`${server.origin}/3`, { headers })).bytes())).toBe("there");
  expect(seen).toEqual(["Bearer x", "Bearer x", "Bearer x", undefined]);
  await expect(fetchOutside(`${server.origin}/4`, { headers })).rejects.toMatchObject({ reason: "redirects" });
});

test("stops reading at the size limit, whether declared, streamed or compressed", async () => {
  const big = Buffer.alloc(300_000);
  const server = await anOutsideServer((request, response) => {
    if (request.url === "/announced") return response.writeHead(200, { "content-length": big.length }).end(big);
    if (request.url === "/packed") return response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(big));
    response.write(big);
    return response.end();
  });
  const fetchOutside = createFetchOutside({ allowedHosts: [server.place] });
  for (const path of ["announced", "streamed", "packed"]) {
    const found = await fetchOutside(`${server.origin}/${path}`, { maxBytes: 200_000 });
    await expect(found.bytes()).rejects.toMatchObject({ reason: "too_large" });
    const whole = await fetchOutside(`${server.origin}/${path}`);
    expect((await whole.bytes()).length).toBe(big.length);
  }
});

test("a silent or dripping server times out", async () => {
  const server = await anOutsideServer((request, response) => {
    if (request.url === "/silent") return;
    const drops = setInterval(() => response.write("x"), 10);
    response.on("close", () => clearInterval(drops));
  });
  const fetchOutside = createFetchOutside({ allowedHosts: [server.place], timeoutMs: 150 });
  await expect(fetchOutside(`${server.origin}/silent`)).rejects.toMatchObject({ reason: "timeout" });
  const dripping = await fetchOutside(`${server.origin}/drip`);
  await expect(dripping.bytes()).rejects.toMatchObject({ reason: "timeout" });
});

test("truncated and wrongly compressed responses are reported as unreachable", async () => {
  const server = await anOutsideServer((request, response) => {
    if (request.url === "/packed") return response.writeHead(200, { "content-encoding": "gzip" }).end("no gzip");
    response.writeHead(200, { "content-length": 10 }).write("half");
    return setImmediate(() => response.destroy());
  });
  const fetchOutside = createFetchOutside({ allowedHosts: [server.place] });
  for (const path of ["half", "packed"]) {
    const fetched = fetchOutside(`${server.origin}/${path}`).then((found) => found.bytes());
    await expect(fetched).rejects.toMatchObject({ reason: "unreachable" });
  }
});
