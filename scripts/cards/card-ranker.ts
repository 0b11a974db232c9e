/**
 * Trains a ranker on judged cards and compares it with the engine that they were judged with, leaving out one subject,
 * and one source, at a time: `node scripts/cards/card-ranker.ts`. With `WEIGHTS=shared/cards/features/keep-weights.json` it
 * also writes the weights learnt from all cards. The engine still uses the weights from before the term features: with
 * newer weights, decks had fewer cards and asked fewer key terms, and readers kept no more (`docs/cards.md`).
 * `WITHOUT=term` leaves out the features whose names begin with "term".
 */
import { writeFileSync } from "node:fs";
import { z } from "zod";
import { featuresOf, CANDIDATE_FLAGS, TECHNICAL_SHARE } from "#shared/cards/features/keep-features.ts";
import { PhraseFacts } from "#shared/cards/source/phrase-facts.ts";
import { CARD_STYLES } from "#shared/cards/generate/candidates.ts";
import { readJudgedCards } from "./judged-cards.ts";
import { areaUnderCurve, type Model, probabilityOf, trainLogistic } from "./logistic.ts";

/** What the engine recorded about a card. */
const CardRecord = z.object({
  subject: z.string(),
  source: z.string(),
  /** Whether the engine chose the card for the automatic deck when it was judged. */
  isInAutomaticDeck: z.boolean(),
  question: z.string(),
  answer: z.string(),
  style: z.enum(CARD_STYLES),
  score: z.number(),
  signs: z.array(z.enum(CANDIDATE_FLAGS)),
  codeShare: z.number(),
  facts: PhraseFacts.optional(),
});
type Judged = ReturnType<typeof readCards>[number];

const FILES = [
  "judged-cards.jsonl",
  "automatic-decks.jsonl",
  "two-readers.jsonl",
  "unseen-manuals.jsonl",
  "new-sources.jsonl",
];

/** Each card once, with the marks of all its readers. */
function readCards() {
  const judged = readJudgedCards(FILES, CardRecord);
  const byText = new Map<string, (typeof judged)[number]>();
  for (const card of judged) {
    const key = `${card.source}\n${card.question}\n${card.answer}`;
    const known = byText.get(key);
    byText.set(key, known === undefined ? card : { ...known, marks: [...known.marks, ...card.marks] });
  }
  return [...byText.values()];
}

const cards = readCards();
const excluded = process.env["WITHOUT"];
const names = [...new Set(cards.flatMap((card) => Object.keys(featuresOf(card))))]
  .filter((name) => excluded === undefined || !name.startsWith(excluded))
  .toSorted();
const valuesOf = (card: Judged) => {
  const features = featuresOf(card);
  return names.map((name) => features[name] ?? 0);
};

const shareOf = ({ marks }: Judged, isCounted: (mark: string) => boolean) =>
  marks.filter(isCounted).length / marks.length;
const keepShare = (card: Judged) => shareOf(card, (mark) => mark === "keep");
const dropShare = (card: Judged) => shareOf(card, (mark) => mark === "drop" || mark === "false");

const train = (sample: readonly Judged[]): Model =>
  trainLogistic(
    sample.map((card) => ({ values: valuesOf(card), target: keepShare(card) })),
    names.length,
  );

interface Ranked {
  card: Judged;
  score: number;
}

const areaOf = (ranked: readonly Ranked[]) =>
  areaUnderCurve(ranked.map(({ card, score }) => ({ isGood: keepShare(card) >= 0.5, score })));
const round = (value: number) => Math.round(value * 1000) / 1000;
const meanOf = (sample: readonly Ranked[], valueOf: (card: Judged) => number) =>
  round(sample.reduce((sum, { card }) => sum + valueOf(card), 0) / Math.max(1, sample.length));

/** Compares the engine's automatic deck with as many cards that the ranker puts first. */
function compare(ranked: readonly Ranked[]) {
  const engine = ranked.filter(({ card }) => card.isInAutomaticDeck);
  const best = ranked.toSorted((a, b) => b.score - a.score).slice(0, engine.length);
  return {
    cards: ranked.length,
    keep: meanOf(ranked, keepShare),
    chosen: engine.length,
    engineKeep: meanOf(engine, keepShare),
    rankerKeep: meanOf(best, keepShare),
    engineArea: round(areaOf(ranked.map(({ card }) => ({ card, score: card.isInAutomaticDeck ? 1 : 0 })))),
    rankerArea: round(areaOf(ranked)),
  };
}

const BINS = 5;

/** For cards of similar predicted probability: the mean prediction and the share that readers kept. */
const calibration = (ranked: readonly Ranked[]) =>
  Array.from({ length: BINS }, (_, bin) => {
    const sample = ranked.filter(({ score }) => Math.min(BINS - 1, Math.floor(score * BINS)) === bin);
    const expected = sample.reduce((sum, { score }) => sum + score, 0) / Math.max(1, sample.length);
    return { cards: sample.length, expected: round(expected), keepShare: meanOf(sample, keepShare) };
  });

/** The cards of each group, ranked by a model that is trained on the other groups. */
function rankLeftOut(groupOf: (card: Judged) => string): Map<string, Ranked[]> {
  const ranked = new Map<string, Ranked[]>();
  for (const group of new Set(cards.map(groupOf))) {
    const model = train(cards.filter((card) => groupOf(card) !== group));
    const groupCards = cards.filter((card) => groupOf(card) === group);
    ranked.set(
      group,
      groupCards.map((card) => ({ card, score: probabilityOf(model, valuesOf(card)) })),
    );
  }
  return ranked;
}

const bySubject = rankLeftOut(({ subject }) => subject);
const leftOut = [...bySubject.values()].flat();
console.table(
  Object.fromEntries([...bySubject, ["all, each subject left out", leftOut] as const].map(([k, v]) => [k, compare(v)])),
);
const all = [...rankLeftOut(({ source }) => source).values()].flat();
console.table({ "all, each source left out": compare(all) });
console.table(calibration(all));

/** For each threshold: the share of cards at or above the threshold that readers kept and dropped. */
const byThreshold = (isTechnical: boolean) => {
  const ofKind = all.filter(({ card }) => card.codeShare >= TECHNICAL_SHARE === isTechnical);
  console.log(isTechnical ? "Manuals, papers and notes of formulas" : "Textbooks", round(areaOf(ofKind)));
  return [0, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65].map((least) => {
    const sample = ofKind.filter(({ score }) => score >= least);
    return { least, cards: sample.length, keepShare: meanOf(sample, keepShare), dropShare: meanOf(sample, dropShare) };
  });
};
console.table(byThreshold(false));
console.table(byThreshold(true));

const final = train(cards);
const strongest = names
  .map((name, i) => ({ name, weight: round(final.weights[i] ?? 0) }))
  .toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
console.table(strongest.slice(0, 15));
const target = process.env["WEIGHTS"];
if (target !== undefined)
  writeFileSync(
    target,
    `${JSON.stringify({ bias: round(final.bias), weights: Object.fromEntries(strongest.map(({ name, weight }) => [name, weight])) }, null, 2)}\n`,
  );
