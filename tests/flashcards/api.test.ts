import { openForRendering, renderPage } from "#api/documents/ocr/rasters.ts";
import { madePdf } from "#tests/pdf/made-pdf.ts";
import { ulid } from "ulid";
import { expect, test } from "vitest";
import { parseCitation } from "#shared/citations.ts";
import type { GenerationEvent } from "#shared/flashcards/schema.ts";
import { startApi, type TestApi, type TestUser } from "#tests/kit/api.ts";
import { aDeck, aPage } from "#tests/store/changes.ts";
import type { Turn } from "#tests/kit/servers/model-server.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";
import {
  aModelServer,
  allOf,
  aTarget,
  beginGeneration,
  cancelGenerations,
  cardsIn,
  longNotes,
  notes,
} from "./generating.ts";

const plainNotes = notes.replaceAll("**", "");

const pdfLines = [
  "Photosynthesis is the process by which plants convert light energy into sugar.",
  "Chlorophyll is the green pigment that absorbs light in the leaves.",
  "Osmosis is the movement of water across a membrane.",
  "Fermentation is the process by which yeast converts sugar into alcohol.",
];
const pdfOf = (pageCount: number) =>
  tinyPdf(Array.from({ length: pageCount }, (_, page) => pdfLines.slice((page * 2) % 4, ((page * 2) % 4) + 2)));

async function uploadPdf(user: TestUser, pageCount: number, name = "cells.pdf") {
  const files = [{ field: "file", file: pdfOf(pageCount), name }];
  const { component } = await user.client.uploads.uploadImageComponent({}, files);
  return component._id;
}

const cardEvents = (events: readonly GenerationEvent[]) => events.flatMap((e) => (e.type === "card" ? [e.card] : []));
const textFile = (text: string, name: string, type = "text/plain") => ({
  field: "files",
  file: new Blob([text], { type }),
  name,
});

/** A picture of a printed line. */
async function pictureOf(text: string): Promise<Blob> {
  const document = await openForRendering(new Uint8Array(madePdf([[{ x: 60, y: 100, text, size: 14 }]])));
  const { image } = await renderPage(document, 1);
  await document.loadingTask.destroy();
  return new Blob([new Uint8Array(image)], { type: "image/png" });
}

test("a text becomes cards, each with its quoted passage", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const { cards, totalCards, filesProcessed } = await ada.client.flashcards.generateCards(
    { texts: [notes, "  \n"] },
    [],
  );
  expect(totalCards).toBe(cards.length);
  expect(cards.length).toBeGreaterThan(2);
  expect(filesProcessed).toEqual([{ source: "# The cell", success: true, error: null, openPlanModal: false }]);
  for (const card of cards) expect(plainNotes).toContain(parseCitation(card.citation ?? "")?.quote);
  expect(cards.map(({ section }) => section)).toEqual(cards.map(() => "The cell"));
});

test("the pages of a PDF become cards in the deck, each citing its page, with events numbered from 1", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const target = await aTarget(ada);
  const componentId = await uploadPdf(ada, 4);
  const pdfComponents = [{ componentId, startPage: 2, endPage: 3 }];
  const jobId = ulid();
  const events = await allOf(
    ada.client.flashcards.generateCards.stream({ pdfComponents, options: { target, jobId } }, []),
  );

  expect(events[0]).toEqual({ type: "started", seq: 0, jobId });
  expect(events.map((e) => e.seq)).toEqual(events.map((_, i) => i));
  const result = events.at(-1);
  if (result?.type !== "result") throw new Error("no result");
  const cards = cardEvents(events);
  expect(cards.length).toBeGreaterThan(0);
  expect(result.result.cards).toEqual(cards);
  expect(await cardsIn(ada, target)).toEqual(cards);
  for (const card of cards) {
    const citation = parseCitation(card.citation ?? "");
    expect(citation).toMatchObject({ type: "pdf_citation", componentId });
    expect(citation?.type === "pdf_citation" && [2, 3].includes(citation.page)).toBe(true);
    expect(citation?.quote).toMatch(/process|pigment|movement/);
  }
  expect(events.some((e) => e.type === "progress")).toBe(true);
  const [known] = (await ada.client.flashcards.listGenerations({ componentId: target.componentId })).generations;
  expect(known).toMatchObject({ jobId, status: "done", target, cardCount: cards.length });
});

test("a text on a page is cited there", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const { cards } = await ada.client.flashcards.generateCards(
    { texts: [{ text: notes, pageId: "01PAGE", componentId: "01TEXT" }] },
    [],
  );
  for (const card of cards)
    expect(parseCitation(card.citation ?? "")).toMatchObject({ pageId: "01PAGE", componentId: "01TEXT" });
  // The first account of a test server is its administrator.
  const { generations } = await ada.client.admin.listGenerations({});
  expect(generations).toMatchObject([{ source: "text", cards: cards.length }]);
});

test("the text in an attached picture becomes cards, and a picture that cannot be read is refused alone", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const picture = await pictureOf("Osmosis is the movement of water across a membrane.");
  const files = [
    { field: "files", file: picture, name: "board.png" },
    { field: "files", file: new Blob(["x"], { type: "image/png" }), name: "torn.png" },
  ];
  const { cards, filesProcessed } = await ada.client.flashcards.generateCards({}, files);
  expect(filesProcessed.map(({ source, success }) => [source, success])).toEqual([
    ["board.png", true],
    ["torn.png", false],
  ]);
  expect(cards.map(({ answer }) => answer).join()).toContain("movement of water");
});

test("several sources share one density, and the outcome of each file is reported", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const componentId = await uploadPdf(ada, 2);
  const files = [
    textFile(longNotes, "long.md", ""),
    textFile("\u0000\u0001binary", "odd.txt"),
    textFile("  ", "blank.txt"),
    { field: "files", file: new Blob(["x"], { type: "image/png" }), name: "torn.png" },
    { field: "files", file: pdfOf(1), name: "loose.pdf" },
  ];
  const input = { texts: [notes], pdfComponents: [{ componentId }], options: { density: "LOW" as const } };
  const { cards, filesProcessed } = await ada.client.flashcards.generateCards(input, files);
  expect(cards.length).toBeGreaterThan(10);
  expect(cards.length).toBeLessThanOrEqual(50);
  const fates = Object.fromEntries(filesProcessed.map((f) => [f.source, f.success]));
  expect(fates).toEqual({
    "cells.pdf": true,
    "long.md": true,
    "# The cell": true,
    "odd.txt": false,
    "blank.txt": false,
    "torn.png": false,
    "loose.pdf": false,
  });
  for (const file of filesProcessed) expect(file.error === null).toBe(file.success);
  // A client that was offline gets the same answer.
  const [known] = (await ada.client.flashcards.listGenerations({})).generations;
  expect(known).toMatchObject({ status: "done", outcome: { message: null, filesProcessed } });
});

test("a source after one that ends in references is still read, and has its own sections", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  const deckId = await aDeck(ada, pageId, []);
  const paper =
    "# Roots\n\nA root hair is a thin cell that takes up water.\n\n# References\n\nDarwin 1859 wrote of it.";
  const texts = [paper, "Osmosis is the movement of water across a membrane."];
  const target = { pageId, componentId: deckId };
  const { cards, filesProcessed } = await ada.client.flashcards.generateCards({ texts, options: { target } }, []);
  expect(filesProcessed.map(({ success }) => success)).toEqual([true, true]);
  expect(cards.map(({ answer }) => answer).join()).toContain("movement of water");
  const { generations } = await ada.client.flashcards.getCoverage({ pageId, flashcardsId: deckId });
  const sections = generations
    .flatMap(({ entries }) => entries)
    .filter(({ kind, skipped }) => kind === "section" && !skipped);
  expect(sections.map(({ label, cardIds }) => [label, cardIds.length > 0])).toEqual([
    ["Roots", true],
    ["Osmosis is the movement of water across a membrane.", true],
  ]);
});

test.each([
  ["no source", { texts: ["  "] }, []],
  ["an image alone", {}, [{ field: "files", file: new Blob(["x"], { type: "image/png" }), name: "board.png" }]],
  ["an unknown model", { texts: [notes], options: { model: "gpt-none" } }, []],
])("%s is refused as bad input, with the reason", async (_, input, files) => {
  const api = await startApi();
  const ada = await api.newUser();
  const asked = ada.client.flashcards.generateCards(input, files);
  await expect(asked).rejects.toMatchObject({ code: "bad_input" });
  expect((await ada.client.flashcards.listGenerations({})).generations).toEqual([]);
});

test("an unknown source is refused alone, and the request fails only if no other source is left", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const unknown = { pdfComponents: [{ componentId: "gone" }], videoComponents: [{ componentId: "lost" }] };
  const { cards, filesProcessed } = await ada.client.flashcards.generateCards({ ...unknown, texts: [notes] }, []);
  expect(cards.length).toBeGreaterThan(0);
  expect(filesProcessed).toMatchObject([{ success: true }, { source: "gone" }, { source: "lost" }]);
  await expect(ada.client.flashcards.generateCards(unknown, [])).rejects.toMatchObject({ code: "not_found" });
});

test("sources without facts return the message of the specification, with a reason for each source", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  await expect(ada.client.flashcards.generateCards({ texts: ["1 2 3"] }, [])).rejects.toMatchObject({
    code: "bad_input",
    message: "Failed to create flashcards. Please try again.",
    data: { filesProcessed: [{ source: "1 2 3", success: false }] },
  });
});

test("texts of more than four million characters are refused as too large", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const texts = Array.from({ length: 3 }, () => "word ".repeat(390_000));
  await expect(ada.client.flashcards.generateCards({ texts }, [])).rejects.toMatchObject({ code: "too_large" });
});

test("another account's PDF, video, deck and generation return 404", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const eve = await api.newUser();
  const componentId = await uploadPdf(ada, 1);
  const target = await aTarget(ada);
  const jobId = ulid();
  await ada.client.flashcards.generateCards({ texts: [notes], options: { target, jobId } }, []);
  const cards = await cardsIn(ada, target);
  const attempts = (id: string, deck: typeof target, job: string) => [
    () => eve.client.flashcards.generateCards({ pdfComponents: [{ componentId: id }] }, []),
    () => eve.client.flashcards.generateCards({ videoComponents: [{ componentId: id }] }, []),
    () => eve.client.flashcards.generateCards({ texts: [notes], options: { target: deck } }, []),
    () => allOf(eve.client.flashcards.followGeneration({ jobId: job })),
    () => eve.client.flashcards.cancelGeneration({ jobId: job }),
    () => eve.client.flashcards.resumeGeneration({ jobId: job }),
  ];
  const missing = attempts(ulid(), { pageId: ulid(), componentId: ulid() }, ulid());
  for (const [i, attempt] of attempts(componentId, target, jobId).entries()) {
    const refusal = await attempt().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "not_found" });
    expect(refusal).toEqual(await missing[i]?.().catch((error: unknown) => error));
  }
  expect(await cardsIn(ada, target)).toEqual(cards);
  expect((await eve.client.flashcards.listGenerations({})).generations).toEqual([]);
  // Another account can use the same id for its own generation.
  const own = await eve.client.flashcards.generateCards({ texts: [notes], options: { jobId } }, []);
  expect(own.totalCards).toBeGreaterThan(0);
});

test("on the free plan at most 10 PDF pages become cards at a time", async () => {
  const api = await startApi();
  const ada = await api.newUser({ plan: "FREE" });
  const componentId = await uploadPdf(ada, 12);
  await expect(ada.client.flashcards.generateCards({ pdfComponents: [{ componentId }] }, [])).rejects.toMatchObject({
    status: 402,
    code: "limit_reached",
    data: { limit: "pdfToFlashcardsPages", allowed: 10 },
  });
  const some = { componentId, startPage: 2, endPage: 11 };
  expect((await ada.client.flashcards.generateCards({ pdfComponents: [some] }, [])).totalCards).toBeGreaterThan(0);
  const both = await ada.client.flashcards.generateCards({ texts: [notes], pdfComponents: [{ componentId }] }, []);
  expect(both.filesProcessed.find((f) => f.source === "cells.pdf")).toMatchObject({
    success: false,
    openPlanModal: true,
  });
  await expect(
    ada.client.flashcards.generateCards({ pdfComponents: [{ componentId, startPage: 40 }] }, []),
  ).rejects.toMatchObject({ code: "bad_input" });
});

test("the same job id starts one generation, and a reconnecting client continues reading", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const target = await aTarget(ada);
  const options = { target, jobId: ulid() };
  const first = await allOf(ada.client.flashcards.generateCards.stream({ texts: [longNotes], options }, []));
  const second = await allOf(ada.client.flashcards.generateCards.stream({ texts: [longNotes], options }, []));
  expect(second).toEqual(first);
  expect(await cardsIn(ada, target)).toHaveLength(cardEvents(first).length);
  const rest = await allOf(ada.client.flashcards.followGeneration({ jobId: options.jobId, after: 3 }));
  expect(rest).toEqual(first.filter((e) => e.seq > 3));
});

test("cards already in the deck aren't made again", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const target = await aTarget(ada);
  const first = await ada.client.flashcards.generateCards({ texts: [notes], options: { target } }, []);
  await ada.client.flashcards.generateCards({ texts: [notes], options: { target } }, []).catch(() => undefined);
  const cards = await cardsIn(ada, target);
  expect(new Set(cards.map((c) => c.question)).size).toBe(cards.length);
  expect(cards.slice(0, first.totalCards)).toEqual(first.cards);
});

test("cancelling stops the work and keeps the cards made so far", async () => {
  const { server, env } = await aModelServer("slow", "slow", "slow", "slow");
  const api = await startApi({ env });
  const ada = await api.newUser();
  const target = await aTarget(ada);
  const jobId = ulid();
  const seen: GenerationEvent[] = [];
  for await (const event of ada.client.flashcards.generateCards.stream(
    { texts: [longNotes], options: { target, jobId } },
    [],
  )) {
    seen.push(event);
    if (event.type === "card" && cardEvents(seen).length === 2)
      expect(await ada.client.flashcards.cancelGeneration({ jobId })).toMatchObject({ status: "cancelled" });
  }
  expect(seen.at(-1)).toMatchObject({ type: "error", code: "cancelled" });
  await expect.poll(() => server.requests[0]?.wasClosedEarly).toBe(true);
  const cards = await cardsIn(ada, target);
  expect(cards.length).toBeGreaterThanOrEqual(2);
  expect(cards.length).toBeLessThan(30);
  expect(server.requests).toHaveLength(1);
});

test("an account may run five generations at once, and another when one ends", async () => {
  const { env } = await aModelServer(...Array<Turn>(6).fill("silent"));
  const api = await startApi({ env });
  const ada = await api.newUser();
  const first = await beginGeneration(ada);
  for (let n = 0; n < 4; n += 1) await beginGeneration(ada);
  await expect(beginGeneration(ada)).rejects.toMatchObject({ code: "too_many_requests" });
  await ada.client.flashcards.cancelGeneration({ jobId: first });
  expect(await beginGeneration(ada)).not.toBe("");
  await cancelGenerations(ada);
});

test("of ten concurrent generation requests five start", async () => {
  const { env } = await aModelServer(...Array<Turn>(10).fill("silent"));
  const api = await startApi({ env });
  const ada = await api.newUser();
  const begun = await Promise.allSettled(Array.from({ length: 10 }, () => beginGeneration(ada)));
  expect(begun.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  for (const one of begun)
    if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "too_many_requests" });
  await cancelGenerations(ada);
});

test("a disconnecting client doesn't stop the generation", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const target = await aTarget(ada);
  const jobId = ulid();
  for await (const event of ada.client.flashcards.generateCards.stream(
    { texts: [longNotes], options: { target, jobId } },
    [],
  ))
    if (event.type === "started") break;
  const events = await allOf(ada.client.flashcards.followGeneration({ jobId }));
  expect(events.at(-1)?.type).toBe("result");
  expect(await cardsIn(ada, target)).toHaveLength(cardEvents(events).length);
});

const frontsAndBacks = (cards: { question: string; answer: string }[]) => cards.map((c) => [c.question, c.answer]);

async function stopAtCard(api: TestApi, user: TestUser, input: object, count: number) {
  const seen: GenerationEvent[] = [];
  try {
    for await (const event of user.client.flashcards.generateCards.stream(input, [])) {
      seen.push(event);
      if (cardEvents(seen).length >= count) break;
    }
  } finally {
    await api.stop();
  }
  return seen;
}

test.each(["the built-in engine", "a model server"])(
  "a generation interrupted by stopping the API (%s) continues at the next start without lost or duplicate cards",
  async (engine) => {
    const { server, env } = await aModelServer("slow", "slow", "slow");
    const settings = engine === "a model server" ? { env } : {};
    const api = await startApi(settings);
    const ada = await api.newUser();
    const target = await aTarget(ada);
    const options = { target, jobId: ulid(), density: "MEDIUM" };
    const before = await stopAtCard(api, ada, { texts: [longNotes], options }, 3);
    expect(before.at(-1)?.type).toBe("card");

    const restarted = await startApi({ ...settings, dataDir: api.dataDir });
    const back = restarted.clientFor(ada.token);
    const after = await allOf(back.flashcards.followGeneration({ jobId: options.jobId }));
    const result = after.at(-1);
    if (result?.type !== "result") throw new Error(`ended with ${JSON.stringify(result)}`);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.map((e) => e.seq)).toEqual(after.map((_, i) => i));
    const cards = cardEvents(after);
    expect(new Set(cards.map((c) => c.id)).size).toBe(cards.length);
    expect(new Set(cards.map((c) => c.question)).size).toBe(cards.length);
    expect(await cardsIn({ ...ada, client: back }, target)).toEqual(cards);
    expect(result.result.cards).toEqual(cards);
    if (engine === "a model server") expect(server.requests.length).toBeGreaterThan(1);
    await restarted.stop();
  },
);

test("an interrupted built-in generation ends with the same deck as an uninterrupted one", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const texts = [longNotes];
  const whole = await ada.client.flashcards.generateCards({ texts, options: { density: "MEDIUM" } }, []);
  const options = { target: await aTarget(ada), jobId: ulid(), density: "MEDIUM" };
  await stopAtCard(api, ada, { texts, options }, 2);
  const restarted = await startApi({ dataDir: api.dataDir });
  const after = await allOf(restarted.clientFor(ada.token).flashcards.followGeneration({ jobId: options.jobId }));
  expect(frontsAndBacks(cardEvents(after))).toEqual(frontsAndBacks(whole.cards));
  await restarted.stop();
});

test("a deck is completed despite a model server's 429, malformed answer and cut stream", async () => {
  const { server, env } = await aModelServer("rate_limited", "malformed", "cut", "error_500");
  const api = await startApi({ env });
  const ada = await api.newUser();
  const target = await aTarget(ada);
  const { totalCards } = await ada.client.flashcards.generateCards({ texts: [notes], options: { target } }, []);
  expect(totalCards).toBeGreaterThan(0);
  const more = await ada.client.flashcards.generateCards(
    { texts: [longNotes], options: { target, density: "LOW" } },
    [],
  );
  expect(more.totalCards).toBeGreaterThan(20);
  expect(await cardsIn(ada, target)).toHaveLength(totalCards + more.totalCards);
  expect(server.requests.map((r) => r.turn).slice(0, 4)).toEqual(["rate_limited", "malformed", "cut", "error_500"]);
});

test("a model server that refuses the key returns model_unavailable without its error text", async () => {
  const { env } = await aModelServer("bad_key");
  const api = await startApi({ env });
  const ada = await api.newUser();
  const asked = ada.client.flashcards.generateCards({ texts: [notes] }, []);
  await expect(asked).rejects.toMatchObject({ status: 503, code: "model_unavailable" });
  await expect(asked).rejects.not.toThrow(/sk-/);
});

test("a model that fails partway keeps the cards made and reports that the source wasn't fully read", async () => {
  const { env } = await aModelServer("good", "bad_key");
  const api = await startApi({ env });
  const ada = await api.newUser();
  const texts = [longNotes.repeat(3)];
  const { cards, filesProcessed } = await ada.client.flashcards.generateCards(
    { texts, options: { density: "LOW" } },
    [],
  );
  expect(cards.length).toBeGreaterThan(0);
  expect(filesProcessed[0]).toMatchObject({
    success: true,
    error: expect.stringContaining("Some of the content could not be read") as string,
  });
});

test("the available models are listed with the default", async () => {
  const { env } = await aModelServer();
  const api = await startApi({ env });
  const ada = await api.newUser();
  const { models, defaultModel } = await ada.client.tutor.listModels({});
  expect(models.map((m) => m.id)).toEqual(expect.arrayContaining(["lamplight-builtin", "test-model"]));
  expect(defaultModel).toBe("test-model");
  const options = { model: "lamplight-builtin" };
  expect((await ada.client.flashcards.generateCards({ texts: [notes], options }, [])).totalCards).toBeGreaterThan(2);
});
