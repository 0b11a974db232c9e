import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { startApi } from "#tests/kit/api.ts";
import { aPage } from "../changes.ts";
import { startMongoWire } from "../mongo-wire.ts";

const wire = await startMongoWire();

if ("missing" in wire || !wire.signal) test.skip("a MongoDB server that stops answering", () => {});
else {
  const signal = wire.signal.bind(wire);
  describe(`a MongoDB server that stops answering (${wire.name})`, () => {
    afterAll(() => wire.stop());

    test("returns 503 within two seconds, repeatedly, and works again once it answers", async () => {
      const uri = new URL(`/stopped-${process.pid}`, wire.uri);
      if (wire.name.startsWith("FerretDB")) uri.searchParams.set("maxPoolSize", "1");
      const api = await startApi({ env: { MONGODB_URI: uri.href }, realClock: true });
      const ada = await api.newUser();
      await aPage(ada, "Before");
      try {
        signal("SIGSTOP");
        for (let n = 0; n < 3; n += 1) {
          const startedAt = performance.now();
          const [read, health] = await Promise.all([
            fetch(`${api.origin}/v1/user_folders`, { headers: { authorization: `Bearer ${ada.token}` } }),
            fetch(`${api.origin}/health`),
          ]);
          expect(performance.now() - startedAt).toBeLessThan(2_000);
          expect([read.status, health.status]).toEqual([503, 503]);
          expect(Number(read.headers.get("retry-after"))).toBeGreaterThan(0);
          expect(await read.json()).toMatchObject({ code: "store_unavailable" });
        }
      } finally {
        signal("SIGCONT");
      }
      for (let tries = 0; tries < 40; tries += 1) {
        if ((await fetch(`${api.origin}/health`)).ok) break;
        await pause(100);
      }
      await aPage(ada, "After");
      const { content } = await ada.client.pages.getContent({});
      expect(content.pages.map(({ title }) => title).toSorted()).toEqual(["After", "Before"]);

      await wire.stop();
      const answer = await fetch(`${api.origin}/v1/user_folders`, {
        headers: { authorization: `Bearer ${ada.token}` },
      });
      expect(answer.status).toBe(503);
      await api.stop();
    });
  });
}
