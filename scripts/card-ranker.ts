/**
 * Trains a ranker on judged cards and compares it with the present engine, leaving out one subject at a time:
 * `node scripts/card-ranker.ts`. With `WEIGHTS=shared/cards/features/keep-weights.json` it also
 * writes the weights learnt from all subjects, which the engine uses.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { featuresOf, SIGNS } from "#shared/cards/features/keep-features.ts";
import { CARD_STYLES } from "#shared/cards/generate/candidates.ts";

const Card = z.object({
  subject: z.string(),
  source: z.string(),
  density: z.enum(["AUTO", "MEDIUM"]),
  /** Whether the engine took it for the automatic deck when it was judged. */
  isInAutomaticDeck: z.boolean(),
  question: z.string(),
  answer: z.string(),
  mark: z.enum(["keep", "edit", "drop", "false"]),
  reason: z.string(),
  /** What the engine knew of it. */
  style: z.enum(CARD_STYLES),
  score: z.number(),
  signs: z.array(z.enum(SIGNS)),
});
type Card = z.infer<typeof Card>;

const lines = readFileSync(new URL("../bench/card-ranker/judged-cards.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");
const cards = lines.map((line) => Card.parse(JSON.parse(line)));
const names = Object.keys(featuresOf({ question: "", answer: "", style: "cloze", score: 0, signs: [] }));
const valuesOf = (card: Card) => {
  const features = featuresOf(card);
  return names.map((name) => features[name] ?? 0);
};
const isKeep = ({ mark }: Card) => mark === "keep";

interface Model {
  bias: number;
  weights: number[];
}

const ROUNDS = 600;
const RATE = 0.5;
/** Few cards for many features: weights stay small. */
const DECAY = 0.02;

const probability = ({ bias, weights }: Model, values: readonly number[]) =>
  1 / (1 + Math.exp(-weights.reduce((sum, weight, i) => sum + weight * (values[i] ?? 0), bias)));

/** Logistic regression by plain descent from zero: the same cards always give the same weights. */
function train(sample: readonly Card[]): Model {
  const rows = sample.map((card) => ({ values: valuesOf(card), target: isKeep(card) ? 1 : 0 }));
  const model: Model = { bias: 0, weights: names.map(() => 0) };
  for (let round = 0; round < ROUNDS; round++) {
    const slopes = names.map(() => 0);
    let slope = 0;
    for (const { values, target } of rows) {
      const error = target - probability(model, values);
      slope += error;
      for (const [i, value] of values.entries()) slopes[i] = (slopes[i] ?? 0) + error * value;
    }
    model.bias += (RATE * slope) / rows.length;
    model.weights = model.weights.map((weight, i) => weight + RATE * ((slopes[i] ?? 0) / rows.length - DECAY * weight));
  }
  return model;
}

interface Ranked {
  card: Card;
  score: number;
}

/** How often a card that is worth keeping stands before one that isn't; ties count half. */
function areaUnderCurve(ranked: readonly Ranked[]): number {
  const good = ranked.filter(({ card }) => isKeep(card));
  const bad = ranked.filter(({ card }) => !isKeep(card));
  let wins = 0;
  for (const one of good)
    for (const other of bad) wins += one.score > other.score ? 1 : one.score === other.score ? 0.5 : 0;
  return wins / Math.max(1, good.length * bad.length);
}

const share = (sample: readonly Card[], isOne: (card: Card) => boolean) =>
  sample.filter(isOne).length / Math.max(1, sample.length);
const round = (value: number) => Math.round(value * 1000) / 1000;

/** The same number of cards as the engine took for its automatic deck, by each order. */
function compare(ranked: readonly Ranked[]) {
  const sample = ranked.map(({ card }) => card);
  const engine = sample.filter(({ isInAutomaticDeck }) => isInAutomaticDeck);
  const best = ranked.toSorted((a, b) => b.score - a.score).slice(0, engine.length);
  const byEngine = ranked.map(({ card }) => ({ card, score: card.isInAutomaticDeck ? 1 : 0 }));
  return {
    cards: sample.length,
    keep: round(share(sample, isKeep)),
    taken: engine.length,
    engineKeep: round(share(engine, isKeep)),
    rankerKeep: round(
      share(
        best.map(({ card }) => card),
        isKeep,
      ),
    ),
    engineArea: round(areaUnderCurve(byEngine)),
    rankerArea: round(areaUnderCurve(ranked)),
  };
}

const BINS = 5;

/** Of the cards given this probability, how many were kept. */
function calibration(ranked: readonly Ranked[]) {
  return Array.from({ length: BINS }, (_, bin) => {
    const sample = ranked.filter(({ score }) => Math.min(BINS - 1, Math.floor(score * BINS)) === bin);
    const expected = sample.reduce((sum, { score }) => sum + score, 0) / Math.max(1, sample.length);
    return {
      cards: sample.length,
      expected: round(expected),
      kept: round(
        share(
          sample.map(({ card }) => card),
          isKeep,
        ),
      ),
    };
  });
}

const subjects = [...new Set(cards.map(({ subject }) => subject))].toSorted();
const rows: Record<string, ReturnType<typeof compare>> = {};
const all: Ranked[] = [];
for (const subject of subjects) {
  const model = train(cards.filter((card) => card.subject !== subject));
  const ranked = cards
    .filter((card) => card.subject === subject)
    .map((card) => ({ card, score: probability(model, valuesOf(card)) }));
  rows[subject] = compare(ranked);
  all.push(...ranked);
}
rows["all, each left out"] = compare(all);
console.table(rows);
console.table(calibration(all));

/** Of the cards that the engine leaves out of the automatic deck, how many at this probability are worth keeping. */
const leftOut = all.filter(({ card }) => !card.isInAutomaticDeck);
console.table(
  [0, 0.4, 0.5, 0.55, 0.6, 0.65].map((least) => {
    const sample = leftOut.filter(({ score }) => score >= least).map(({ card }) => card);
    const dropped = round(share(sample, ({ mark }) => mark === "drop" || mark === "false"));
    return { least, cards: sample.length, kept: round(share(sample, isKeep)), dropped };
  }),
);

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
