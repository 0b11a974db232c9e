import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import type { FetchOutside } from "#api/outside/fetch-outside.ts";
import { GatheredSources } from "#api/research/run/gathered-sources.ts";
import { ResearchDraft, type RunCheckpoint } from "#api/research/run/run-state.ts";
import { TaskWriter } from "#api/research/run/task-writer.ts";
import { verifyCanvas, writeSection } from "#api/research/run/write-section.ts";
import { PoliteFetch } from "#api/research/search/polite-fetch.ts";
import { saveSnapshot } from "#api/research/store.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { depthLimits, idleRun } from "#shared/research/rules.ts";
import type { CanvasSection, SnapshotPassage } from "#shared/research/schema.ts";
import { sentencesOf } from "#shared/research/canvas.ts";
import { startApi } from "#tests/kit/api.ts";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { fakeClock } from "#tests/kit/fake-clock.ts";
import { runResearch } from "#tests/kit/research.ts";
import { startModelServer } from "#tests/kit/servers/model-server.ts";
import { aPage, aText } from "#tests/store/changes.ts";
import { aSource } from "./screen/a-session.ts";

const FACT = "The ribosome reads messenger RNA one codon at a time.";
const LINK = "The ribosome reads the address https://evil.example/leak in this film.";
const PromptPassage = z.object({ id: z.string(), text: z.string() });

/** Quotes its passages word for word, but adds a claim, or repeats a link from them. */
function exaggerate(prompt: string): string {
  const lines = prompt.split("\n").filter((line) => line.startsWith('{"id":'));
  if (lines.length === 0) return JSON.stringify({ question: "What does the ribosome read?" });
  return lines
    .map((line) => {
      const { id: passage, text: quote } = PromptPassage.parse(JSON.parse(line));
      const sentence = quote.includes("https://") ? quote : `In 1492, ${quote}`;
      return JSON.stringify({ sentence, passage, quote });
    })
    .join("\n");
}

const model = await startModelServer({ say: exaggerate });
afterAll(() => model.close());
const api = await startApi({ forFile: true, env: { AI_BASE_URL: model.baseUrl, AI_MODEL: "test-model" } });

const section: CanvasSection = {
  id: "r1t1",
  heading: "What does the ribosome read?",
  topic: null,
  status: "searching",
  paragraphs: [],
  disagreements: [],
};

const checkpoint: RunCheckpoint = {
  phase: "search",
  task: 0,
  round: 0,
  tasks: [{ id: "r1t1", heading: section.heading, topic: null, query: section.heading }],
  pool: [],
  queries: 0,
  hasModelFailed: false,
  title: "",
  run: { ...idleRun, id: "run", status: "running", depth: "quick" },
  keys: {},
  history: [],
  canvasVersion: 0,
  sections: [section],
  citations: [],
  sources: [],
  files: [],
  tools: [],
};

const ledger = { ...aSource(1, "Cells"), url: "https://example.org/cells" };

const passageOf = (text: string): SnapshotPassage => ({ id: "p0", text, page: null, heading: null, startMs: null });

/** A run that has read one page with the fact. */
async function aRun(sessionId: string, run: Partial<RunCheckpoint["run"]> = {}) {
  const own = ownedBy(api.deps.store, "ada");
  const draft = new ResearchDraft(structuredClone({ ...checkpoint, run: { ...checkpoint.run, ...run } }), "en");
  const gathered = new GatheredSources(own, sessionId, draft);
  await gathered.add({ key: "https://example.org/cells", ledger, passages: [passageOf(FACT)] });
  const write = (text: string) =>
    writeSection(draft, gathered, section, [{ source: 1, passageId: "p0", text, at: 0, score: 1 }]);
  return { own, draft, gathered, write };
}

test("a sentence of a model that its own quote does not support is left out", async () => {
  const ada = await api.newUser();
  await aText(ada, await aPage(ada, "Cells"), FACT);
  const { session } = await runResearch(ada.client);
  expect(session.canvas).not.toContain("1492");
  expect(session.canvas).toContain(FACT);
  expect(session.run.leftOut).toBeGreaterThan(0);
});

test("a model's sentence with a link is left out, even if the link is in its source", async () => {
  const ada = await api.newUser();
  const pageId = await aPage(ada, "Cells");
  for (const text of [FACT, LINK]) await aText(ada, pageId, text);
  const { session } = await runResearch(ada.client);
  expect(session.canvas).not.toContain("evil.example");
  expect(session.canvas).toContain(FACT);
});

test("a source is not read again for each further source that it is compared with", async () => {
  const { gathered } = await aRun("many");
  let reads = 0;
  const passage = {
    ...passageOf(""),
    get text() {
      reads += 1;
      return "A chart of the harbour shows how the water rises and falls twice a day on this coast.";
    },
  };
  await gathered.add({ key: "https://example.org/chart", ledger, passages: [passage] });
  const readsBefore = reads;
  for (let n = 0; n < 30; n += 1) {
    const text = `Lesson ${n} is about number ${n}, which has ${n} sides and more than ${n} neighbours in its row.`;
    await gathered.add({ key: `https://example.org/${n}`, ledger, passages: [passageOf(text)] });
  }
  expect(reads).toBe(readsBefore);
});

test("a sentence that is not in the snapshot is not cited", async () => {
  const { draft, write } = await aRun("s1");
  await write("The ribosome reads messenger RNA three codons at a time.");
  expect(sentencesOf(draft.ownSections)).toEqual([]);
  await write(FACT);
  expect(sentencesOf(draft.ownSections)).toMatchObject([{ text: FACT, cites: [1] }]);
});

test("a sentence that is missing from its stored snapshot is left out at the end", async () => {
  const { own, draft, gathered, write } = await aRun("s2");
  await write(FACT);
  const changed = { sessionId: "s2", n: 1, key: "https://example.org/cells", passages: [passageOf("Another text.")] };
  await saveSnapshot(own, changed);
  expect(await verifyCanvas(draft, gathered, true)).toEqual({ verified: 0, leftOut: 1 });
  expect(sentencesOf(draft.ownSections)).toEqual([]);
});

test("a heading stays even if its first sentence is left out at the end", async () => {
  const { draft, gathered, write } = await aRun("s4");
  await write(FACT);
  const leftOut = { text: "No source says this.", cites: [], isSupported: true, heading: "Translation" };
  const paragraphs = [[leftOut, ...sentencesOf(draft.ownSections)]];
  draft.putSection({ ...section, status: "written", paragraphs });
  expect(await verifyCanvas(draft, gathered, true)).toEqual({ verified: 1, leftOut: 1 });
  expect(sentencesOf(draft.ownSections)).toMatchObject([{ text: FACT, heading: "Translation" }]);
});

test("a heading stays where the first of two sentences that disagree is left out at the end", async () => {
  const { draft, gathered, write } = await aRun("s5");
  await write(FACT);
  const leftOut = { text: "No source says this.", cites: [], isSupported: true, heading: "Translation" };
  const sides = [leftOut, ...sentencesOf(draft.ownSections)];
  const pair = { kind: "negation" as const, about: "", sides, paragraphsBefore: 0 };
  draft.putSection({ ...section, status: "written", paragraphs: [], disagreements: [pair] });
  expect(await verifyCanvas(draft, gathered, true)).toEqual({ verified: 1, leftOut: 1 });
  expect(sentencesOf(draft.ownSections)).toMatchObject([{ text: FACT, heading: "Translation" }]);
});

test("a run that has used up its tokens no longer asks the model", async () => {
  const chosen = await api.deps.models.choose(undefined);
  const planWith = async (tokens: number) => {
    const { draft, gathered } = await aRun("s3", { tokens });
    model.requests.length = 0;
    const input = {
      sessionId: "s3",
      runId: "run",
      question: section.heading,
      language: "en" as const,
      mayQuoteLibrary: false,
      isStrict: true,
      model: null,
      chargedUsage: { counter: "researchMessages" as const, by: 1, period: "2026-01-01" },
    };
    const signal = new AbortController().signal;
    const writer = new TaskWriter({ draft, gathered, input, model: chosen, ownerId: "ada", now: () => 1, signal });
    return { planned: await writer.plan(section.heading), asked: model.requests.length };
  };
  expect(await planWith(depthLimits.quick.tokens - 1)).toEqual({ planned: [section.heading], asked: 1 });
  expect(await planWith(depthLimits.quick.tokens)).toEqual({ planned: [], asked: 0 });
});

test("a host gets at most three requests at once", async () => {
  const opened: ReturnType<typeof createDeferred<undefined>>[] = [];
  let [running, most] = [0, 0];
  const fetch: FetchOutside = async () => {
    running += 1;
    most = Math.max(most, running);
    const gate = createDeferred<undefined>();
    opened.push(gate);
    await gate.promise;
    running -= 1;
    return { status: 200, type: "text/plain", url: "", header: () => undefined, bytes: async () => new Uint8Array() };
  };
  const http = new PoliteFetch({ fetch, clock: fakeClock(), userAgent: "Lamplight" });
  const signal = new AbortController().signal;
  const all = Array.from({ length: 9 }, (_, n) => http.get(`https://example.org/${n}`, { signal }));
  for (let n = 0; n < all.length; n += 1) {
    await expect.poll(() => opened.length).toBeGreaterThan(n);
    opened[n]?.resolve(undefined);
  }
  await Promise.all(all);
  expect(most).toBe(3);
});

test("requests that wait for their turn are not sent once the host has asked to wait", async () => {
  const fetched: string[] = [];
  const response = { status: 429, type: "text/plain", bytes: async () => new Uint8Array() };
  const fetch: FetchOutside = async (url) => {
    fetched.push(url);
    await Promise.resolve();
    return { ...response, url, header: (name) => (name === "retry-after" ? "60" : undefined) };
  };
  const clock = fakeClock();
  const http = new PoliteFetch({ fetch, clock, userAgent: "Lamplight" });
  const signal = new AbortController().signal;
  const problemOf = (n: number) => http.get(`https://example.org/${n}`, { signal }).catch((error: unknown) => error);
  const limited = { problem: "limited", retryAt: clock.now() + 60_000 };
  const problems = await Promise.all(Array.from({ length: 9 }, (_, n) => problemOf(n)));
  for (const problem of problems) expect(problem).toMatchObject(limited);
  expect(fetched).toHaveLength(3);
  clock.advance(59_999);
  expect(await problemOf(10)).toMatchObject(limited);
  clock.advance(1);
  await problemOf(11);
  expect(fetched).toHaveLength(4);
});

test("a service that allows one request in seven seconds is not asked a second time within them", async () => {
  const fetched: string[] = [];
  const fetch: FetchOutside = async (url) => {
    fetched.push(url);
    return { status: 200, type: "text/plain", url, header: () => undefined, bytes: async () => new Uint8Array() };
  };
  const clock = fakeClock();
  const minIntervalMs = { "slow.example": 7000 };
  const http = new PoliteFetch({ fetch, clock, userAgent: "Lamplight", minIntervalMs });
  const get = (host: string) =>
    http.get(`https://${host}/`, { signal: new AbortController().signal }).catch((error: unknown) => error);
  await get("slow.example");
  expect(await get("slow.example")).toMatchObject({ problem: "limited", retryAt: clock.now() + 7000 });
  await Promise.all([get("other.example"), get("other.example")]);
  expect(fetched.filter((url) => url.includes("slow"))).toHaveLength(1);
  expect(fetched).toHaveLength(3);
  clock.advance(7000);
  await get("slow.example");
  expect(fetched).toHaveLength(4);
});
