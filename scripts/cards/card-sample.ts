/**
 * Makes the automatic deck (or that of `DENSITY`) of each source of a list and draws cards of it for readers to judge:
 * `node scripts/cards/card-sample.ts LIST.json FOLDER`. The list contains `{kind, source, files}`; for each kind it
 * writes `FOLDER/KIND.txt`, `COUNT` (30) cards drawn by `SEED` (1) with their passages and no score, and
 * `FOLDER/KIND.jsonl`, the same cards in the same order with what the ranker knew about them, to be stored with the
 * marks in `bench/card-ranker`.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readDocument } from "#api/documents/document-reader.ts";
import { closeParsers } from "#api/documents/process/parser-pool.ts";
import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import type { DescribeCard } from "#shared/cards/features/keep-probability.ts";
import { Density, type EngineCard } from "#shared/cards/schema.ts";
import { documentKindOf } from "#shared/pdf/document-kinds.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { wordsOf } from "#shared/text/words.ts";
import { seededRandom } from "#tests/kit/random.ts";

const Source = z.object({ kind: z.string(), source: z.string(), files: z.array(z.string()) });
type Source = z.infer<typeof Source>;

const [list = "", folder = ""] = process.argv.slice(2);
const count = Number(process.env["COUNT"] ?? 30);
const density = Density.parse(process.env["DENSITY"] ?? "AUTO");
const seed = Number(process.env["SEED"] ?? 1);

async function readPassages({ files }: Source): Promise<Passage[]> {
  const passages: Passage[] = [];
  for (const [i, path] of files.entries()) {
    const kind = documentKindOf(path);
    if (kind === undefined || kind === "image") continue;
    for await (const page of readDocument(kind, path))
      passages.push(...page.passages.map((passage) => ({ ...passage, id: `${i}/${passage.id}` })));
  }
  return passages;
}

function shuffle<T>(items: readonly T[]): T[] {
  const next = seededRandom(seed);
  return items
    .map((item) => ({ item, key: next() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

/** What the ranker knew about a card. */
type Description = Parameters<DescribeCard>[1];

interface Drawn {
  source: string;
  card: EngineCard;
  passage: string;
  known: Description | undefined;
}

async function deckOf(source: Source): Promise<Drawn[]> {
  const passages = await readPassages(source);
  const texts = new Map(passages.map(({ id, text }) => [id, text]));
  const known = new Map<EngineCard, Description>();
  const events = [...generateCards(passages, { density }, (card, description) => known.set(card, description))];
  const cards = events.flatMap((e) => (e.type === "card" ? [e.card] : []));
  const words = passages.reduce((n, { text }) => n + wordsOf(text).length, 0);
  const per250 = Math.round((cards.length / Math.max(1, words)) * 250 * 100) / 100;
  console.log(`${source.kind} ${source.source}: ${words} words, ${cards.length} cards, ${per250} per 250 words`);
  return cards.map((card) => ({
    source: source.source,
    card,
    passage: texts.get(card.passageId) ?? card.quote,
    known: known.get(card),
  }));
}

const asText = ({ source, card, passage }: Drawn, number: number) =>
  `[${number + 1}] ${source}\nQ: ${card.question}\nA: ${card.answer}\nPassage: ${passage.slice(0, 1200)}\n`;

const asLine = ({ source, card, known }: Drawn) =>
  JSON.stringify({ source, question: card.question, answer: card.answer, quote: card.quote, ...known });

mkdirSync(folder, { recursive: true });
const decks = new Map<string, Drawn[]>();
for (const source of z.array(Source).parse(JSON.parse(readFileSync(list, "utf8"))))
  decks.set(source.kind, [...(decks.get(source.kind) ?? []), ...(await deckOf(source))]);
for (const [kind, cards] of decks) {
  const drawn = shuffle(cards).slice(0, count);
  writeFileSync(join(folder, `${kind}.txt`), drawn.map(asText).join("\n"));
  writeFileSync(join(folder, `${kind}.jsonl`), drawn.map((card) => `${asLine(card)}\n`).join(""));
}
closeParsers();
