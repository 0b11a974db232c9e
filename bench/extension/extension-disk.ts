import type { Page } from "puppeteer";
import type { Lamplight } from "#tests/kit/browser/extension.ts";

const LOOKUPS = 200;

/** The functions that `extension-parts.ts` exposes. */
interface Parts {
  saveCapture(capture: unknown, raw: unknown): Promise<void>;
  listCaptures(): Promise<{ state: string }[]>;
  findLibraryPage(url: string): Promise<unknown>;
  addCaptures(accountId: string, records: unknown[], position: unknown): Promise<void>;
  readArticle(html: string, address: string): Promise<{ blocks: unknown[] }>;
  setExistingPages(accountId: string, ids: Set<string>): Promise<void>;
}

/** A card that was captured offline. */
export const aCapture = (accountId: string, n: number) => ({
  id: `01BENCH${String(n).padStart(19, "0")}`,
  kind: "card",
  state: "ready",
  accountId,
  address: `http://lectures.example.org/${n % 250}`,
  title: `Lecture ${n % 250}`,
  author: null,
  capturedAt: n,
  locator: { quote: "A codon is a sequence of three nucleotides" },
  card: { question: `Question ${n}?`, answer: "three nucleotides" },
  problem: null,
  notice: null,
  resources: [],
  pageId: null,
  componentId: null,
});

/** Times single writes to the queue and, as a baseline, a plain transaction of the same bytes and durability. */
export async function timeWrites(
  panel: Page,
  captures: readonly object[],
): Promise<{ ours: number[]; bare: number[] }> {
  return panel.evaluate(async (input) => {
    const { parts } = globalThis as unknown as { parts: Parts };
    const ours: number[] = [];
    const bare: number[] = [];
    const db = await new Promise<IDBDatabase>((done) => {
      const openRequest = indexedDB.open("bench-bare");
      openRequest.onupgradeneeded = () => openRequest.result.createObjectStore("rows", { keyPath: "id" });
      openRequest.onsuccess = () => done(openRequest.result);
    });
    for (const capture of input) {
      let startedAt = performance.now();
      await parts.saveCapture(capture, { text: "A codon is a sequence of three nucleotides" });
      ours.push(performance.now() - startedAt);
      startedAt = performance.now();
      await new Promise<void>((done) => {
        const transaction = db.transaction("rows", "readwrite", { durability: "strict" });
        transaction.objectStore("rows").put(capture);
        transaction.oncomplete = () => done();
      });
      bare.push(performance.now() - startedAt);
    }
    return { ours, bare };
  }, captures);
}

/**
 * Times how long the queue takes to send offline captures once the server is back; returns seconds and what arrived.
 */
export async function timeDrain(panel: Page, { server, client }: Lamplight, captures: readonly object[]) {
  await server.stop();
  await panel.evaluate(async (input) => {
    const { parts } = globalThis as unknown as { parts: Parts };
    for (const capture of input) await parts.saveCapture(capture, { text: "A codon" });
  }, captures);
  await server.start();
  const startedAt = performance.now();
  await panel.evaluate(() => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel, no window
    new BroadcastChannel("lamplight").postMessage("work");
  });
  await panel.waitForFunction(
    async (count) => {
      const { parts } = globalThis as unknown as { parts: Parts };
      return (await parts.listCaptures()).filter(({ state }) => state === "saved").length >= count;
    },
    { polling: 250, timeout: 240_000 },
    captures.length,
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const { content } = await client.pages.getContent({});
  const cards = content.components.reduce((sum, { cardCount = 0 }) => sum + cardCount, 0);
  let listed = 0;
  for (let after: number | null = 0; after !== null;) {
    const { captures: part, next } = await client.capture.listCaptures({ after });
    listed += part.filter(({ _id }) => _id.startsWith("01BENCH")).length;
    after = next;
  }
  return { seconds, cards, listed };
}

/** Times URL lookups in the local list and, as a baseline, a single read of the same database. */
export async function timeLookups(
  panel: Page,
  accountId: string,
  storedCount: number,
): Promise<{ ours: number[]; bare: number[] }> {
  return panel.evaluate(
    async (owner, count, lookups) => {
      const { parts } = globalThis as unknown as { parts: Parts };
      const pages = new Set(Array.from({ length: count / 5 }, (_, n) => `page${n}`));
      await parts.setExistingPages(owner, pages);
      for (let from = 0; from < count; from += 5000) {
        const records = Array.from({ length: 5000 }, (_, at) => {
          const n = from + at;
          const pageNumber = n % (count / 5);
          return {
            _id: `kept${n}`,
            kind: "note",
            address: `http://kept.example.org/${pageNumber}`,
            pageId: `page${pageNumber}`,
            componentId: null,
          };
        });
        await parts.addCaptures(owner, records, { upTo: 1, readAt: 1 });
      }
      const db = await new Promise<IDBDatabase>((done) => {
        const openRequest = indexedDB.open("lamplight-library");
        openRequest.onsuccess = () => done(openRequest.result);
      });
      const ours: number[] = [];
      const bare: number[] = [];
      for (let n = 0; n < lookups; n += 1) {
        const pageNumber = (n * 7919) % (count / 5);
        let startedAt = performance.now();
        await parts.findLibraryPage(`http://kept.example.org/${pageNumber}?utm_source=x#y`);
        ours.push(performance.now() - startedAt);
        startedAt = performance.now();
        await new Promise<void>((done) => {
          const readRequest = db
            .transaction("captures")
            .objectStore("captures")
            .get([owner, `kept${pageNumber}`]);
          readRequest.onsuccess = () => done();
        });
        bare.push(performance.now() - startedAt);
      }
      db.close();
      return { ours, bare };
    },
    accountId,
    storedCount,
    LOOKUPS,
  );
}

/** Milliseconds of plain transactions of the same durability that write this many characters. */
export async function timeBareWrites(panel: Page, chars: number, times: number): Promise<number[]> {
  return panel.evaluate(
    async (length, rounds) => {
      const db = await new Promise<IDBDatabase>((done) => {
        const openRequest = indexedDB.open("bench-large");
        openRequest.onupgradeneeded = () => openRequest.result.createObjectStore("rows");
        openRequest.onsuccess = () => done(openRequest.result);
      });
      const timesMs: number[] = [];
      for (let n = 0; n < rounds; n += 1) {
        const html = `${n}${"codon ".repeat(length / 6)}`;
        const startedAt = performance.now();
        await new Promise<void>((done) => {
          const transaction = db.transaction("rows", "readwrite", { durability: "strict" });
          transaction.objectStore("rows").put({ html }, n);
          transaction.oncomplete = () => done();
        });
        timesMs.push(performance.now() - startedAt);
      }
      db.close();
      indexedDB.deleteDatabase("bench-large");
      return timesMs;
    },
    chars,
    times,
  );
}

/** Deletes captures that were made only for timing, so that they are not sent. */
export async function deleteCaptures(panel: Page): Promise<void> {
  await panel.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((done) => {
      const openRequest = indexedDB.open("lamplight-captures");
      openRequest.onsuccess = () => done(openRequest.result);
    });
    const transaction = db.transaction(["captures", "raws"], "readwrite");
    transaction.objectStore("captures").clear();
    transaction.objectStore("raws").clear();
    await new Promise<void>((done) => {
      transaction.oncomplete = () => done();
    });
    db.close();
  });
}

/** Waits until the server has saved everything. */
export async function waitUntilSaved(panel: Page): Promise<void> {
  await panel.waitForFunction(
    async () => {
      const { parts } = globalThis as unknown as { parts: Parts };
      return (await parts.listCaptures()).every(({ state }) => state === "saved");
    },
    { polling: 250, timeout: 240_000 },
  );
}

/** Times a long page: extracting its article, and from the click until the server has the whole note. */
export async function timeLongNote(
  panel: Page,
  html: string,
): Promise<{ readMs: number; blocks: number; savedS: number }> {
  const { readMs, blocks } = await panel.evaluate(async (input) => {
    const { parts } = globalThis as unknown as { parts: Parts };
    const startedAt = performance.now();
    const { blocks: found } = await parts.readArticle(input, "http://lectures.example.org/long");
    return { readMs: performance.now() - startedAt, blocks: found.length };
  }, html);
  const savedMs = await panel.evaluate(async () => {
    const { parts } = globalThis as unknown as { parts: Parts };
    const before = (await parts.listCaptures()).length;
    const startedAt = performance.now();
    const button = [...document.querySelectorAll("button")].find(
      (element) => element.textContent === "Save page as note",
    );
    button?.click();
    for (;;) {
      const all = await parts.listCaptures();
      if (all.length > before && all.at(-1)?.state === "saved") return performance.now() - startedAt;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  return { readMs, blocks, savedS: savedMs / 1000 };
}
