import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createFetchOutside } from "#api/outside/fetch-outside.ts";
import { selfSigned } from "#tests/kit/servers/certificate.ts";
import { anOutsideServer } from "#tests/kit/servers/outside-server.ts";

async function anHttpsServer() {
  const seen = { requests: 0, connections: 0 };
  const server = createServer(selfSigned(["site.example"]), (_request, response) => {
    seen.requests += 1;
    response.end("hello");
  });
  server.on("connection", () => (seen.connections += 1));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { seen, host: `site.example:${(server.address() as AddressInfo).port}` };
}

const loopback = () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]);

test("refuses an untrusted certificate before it sends a request", async () => {
  const { seen, host } = await anHttpsServer();
  const fetchOutside = createFetchOutside({ allowedHosts: [host], resolve: loopback });
  await expect(fetchOutside(`https://${host}/`)).rejects.toMatchObject({ reason: "unreachable" });
  expect(seen).toEqual({ requests: 0, connections: 1 });
});

test("refuses a redirect to https at a name that resolves to a private address", async () => {
  const { seen, host } = await anHttpsServer();
  const outer = await anOutsideServer((_request, response) => {
    response.writeHead(302, { location: "https://site.example/" }).end();
  });
  const fetchOutside = createFetchOutside({ allowedHosts: [outer.place, host], resolve: loopback });
  await expect(fetchOutside(`${outer.origin}/`)).rejects.toMatchObject({ reason: "unreachable" });
  expect(seen.connections).toBe(0);
});

test("resolves a name anew for every request, and refuses it once it turns private", async () => {
  const answers = ["127.0.0.1", "10.0.0.1"];
  const asked: string[] = [];
  const server = await anOutsideServer((_request, response) => response.end("first"));
  const host = `rebound.example:${server.place.split(":")[1] ?? ""}`;
  const resolve = async (name: string) => {
    asked.push(name);
    return [{ address: answers.shift() ?? "10.0.0.1", family: 4 }];
  };
  // Only the first name is exempt, so the same server under another name is a private address.
  const fetchOutside = createFetchOutside({ allowedHosts: [host], resolve });
  expect((await fetchOutside(`http://${host}/`)).status).toBe(200);
  await expect(fetchOutside("http://rebound.example/")).rejects.toMatchObject({ reason: "unreachable" });
  expect(asked).toEqual(["rebound.example", "rebound.example"]);
  expect(server.connections).toBe(1);
});
