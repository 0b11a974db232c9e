/**
 * Trains the ranker for cards in languages other than English on `bench/card-ranker/other-languages.jsonl`, leaving out
 * one work with all its translations at a time: `node scripts/cards/other-language-ranker.ts`. With
 * `WEIGHTS=shared/cards/features/other-language-weights.json` it also writes the weights learnt from all cards.
 */
import { writeFileSync } from "node:fs";
import { z } from "zod";
import { otherLanguageFeatures } from "#shared/cards/features/other-language-features.ts";
import { OTHER_SIGNS, OTHER_STYLES } from "#shared/cards/generate/language-patterns.ts";
import { PhraseFacts } from "#shared/cards/source/phrase-facts.ts";
import { readJudgedCards } from "./judged-cards.ts";
import { areaUnderCurve, probabilityOf, trainLogistic } from "./logistic.ts";

/** What the engine recorded about a card; cards that it no longer makes have no record. */
const CardRecord = z.object({
  source: z.string(),
  question: z.string(),
  answer: z.string(),
  style: z.enum(OTHER_STYLES),
  signs: z.array(z.enum(OTHER_SIGNS)),
  facts: PhraseFacts,
});

const cards = readJudgedCards(["other-languages.jsonl"], CardRecord);
type Judged = (typeof cards)[number];

const keepShare = ({ marks }: Judged) => marks.filter((mark) => mark === "keep").length / marks.length;
const dropShare = ({ marks }: Judged) =>
  marks.filter((mark) => mark === "drop" || mark === "false").length / marks.length;
const names = [...new Set(cards.flatMap((card) => Object.keys(otherLanguageFeatures(card))))];
const valuesOf = (card: Judged) => {
  const features = new Map(Object.entries(otherLanguageFeatures(card)));
  return names.map((name) => features.get(name) ?? 0);
};
const train = (sample: readonly Judged[]) =>
  trainLogistic(
    sample.map((card) => ({ values: valuesOf(card), target: keepShare(card) })),
    names.length,
  );
const round = (value: number) => Math.round(value * 1000) / 1000;

/** The work that a source is a translation of; all translations of a work are left out together. */
const workOf = ({ source }: Judged) => source.replace(/-(?:de|fr|es|pt|it|ja|zh)(?:$|-.*)/, "");

const ranked = [...new Set(cards.map(workOf))].flatMap((work) => {
  const model = train(cards.filter((card) => workOf(card) !== work));
  return cards
    .filter((card) => workOf(card) === work)
    .map((card) => ({ card, score: probabilityOf(model, valuesOf(card)), isGood: keepShare(card) >= 0.5 }));
});
const groups = [...new Set(cards.map(({ source }) => source))].map((source) => ({
  source,
  own: ranked.filter(({ card }) => card.source === source),
}));
console.table(
  [...groups, { source: "all", own: ranked }].map(({ source, own }) => ({
    source,
    cards: own.length,
    keepShare: round(own.reduce((sum, { card }) => sum + keepShare(card), 0) / own.length),
    area: round(areaUnderCurve(own)),
  })),
);
console.table(
  [0, 0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6].map((least) => {
    const sample = ranked.filter(({ score }) => score >= least);
    const mean = (valueOf: (card: Judged) => number) =>
      round(sample.reduce((sum, { card }) => sum + valueOf(card), 0) / Math.max(1, sample.length));
    return { least, cards: sample.length, keepShare: mean(keepShare), dropShare: mean(dropShare) };
  }),
);

const final = train(cards);
const weights = names
  .map((name, i) => ({ name, weight: round(final.weights[i] ?? 0) }))
  .toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
console.table(weights);
const target = process.env["WEIGHTS"];
if (target !== undefined)
  writeFileSync(
    target,
    `${JSON.stringify({ bias: round(final.bias), weights: Object.fromEntries(weights.map(({ name, weight }) => [name, weight])) }, null, 2)}\n`,
  );
