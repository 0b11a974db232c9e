import { expect, test } from "vitest";
import { Failure } from "#shared/contract/failure.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";
import { findExactQuote } from "#shared/text/quotes.ts";
import { callServer } from "#api/ai/openai/server-call.ts";
import type { CardEvent, ProposedCard } from "#api/ai/port.ts";
import { cardsFromPrompt, type CheckLine, type Turn } from "#tests/kit/servers/model-server.ts";
import { aModel, aRequest, cardsOf, passages, text } from "./hosted-model.ts";

function expectSound(cards: ProposedCard[]) {
  for (const card of cards) expect(findExactQuote(passages, card.quote)?.passageId).toBe(card.passageId);
  expect(new Set(cards.map((c) => c.question)).size).toBe(cards.length);
}

const whole = 10;
const SPENDING = { name: "ai_spending", shardKey: "_id", indexes: [] } as const;

test("every card of a hosted model quotes the source, and no question appears twice", async () => {
  const { model, server } = await aModel();
  const cards = await cardsOf(model.generateCards(aRequest()));
  expect(cards).toHaveLength(whole);
  expectSound(cards);
  expect(server.requests[0]?.model).toBe("test-model");
});

test.each(["whole", "fenced", "wrapped", "trailing_commas", "talkative", "thinking"] as const)(
  "reads an answer that is %s completely",
  async (turn) => {
    const { model, server } = await aModel({ script: [turn] });
    const cards = await cardsOf(model.generateCards(aRequest()));
    expect(cards).toHaveLength(whole);
    expect(server.requests.map((request) => request.turn)).toEqual([turn]);
    expectSound(cards);
    expect(cards.some((c) => c.question.includes("thought"))).toBe(false);
  },
);

test("repairs quotation marks that the model failed to escape", async () => {
  const { model, server } = await aModel({ script: ["unescaped_quotes"] });
  const cards = await cardsOf(model.generateCards(aRequest()));
  expect(server.requests).toHaveLength(1);
  expect(cards.length).toBeGreaterThanOrEqual(whole - 1);
  expectSound(cards);
});

test.each(["malformed", "empty", "refusal"] as const)("asks again after an answer that is %s", async (turn) => {
  const { model, server } = await aModel({ script: [turn] });
  expect(await cardsOf(model.generateCards(aRequest()))).toHaveLength(whole);
  expect(server.requests.length).toBeGreaterThan(1);
});

test("a model that always refuses yields no cards and gets at most four requests", async () => {
  const { model, server } = await aModel({ script: Array<Turn>(50).fill("refusal") });
  expect(await cardsOf(model.generateCards(aRequest()))).toEqual([]);
  expect(server.requests.length).toBeLessThanOrEqual(4);
});

test("quotes that are not in the source are dropped and counted", async () => {
  const { model, lines } = await aModel({ script: Array<Turn>(9).fill("invented_quotes") });
  expect(await cardsOf(model.generateCards(aRequest()))).toEqual([]);
  expect(lines.join()).toMatch(/"quote_not_in_source":\d+/);
});

test("links that a document instructed the model to write are dropped", async () => {
  const { model, lines } = await aModel({ script: Array<Turn>(9).fill("planted_orders") });
  expect(await cardsOf(model.generateCards(aRequest()))).toEqual([]);
  expect(lines.join()).toMatch(/"foreign_markup":\d+/);
});

test("closes the connection when the model continues after the requested number of cards", async () => {
  const { model, server } = await aModel({ script: ["too_long"] });
  const cards = await cardsOf(model.generateCards(aRequest()));
  expectSound(cards);
  expect(cards.length).toBeGreaterThanOrEqual(whole - 1);
  await expect.poll(() => server.requests[0]?.wasClosedEarly).toBe(true);
});

test.each(["cut", "cut_by_length", "error_part"] as const)(
  "resumes a stream that ends early (%s) without duplicate cards",
  async (turn) => {
    const { model, server } = await aModel({ script: [turn] });
    const cards = await cardsOf(model.generateCards(aRequest()));
    expect(cards).toHaveLength(whole);
    expectSound(cards);
    expect(server.requests.length).toBeGreaterThan(1);
    expect(server.requests[1]?.prompt).toContain("Do not ask these again");
  },
);

test("keeps complete cards that arrive together with the end of the connection, even when they are read slowly", async () => {
  const { model, server } = await aModel({ script: Array<Turn>(9).fill("cut_at_once") });
  const cards: ProposedCard[] = [];
  let atFirst = 0;
  const take = async () => {
    for await (const event of model.generateCards(aRequest())) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (event.type === "card") cards.push(event.card);
      if (event.type === "card" && server.requests.length === 1) atFirst += 1;
    }
  };
  // The failure of the last attempt is reported, so that the student knows that not everything was read.
  await take().catch((failure: unknown) => expect(failure).toBeInstanceOf(Failure));
  expectSound(cards);
  expect(atFirst).toBeGreaterThan(1);
  expect(new Set(cards.map(({ question }) => question)).size).toBe(cards.length);
  expect(server.requests.length).toBeGreaterThan(1);
});

test("what arrived before the connection was cut is read, however slowly", async () => {
  const { server } = await aModel({ script: ["cut_at_once"], say: () => '[{"question":"A"},{"question":"B"}]' });
  const target = { baseUrl: server.baseUrl, apiKey: undefined, modelName: "test-model", idleTimeoutMs: 5000 };
  const body = { model: "test-model", stream: true, messages: [{ role: "user", content: "Make cards" }] };
  const answer = await callServer(target, "/chat/completions", body, new AbortController().signal);
  let received = "";
  const readSlowly = async () => {
    for await (const chunk of answer.chunks) {
      received += chunk;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  await expect(readSlowly()).rejects.toMatchObject({ code: "ECONNRESET" });
  // The server sends the role and two parts, and resets the connection while the first of them is being read.
  expect(received.match(/^data: /gmu)).toHaveLength(3);
});

test("drops the card that was cut off by the length limit, even if its beginning would pass", async () => {
  const opening = `[{"question":"What holds the chromosomes of the animal cell?","answer":"The nucleus","quote":"The nucleus holds the chromosomes of the animal cell.`;
  // The model server sends the first 60% of the answer.
  const answer = opening.padEnd(Math.ceil(opening.length / 0.6), " and so on");
  const { model } = await aModel({ script: Array<Turn>(6).fill("cut_by_length"), say: () => answer });
  expect(await cardsOf(model.generateCards(aRequest()))).toEqual([]);
});

async function outcomeOf(events: AsyncGenerator<CardEvent>) {
  const notices: string[] = [];
  const rejected: Record<string, number> = {};
  let cards = 0;
  for await (const event of events) {
    if (event.type === "card") cards += 1;
    if (event.type === "notice") notices.push(event.notice);
    if (event.type === "gates") Object.assign(rejected, event.rejected);
  }
  return { cards, notices, rejected };
}

test("fails if the model writes only in the source's language although another was requested", async () => {
  const { model, lines } = await aModel();
  const events: CardEvent[] = [];
  const generate = async () => {
    for await (const event of model.generateCards(inTurkish())) events.push(event);
  };
  await expect(generate()).rejects.toMatchObject({ code: "model_unavailable", reason: "model_other_language" });
  const rejected = expect.objectContaining({ wrong_language: expect.any(Number) as number }) as object;
  expect(events).toContainEqual({ type: "gates", rejected });
  expect(lines.join()).toMatch(/"wrong_language":\d+/);
});

const inTurkish = () => aRequest({ options: { language: "Turkish" } });
const turkish = {
  question: "Hayvan hücresinin kromozomlarını hangi yapı taşır?",
  answer: "Çekirdek adı verilen yapı",
  quote: "The nucleus holds the chromosomes of the animal cell.",
};

test("reports if most cards were dropped because they were in the source's language", async () => {
  const { model } = await aModel({ say: (prompt) => JSON.stringify([turkish, ...cardsFromPrompt(prompt)]) });
  const outcome = await outcomeOf(model.generateCards(aRequest({ options: { language: "Turkish" } })));
  expect(outcome).toMatchObject({ cards: 1, notices: ["not_translated"] });
  expect(outcome.rejected["wrong_language"]).toBeGreaterThan(1);
  const translated = await aModel({ say: () => JSON.stringify([turkish]) });
  const good = await outcomeOf(translated.model.generateCards(aRequest({ options: { language: "Turkish" } })));
  expect(good).toEqual({ cards: 1, notices: [], rejected: {} });
});

test("cards that the check drops are not counted as cards in the wrong language", async () => {
  const [english] = cardsFromPrompt(JSON.stringify({ id: "1", text: text.split("\n")[1] }));
  const { model } = await aModel({ say: () => JSON.stringify([turkish, english]), check: () => "" });
  const outcome = await outcomeOf(model.generateCards(inTurkish()));
  expect(outcome).toMatchObject({ cards: 0, notices: [], rejected: { quote_does_not_answer: 1 } });
  expect(outcome.rejected["wrong_language"]).toBeGreaterThan(0);
});

test("a model that writes more cards than requested adds only the requested number", async () => {
  const { model, server } = await aModel({
    script: ["whole"],
    say: (prompt) => JSON.stringify(cardsFromPrompt(prompt)),
  });
  expect(await cardsOf(model.generateCards(aRequest({ options: { density: "AUTO" } })))).toHaveLength(1);
  expect(server.requests).toHaveLength(1);
});

test("waits out a rate limit for as long as the server asks", async () => {
  const { model, server } = await aModel({ script: ["rate_limited"] });
  const startedAt = performance.now();
  expect(await cardsOf(model.generateCards(aRequest()))).toHaveLength(whole);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
  expect(server.requests).toHaveLength(2);
});

test('fails with "busy" at once when the server asks for a wait of an hour', async () => {
  const { model, server } = await aModel({ script: ["rate_limited_long"] });
  await expect(cardsOf(model.generateCards(aRequest()))).rejects.toMatchObject({
    code: "model_unavailable",
    message: expect.stringContaining("busy") as string,
  });
  expect(server.requests).toHaveLength(1);
});

test("retries a server error a limited number of times", async () => {
  const passing = await aModel({ script: ["error_500", "error_500"] });
  expect(await cardsOf(passing.model.generateCards(aRequest()))).toHaveLength(whole);
  const lasting = await aModel({ script: Array<Turn>(50).fill("error_500") });
  await expect(cardsOf(lasting.model.generateCards(aRequest()))).rejects.toMatchObject({ code: "model_unavailable" });
  expect(lasting.server.requests).toHaveLength(4);
});

test.each([
  ["bad_key", 1],
  ["error_400", 2],
] as const)("stops retrying a request that can never succeed (%s)", async (turn, count) => {
  const { model, server } = await aModel({ script: [turn, turn, turn] });
  const failed = cardsOf(model.generateCards(aRequest()));
  await expect(failed).rejects.toMatchObject({
    code: "model_unavailable",
    message: expect.stringContaining("refused the request") as string,
  });
  await expect(failed).rejects.not.toThrow(/sk-secret/);
  expect(server.requests).toHaveLength(count);
});

test("retries without temperature and token limit when a model refuses them", async () => {
  const { model, server } = await aModel({ script: ["strict", "strict", "strict"] });
  expect(await cardsOf(model.generateCards(aRequest()))).toHaveLength(whole);
  expect(server.requests.length).toBeGreaterThan(1);
});

test("reports an unreachable server", async () => {
  const { model, server } = await aModel({ attempts: 2 });
  await server.close();
  await expect(cardsOf(model.generateCards(aRequest()))).rejects.toMatchObject({
    code: "model_unavailable",
    message: expect.stringContaining("could not be reached") as string,
  });
});

test("the timeout counts from the last byte: slow answers are read, silent ones time out", async () => {
  const slow = await aModel({ script: ["slow"], silenceMs: 3000 });
  expect(await cardsOf(slow.model.generateCards(aRequest()))).toHaveLength(whole);
  expect(slow.server.requests).toHaveLength(1);
  const silent = await aModel({ script: ["silent", "silent", "silent"], silenceMs: 150 });
  await expect(cardsOf(silent.model.generateCards(aRequest()))).rejects.toThrow("stopped answering");
  expect(silent.server.requests).toHaveLength(2);
  await expect.poll(() => silent.server.requests.every((r) => r.wasClosedEarly)).toBe(true);
});

test("cancelling aborts the running request and a pending retry", async () => {
  const { model, server } = await aModel({ script: ["slow"] });
  const cancel = new AbortController();
  const cards: CardEvent[] = [];
  const run = async () => {
    for await (const event of model.generateCards(aRequest({ signal: cancel.signal }))) {
      cards.push(event);
      if (event.type === "card") cancel.abort();
    }
  };
  await expect(run()).rejects.toThrow(/abort/i);
  await expect.poll(() => server.requests[0]?.wasClosedEarly).toBe(true);
  expect(server.requests).toHaveLength(1);

  const waiting = await aModel({ script: ["rate_limited"] });
  await expect(
    cardsOf(waiting.model.generateCards(aRequest({ signal: AbortSignal.timeout(200) }))),
  ).rejects.toMatchObject({ name: "TimeoutError" });
  expect(waiting.server.requests).toHaveLength(1);
});

const isOfNucleus = ({ quote }: { quote: string }) => quote.includes("nucleus");

test.each([
  ["nothing", ""],
  ["nothing, in words", "None."],
  ["null", null],
  ["something else", "Ribosomes"],
])("drops a card whose quote, read alone, gives %s as the answer", async (_, answer) => {
  const { model, server } = await aModel({ check: (card) => (isOfNucleus(card) ? answer : card.quote) });
  const cards: ProposedCard[] = [];
  const rejected: Record<string, number> = {};
  for await (const event of model.generateCards(aRequest())) {
    if (event.type === "card") cards.push(event.card);
    if (event.type === "gates") Object.assign(rejected, event.rejected);
  }
  expect(cards).toHaveLength(whole - 1);
  expect(cards.filter(isOfNucleus)).toEqual([]);
  expect(rejected["quote_does_not_answer"]).toBe(1);
  expect(server.requests[1]?.prompt ?? "").not.toContain('"The nucleus holds the ____');
  for (const { prompt } of server.checks) expect(prompt).not.toMatch(/"(?:answer|passageId)":(?! "the words")/);
});

test.each([
  ["None", "none."],
  ["Unknown", "Unknown"],
  ["N/A", "n/a"],
])("a card whose right answer is “%s” is kept when the quote answers “%s”", async (answer, written) => {
  const quote = `The column of enzymes says ${answer} for the old sample.`;
  const say = () => JSON.stringify([{ question: "What does the column of enzymes say?", answer, quote }]);
  const { model } = await aModel({ say, check: () => written });
  const cards = await cardsOf(model.generateCards(aRequest({ passages: passagesFromText(quote) })));
  expect(cards.map((card) => card.answer)).toEqual([answer]);
});

test("a card that the model writes again after it was dropped is not checked a second time", async () => {
  const card = cardsFromPrompt(JSON.stringify({ id: "1", text: "The nucleus holds the chromosomes." }));
  const say = () =>
    JSON.stringify(card.map((fields) => ({ ...fields, quote: text.split("\n")[1]?.split(". ")[0] ?? "" })));
  const { model, server } = await aModel({ say, check: () => "" });
  expect(await cardsOf(model.generateCards(aRequest()))).toEqual([]);
  expect(server.checks).toHaveLength(1);
});

test.each<Turn>(["malformed", "empty", "refusal", "error_500", "bad_key", "silent", "cut"])(
  "keeps cards that could not be checked, and asks at most twice an answer (%s)",
  async (checkTurn) => {
    const { model, server, lines } = await aModel({ checkTurn, silenceMs: 150, check: () => undefined });
    expect(await cardsOf(model.generateCards(aRequest()))).toHaveLength(whole);
    expect(server.checks.length).toBeGreaterThan(0);
    expect(server.checks.length).toBeLessThanOrEqual(2 * server.requests.length);
    expect(lines.join()).not.toContain("nucleus");
  },
);

/** Every part has different words; the words of the first part contain "aium". */
const long = passagesFromText(
  Array.from({ length: 24 }, (_, i) => text.replaceAll(/ (?=\w+\.)/g, ` ${"abcdefghijklmnopqrstuvwx"[i]}ium `)).join(
    "\n\n",
  ),
);

/** Every part has different long words, so that no card is a duplicate and one answer needs more than two checks. */
const varied = passagesFromText(
  ["be", "co", "mi", "du", "sa", "lo"]
    .map((start) => text.replaceAll(/\b\p{Ll}{5,}/gu, (word) => `${start}${word}`))
    .join("\n\n"),
);

test("the cards of an answer are no longer checked after two requests that failed", async () => {
  const { model, server } = await aModel({ checkTurn: "error_500" });
  const cards = await cardsOf(model.generateCards(aRequest({ passages: varied })));
  expect(cards.length).toBeGreaterThan(20);
  expect(server.checks.length).toBeLessThanOrEqual(2 * server.requests.length);
});

test.each<Turn>(["whole", "good"])(
  "when the check drops cards of a full answer, the missing ones are requested again (%s)",
  async (turn) => {
    const dropped = new Set<string>();
    const check = ({ quote }: CheckLine) => {
      if (dropped.size < 4) dropped.add(quote);
      return dropped.has(quote) ? "" : quote;
    };
    const { model, server } = await aModel({ script: [turn], check });
    const cards = await cardsOf(model.generateCards(aRequest({ passages: varied, options: { density: "AUTO" } })));
    expect(server.requests.map(({ prompt }) => /Write (\d+) flashcards/.exec(prompt)?.[1])).toEqual(["6", "4"]);
    expect(cards).toHaveLength(6);
  },
);

test("cards are not checked if the rest of the day's budget is too small for the check", async () => {
  // While tokens are reserved for the answer, no check of three cards fits; once it has ended, the other cards fit.
  const { model, server, store, lines } = await aModel({ budget: 5100 });
  expect(await cardsOf(model.generateCards(aRequest()))).toHaveLength(whole);
  expect(server.checks.flatMap(({ prompt }) => prompt.match(/^\{"number":/gm) ?? [])).toHaveLength(whole - 3);
  expect(lines.join()).toContain("cards were not checked");
  const spent = await aModel({ budget: 20_000 });
  await cardsOf(spent.model.generateCards(aRequest()));
  const tokensOf = async (spendingStore: typeof store) =>
    (await spendingStore.collection<{ _id: string; tokens: number }>(SPENDING).get("2026-01-05"))?.tokens ?? 0;
  expect(spent.server.checks.length).toBeGreaterThan(1);
  expect(await tokensOf(spent.store)).toBeGreaterThan(await tokensOf(store));
});

test("a translated card may be answered in the language of its quote, but must be answered", async () => {
  const answered = await aModel({ say: () => JSON.stringify([turkish]), check: () => "The nucleus" });
  expect(await cardsOf(answered.model.generateCards(inTurkish()))).toHaveLength(1);
  for (const nothing of ["", "None."]) {
    const unanswered = await aModel({ say: () => JSON.stringify([turkish]), check: () => nothing });
    expect(await cardsOf(unanswered.model.generateCards(inTurkish()))).toEqual([]);
  }
});

test("the first cards are shown while the model is still writing", async () => {
  const { model, server } = await aModel({ script: ["slow"], silenceMs: 3000 });
  let wasWriting = false;
  for await (const event of model.generateCards(aRequest()))
    if (event.type === "card") wasWriting ||= server.requests[0]?.isComplete === false;
  expect(wasWriting).toBe(true);
});

test("doesn't repeat cards of the deck, and a resumed generation adds only the missing ones", async () => {
  const { model } = await aModel();
  const first = await cardsOf(model.generateCards(aRequest()));
  const rest = await cardsOf(model.generateCards(aRequest({ existing: first.slice(0, 4) })));
  expectSound([...first.slice(0, 4), ...rest]);
  const resumed = await cardsOf(model.generateCards(aRequest({ generatedCards: first.slice(0, 7) })));
  expectSound([...first.slice(0, 7), ...resumed]);
  expect(first.slice(0, 7).length + resumed.length).toBeLessThanOrEqual(whole + 2);
});

test("a resumed generation makes no more cards than are missing", async () => {
  const { model, server } = await aModel();
  const options = { density: "AUTO" } as const;
  const [card] = await cardsOf(model.generateCards(aRequest({ options })));
  if (card === undefined) throw new Error("no card was made");
  expect(await cardsOf(model.generateCards(aRequest({ options, generatedCards: [card] })))).toEqual([]);
  expect(server.requests).toHaveLength(1);
});

test("a resumed generation begins with the part of the source that it stopped at", async () => {
  const { model, server } = await aModel();
  const totals: number[] = [];
  const read = async (startAt?: number) => {
    server.requests.splice(0);
    for await (const event of model.generateCards(
      aRequest({ passages: long, ...(startAt !== undefined && { startAt }) }),
    ))
      if (event.type === "progress") totals.push(event.total);
    return server.requests.map(({ prompt }) => prompt).join("\n");
  };
  expect(await read()).toContain(" aium ");
  expect(totals[0]).toBeGreaterThan(1);
  const rest = await read((totals[0] ?? 0) - 1);
  expect(rest).toContain(" xium ");
  expect(rest).not.toContain(" aium ");
});

test("a card that the model writes again, or that the deck has, is dropped", async () => {
  const card = {
    question: "What holds the chromosomes of the animal cell?",
    answer: "The nucleus",
    quote: "The nucleus holds the chromosomes of the animal cell.",
  };
  const { model } = await aModel({ say: () => JSON.stringify([card, card]) });
  expect(await cardsOf(model.generateCards(aRequest()))).toHaveLength(1);
  expect(await cardsOf(model.generateCards(aRequest({ existing: [card] })))).toEqual([]);
});

test("the daily budget stops an instance's requests and counts only requested tokens", async () => {
  const { model, server, store } = await aModel({ budget: 9000 });
  const request = () => cardsOf(model.generateCards(aRequest()));
  const exhaust = async () => {
    for (let i = 0; i < 40; i++) await request();
  };
  const exhausted = exhaust();
  await expect(exhausted).rejects.toMatchObject({ code: "model_unavailable" });
  await expect(exhausted).rejects.toThrow("AI budget");
  expect(server.requests.length).toBeGreaterThan(1);
  const [day] = await store.collection<{ _id: string; tokens: number }>(SPENDING).find({});
  expect(day?._id).toBe("2026-01-05");
  expect(day?.tokens).toBeLessThanOrEqual(9000);
});

test("without usage from the server, tool calls count the same for the budget and for the operator's figures", async () => {
  const written = JSON.stringify({ words: "x".repeat(3000) });
  const { model, counted, store } = await aModel({ budget: 9000, calls: () => [{ name: "note", arguments: written }] });
  const tool = { name: "note", description: "Takes a note.", parameters: {}, run: async () => true };
  const signal = new AbortController().signal;
  const request = { system: "Take notes.", user: "Note this.", tools: [tool], maxCalls: 1, ownerId: "ada", signal };
  expect(await model.useTools?.(request)).toBe(1);
  const [{ tokensIn, tokensOut } = { tokensIn: 0, tokensOut: 0 }] = counted;
  expect(tokensOut).toBeGreaterThan(700);
  const [day] = await store.collection<{ _id: string; tokens: number }>(SPENDING).find({});
  expect(day?.tokens).toBe(tokensIn + tokensOut);
});

test("neither prompts, answers nor a server's error text reach the log", async () => {
  const { model, lines } = await aModel({ script: ["error_500", "cut", "malformed", "good"] });
  await cardsOf(model.generateCards(aRequest()));
  const log = lines.join("\n");
  expect(log.length).toBeGreaterThan(100);
  for (const word of ["nucleus", "Mitochondria", "sk-secret", "sk-of-the-test", "flashcards"])
    expect(log).not.toContain(word);
});
