/**
 * Trains the judge of terms: how likely a phrase is one that its author would put in a glossary or an index.
 * `node scripts/cards/term-judge.ts rows LIST.json` prints a line for each phrase of each source, with whether its glossary or
 * index has it; `node scripts/cards/term-judge.ts train` trains on `bench/card-ranker/terms.jsonl`, leaves out one source
 * at a time and prints how well the judge orders its phrases. `WEIGHTS=shared/cards/features/term-weights.json` writes
 * the weights.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { readDocument } from "#api/documents/document-reader.ts";
import { closeParsers } from "#api/documents/process/parser-pool.ts";
import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import { PhraseFacts, PhraseIndex } from "#shared/cards/source/phrase-facts.ts";
import { phraseAskedBy, termFeaturesOf } from "#shared/cards/features/term-likelihood.ts";
import { documentKindOf } from "#shared/pdf/document-kinds.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { seededRandom } from "#tests/kit/random.ts";
import { areaUnderCurve, probabilityOf, trainLogistic, type Example } from "./logistic.ts";

const Source = z.object({ source: z.string(), file: z.string(), terms: z.array(z.string()) });
const Row = z.object({ source: z.string(), phrase: z.string(), isTerm: z.boolean(), facts: PhraseFacts });
type Row = z.infer<typeof Row>;

async function readPassages(path: string): Promise<Passage[]> {
  const kind = documentKindOf(path);
  const passages: Passage[] = [];
  if (kind === undefined || kind === "image") return passages;
  for await (const page of readDocument(kind, path)) passages.push(...page.passages);
  return passages;
}

/** Draws `count` random runs of one to three words. */
function drawPhrases(passages: readonly Passage[], count: number): string[] {
  const next = seededRandom(count);
  const body = passages.filter(({ kind, text }) => kind === "paragraph" && text.length > 60);
  return Array.from({ length: body.length === 0 ? 0 : count }, () => {
    const words = body[Math.floor(next() * body.length)]?.text.match(/[\p{L}\p{N}_-]+/gu) ?? [];
    const at = Math.floor(next() * words.length);
    return words.slice(at, at + 1 + Math.floor(next() * 3)).join(" ");
  });
}

const MAX_ROWS = 400;
const keyOf = (text: string) => text.toLowerCase().replaceAll(/\s+/g, " ").trim();

/**
 * Prints up to 400 glossary terms that the source uses, and other phrases: up to 400 that the engine would ask, and as many
 * random phrases as there are terms, but at least 40.
 */
async function printRows(list: string) {
  for (const { source, file, terms } of z.array(Source).parse(JSON.parse(readFileSync(list, "utf8")))) {
    const passages = await readPassages(file);
    const index = new PhraseIndex(passages);
    const wanted = new Map(terms.map((term) => [keyOf(term), term]));
    const cards = [...generateCards(passages, { density: "VERY_HIGH" })].flatMap((e) =>
      e.type === "card" ? [e.card] : [],
    );
    const asked = cards.flatMap((card) => phraseAskedBy(card) ?? []);
    const used = [...wanted.values()].filter((term) => index.factsOf(term).count > 0).slice(0, MAX_ROWS);
    const others = [
      ...new Set([...asked.slice(0, MAX_ROWS), ...drawPhrases(passages, Math.max(40, used.length))]),
    ].filter((phrase) => phrase !== "" && !wanted.has(keyOf(phrase)));
    for (const phrase of [...used, ...others]) {
      const isTerm = wanted.has(keyOf(phrase));
      console.log(JSON.stringify({ source, phrase, isTerm, facts: index.factsOf(phrase) }));
    }
    console.error(`${source}: ${used.length} terms, ${others.length} others`);
  }
}

/** Two examples, with and without the emphasis of the source, so that the judge also works on plain text. */
const examplesOf = ({ facts, isTerm }: Row): Example[] =>
  [facts, { ...facts, isMarked: false }].map((variant) => ({
    values: Object.values(termFeaturesOf(variant)),
    target: isTerm ? 1 : 0,
  }));

function train() {
  const rows = readFileSync(new URL("../../bench/card-ranker/terms.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => Row.parse(JSON.parse(line)));
  const names = Object.keys(termFeaturesOf(rows[0]?.facts ?? PhraseFacts.parse({})));
  const sources = [...new Set(rows.map(({ source }) => source))];
  console.table(
    sources.map((source) => {
      const model = trainLogistic(rows.filter((row) => row.source !== source).flatMap(examplesOf), names.length);
      const own = rows.filter((row) => row.source === source);
      const areaOf = (hidesMarks: boolean) =>
        areaUnderCurve(
          own.map(({ facts, isTerm }) => ({
            isGood: isTerm,
            score: probabilityOf(
              model,
              Object.values(termFeaturesOf(hidesMarks ? { ...facts, isMarked: false } : facts)),
            ),
          })),
        );
      const terms = own.filter(({ isTerm }) => isTerm).length;
      return {
        source,
        terms,
        others: own.length - terms,
        area: areaOf(false).toFixed(2),
        plain: areaOf(true).toFixed(2),
      };
    }),
  );
  const { bias, weights } = trainLogistic(rows.flatMap(examplesOf), names.length);
  const rounded = Object.fromEntries(names.map((name, i) => [name, Math.round((weights[i] ?? 0) * 1000) / 1000]));
  console.table(rounded);
  const target = process.env["WEIGHTS"];
  const text = JSON.stringify({ bias: Math.round(bias * 1000) / 1000, weights: rounded }, null, 2);
  if (target !== undefined) writeFileSync(target, `${text}\n`);
}

const [task, list = ""] = process.argv.slice(2);
if (task === "rows") await printRows(list);
else train();
closeParsers();
