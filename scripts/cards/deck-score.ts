/**
 * Scores the built-in engine's decks for textbook chapters: reads PDFs, generates cards and prints the scores.
 * `AI_BASE_URL=http://… npm run eval -- --model NAME` prints the same table for a model of an OpenAI-compatible server,
 * `--model ollama/NAME` for one of Ollama on this machine.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { createModels } from "#api/ai/models.ts";
import type { Model } from "#api/ai/port.ts";
import { systemClock } from "#api/clock.ts";
import { closeParsers } from "#api/documents/process/parser-pool.ts";
import { readDocument } from "#api/documents/document-reader.ts";
import { createLog } from "#api/log.ts";
import { readSettings } from "#api/settings.ts";
import { openSqlite } from "#api/store/sqlite/sqlite-store.ts";
import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import { BLANK, Density, type DraftCard } from "#shared/cards/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";

const chapters = join(process.env["CORPUS_DIR"] ?? "../shared/corpus", "textbook");
const scorer = process.env["SCORER"] ?? "../shared/bench/score-deck.mjs";
const density = Density.parse(process.env["DENSITY"] ?? "MEDIUM");
const run = promisify(execFile);

type Figures = Record<string, number>;

async function readPassages(path: string): Promise<Passage[]> {
  const passages: Passage[] = [];
  for await (const page of readDocument("pdf", path)) passages.push(...page.passages);
  return passages;
}

interface Engine {
  name: string;
  generate: (
    passages: readonly Passage[],
  ) => Iterable<{ type: string; card?: DraftCard }> | AsyncIterable<{ type: string; card?: DraftCard }>;
}

const builtin: Engine = { name: "built-in engine", generate: (passages) => generateCards(passages, { density }) };

const engineOf = (model: Model): Engine => ({
  name: model.info.name,
  generate: (passages) =>
    model.generateCards({ passages, existing: [], options: { density }, signal: new AbortController().signal }),
});

async function makeDeck(passages: readonly Passage[], engine: Engine) {
  const cards: DraftCard[] = [];
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  let firstMs = 0;
  for await (const event of engine.generate(passages)) {
    if (event.card === undefined) continue;
    if (cards.length === 0) firstMs = performance.now() - startedAt;
    cards.push(event.card);
  }
  const { user, system } = process.cpuUsage(cpu);
  return { cards, firstMs, cpuMs: (user + system) / 1000 };
}

async function scoreChapter(name: string, folder: string, engine: Engine): Promise<Figures> {
  const { cards, firstMs, cpuMs } = await makeDeck(await readPassages(join(chapters, `${name}.pdf`)), engine);
  const deck = join(folder, `${name}.json`);
  await writeFile(deck, JSON.stringify(cards));
  const files = [deck, join(chapters, `${name}.reference.json`), join(chapters, `${name}.md`)];
  const { stdout } = await run(process.execPath, [scorer, ...files]);
  const clozeShare = cards.filter((c) => c.question.includes(BLANK)).length / (cards.length || 1);
  return { ...(JSON.parse(stdout) as Figures), clozeShare, firstMs: Math.round(firstMs), cpuMs: Math.round(cpuMs) };
}

const round = (n: number) => Math.round(n * 1000) / 1000;

async function scoreAll(folder: string, engine: Engine): Promise<Record<string, Figures>> {
  const names = (await readdir(chapters)).filter((f) => f.endsWith(".pdf")).map((f) => f.slice(0, -4));
  const rows: Record<string, Figures> = {};
  for (const name of names.toSorted()) rows[name] = await scoreChapter(name, folder, engine);
  const all = Object.values(rows);
  const keys = Object.keys(all[0] ?? {});
  rows["mean"] = Object.fromEntries(keys.map((k) => [k, all.reduce((sum, r) => sum + (r[k] ?? 0), 0) / all.length]));
  return rows;
}

async function printScores(engine: Engine) {
  const outputFolder = process.env["DECKS"];
  const folder = outputFolder ?? (await mkdtemp(join(tmpdir(), "decks-")));
  const rows = await scoreAll(folder, engine);
  const table = Object.entries(rows).map(([name, figures]) => [
    name.slice(0, 24),
    Object.fromEntries(Object.entries(figures).map(([k, v]) => [k, round(v)])),
  ]);
  console.log(engine.name);
  console.table(Object.fromEntries(table));
  if (outputFolder === undefined) await rm(folder, { recursive: true });
}

/** Prints the scores of a model of the server that the settings name; uses a temporary store. */
async function printModelScores(name: string) {
  const folder = await mkdtemp(join(tmpdir(), "eval-"));
  const store = openSqlite({ folder });
  const names = name.startsWith("ollama/") ? {} : { AI_MODEL: name };
  const settings = readSettings({ ...process.env, ...names });
  try {
    const model = await createModels({ settings, store, clock: systemClock, log: createLog("silent") }).choose(name);
    if (model) await printScores(engineOf(model));
    else console.log(`${name}: no such model`);
  } finally {
    await store.close();
    await rm(folder, { recursive: true });
  }
}

const { model } = parseArgs({ options: { model: { type: "string" } } }).values;
if (existsSync(chapters) && existsSync(scorer)) {
  await printScores(builtin);
  if (model !== undefined) await printModelScores(model);
  closeParsers();
} else {
  console.log(`deck scores: skipped, ${existsSync(chapters) ? scorer : chapters} does not exist`);
}
