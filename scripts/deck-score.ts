/** Scores the built-in engine's decks for textbook chapters: reads PDFs, generates cards and prints the scores. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { closeParsers } from "#api/documents/process/parser-pool.ts";
import { readDocument } from "#api/documents/document-reader.ts";
import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import { Density, type EngineCard } from "#shared/cards/schema.ts";
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

function makeDeck(passages: readonly Passage[]): { cards: EngineCard[]; firstMs: number; cpuMs: number } {
  const cards: EngineCard[] = [];
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  let firstMs = 0;
  for (const event of generateCards(passages, { density })) {
    if (event.type !== "card") continue;
    if (cards.length === 0) firstMs = performance.now() - startedAt;
    cards.push(event.card);
  }
  const { user, system } = process.cpuUsage(cpu);
  return { cards, firstMs, cpuMs: (user + system) / 1000 };
}

async function scoreChapter(name: string, folder: string): Promise<Figures> {
  const { cards, firstMs, cpuMs } = makeDeck(await readPassages(join(chapters, `${name}.pdf`)));
  const deck = join(folder, `${name}.json`);
  await writeFile(deck, JSON.stringify(cards));
  const files = [deck, join(chapters, `${name}.reference.json`), join(chapters, `${name}.md`)];
  const { stdout } = await run(process.execPath, [scorer, ...files]);
  const clozeShare = cards.filter((c) => c.kind === "cloze").length / (cards.length || 1);
  return { ...(JSON.parse(stdout) as Figures), clozeShare, firstMs: Math.round(firstMs), cpuMs: Math.round(cpuMs) };
}

const round = (n: number) => Math.round(n * 1000) / 1000;

async function scoreAll(folder: string): Promise<Record<string, Figures>> {
  const names = (await readdir(chapters)).filter((f) => f.endsWith(".pdf")).map((f) => f.slice(0, -4));
  const rows: Record<string, Figures> = {};
  for (const name of names.toSorted()) rows[name] = await scoreChapter(name, folder);
  const all = Object.values(rows);
  const keys = Object.keys(all[0] ?? {});
  rows["mean"] = Object.fromEntries(keys.map((k) => [k, all.reduce((sum, r) => sum + (r[k] ?? 0), 0) / all.length]));
  return rows;
}

if (existsSync(chapters) && existsSync(scorer)) {
  const outputFolder = process.env["DECKS"];
  const folder = outputFolder ?? (await mkdtemp(join(tmpdir(), "decks-")));
  const rows = await scoreAll(folder);
  const table = Object.entries(rows).map(([name, figures]) => [
    name.slice(0, 24),
    Object.fromEntries(Object.entries(figures).map(([k, v]) => [k, round(v)])),
  ]);
  console.table(Object.fromEntries(table));
  if (outputFolder === undefined) await rm(folder, { recursive: true });
  closeParsers();
} else {
  console.log(`deck scores: skipped, ${existsSync(chapters) ? scorer : chapters} does not exist`);
}
