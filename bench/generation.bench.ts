import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ulid } from "ulid";
import { readDocument } from "#api/documents/document-reader.ts";
import { closeParsers } from "#api/documents/process/parser-pool.ts";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { v1 } from "#shared/contract/v1.ts";
import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import type { Density } from "#shared/flashcards/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import type { TestUser } from "#tests/kit/api.ts";
import { aDeck, aPage } from "#tests/store/changes.ts";
import { startModelServer } from "#tests/kit/servers/model-server.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { type Bench, median, type Row } from "./row.ts";

const ROUNDS = 3;
/** 20 printed pages. */
const CHAPTER = "04-cell-structure.pdf";

interface Measured {
  firstMs: number;
  wholeMs: number;
  cardCount: number;
}

export const bench: Bench = {
  name: "Generation",
  async run() {
    const folder = join(process.env["CORPUS_DIR"] ?? "../shared/corpus", "textbook");
    const bytes = await readFile(join(folder, CHAPTER)).catch(() => undefined);
    if (!bytes) {
      process.stdout.write(`skipped: no corpus at ${folder} (CORPUS_DIR names it)\n`);
      return [];
    }
    const file = new Blob([new Uint8Array(bytes)]);
    return [
      ...(await measure(file, "MEDIUM", "just uploaded")),
      ...(await measure(file, "AUTO", "already read")),
      ...(await measureWithModel(file)),
      ...(await measureBook(folder)),
    ];
  },
};

/** Each round uses a freshly started server: the engine's thread and its word lists are cold. */
async function measure(file: Blob, density: Density, state: "just uploaded" | "already read"): Promise<Row[]> {
  const rounds: Measured[] = [];
  for (let i = 0; i < ROUNDS; i++) rounds.push(await measureOnce(file, density, { state }));
  const what = `${CHAPTER}, ${density.toLowerCase()}, ${state}`;
  const count = median(rounds.map((r) => r.cardCount));
  return [
    { what: `first card, ${what}`, value: median(rounds.map((r) => r.firstMs)), unit: "ms", goal: "<= 2000" },
    {
      what: `whole deck of ${count} cards, ${what}`,
      value: median(rounds.map((r) => r.wholeMs)),
      unit: "ms",
      goal: "<= 10000",
    },
  ];
}

/** The engine alone on all chapters twice in a row: as many pages as a long book. */
async function measureBook(folder: string): Promise<Row[]> {
  const chapters = (await readdir(folder)).filter((name) => name.endsWith(".pdf"));
  const book: Passage[] = [];
  for (const [at, name] of [...chapters, ...chapters].entries())
    for await (const page of readDocument("pdf", join(folder, name)))
      book.push(...page.passages.map((passage) => ({ ...passage, id: `${at}/${passage.id}` })));
  closeParsers();
  let [cards, peak] = [0, 0];
  for (const event of generateCards(book, { density: "VERY_HIGH" })) {
    if (event.type === "card") cards++;
    peak = Math.max(peak, process.memoryUsage().rss);
  }
  const what = `memory of the whole process at its peak, ${cards} cards of nine chapters twice over`;
  return [{ what, value: Math.round(peak / 1_000_000), unit: "MB", goal: "<= 400" }];
}

/** The time that our server adds to a model server that answers at once. */
async function measureWithModel(file: Blob): Promise<Row[]> {
  const model = await startModelServer();
  const env = { AI_BASE_URL: model.baseUrl, AI_MODEL: "test-model" };
  try {
    const { firstMs, wholeMs, cardCount } = await measureOnce(file, "MEDIUM", { state: "already read", env });
    const what = `${CHAPTER}, medium, a model server that answers at once`;
    return [
      { what: `first card, ${what}`, value: firstMs, unit: "ms", goal: "<= 2000" },
      { what: `whole deck of ${cardCount} cards, ${what}`, value: wholeMs, unit: "ms", goal: "<= 10000" },
    ];
  } finally {
    await model.close();
  }
}

interface Setup {
  state: "just uploaded" | "already read";
  env?: Record<string, string>;
}

async function measureOnce(file: Blob, density: Density, { state, env }: Setup): Promise<Measured> {
  const server = await startServerProcess({ DEFAULT_PLAN: "ULTIMATE", ...env });
  try {
    const user = await signIn(server.origin);
    const pageId = await aPage(user);
    const target = { pageId, componentId: await aDeck(user, pageId, []) };
    const files = [{ field: "file", file, name: CHAPTER }];
    const { component } = await user.client.uploads.uploadImageComponent({ pageId }, files);
    if (state === "already read") await user.client.pdf.getPassages({ id: component._id });
    const input = { pdfComponents: [{ componentId: component._id }], options: { target, density, jobId: ulid() } };
    return await timeEvents(user, input);
  } finally {
    await server.dispose();
  }
}

async function signIn(origin: string): Promise<TestUser> {
  const account = { name: "Ada", email: "ada@example.org", password: "a lamp upon the desk" };
  const { user, token } = await createClient(v1, fetchTransport({ origin, token: () => undefined })).auth.register(
    account,
  );
  const client = createClient(v1, fetchTransport({ origin, token: () => token }));
  return { client, userId: user._id, email: user.email, token };
}

type Input = Parameters<TestUser["client"]["flashcards"]["generateCards"]["stream"]>[0];

async function timeEvents(user: TestUser, input: Input): Promise<Measured> {
  const startedAt = performance.now();
  const measured: Measured = { firstMs: Number.NaN, wholeMs: Number.NaN, cardCount: 0 };
  for await (const event of user.client.flashcards.generateCards.stream(input, [])) {
    if (event.type === "card" && measured.cardCount++ === 0) measured.firstMs = performance.now() - startedAt;
    if (event.type === "result") measured.wholeMs = performance.now() - startedAt;
    if (event.type === "error") throw new Error(event.message);
  }
  return measured;
}
