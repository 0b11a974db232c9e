/**
 * Trains a ranker on judged cards and compares it with the present engine, leaving out one subject at a time:
 * `node scripts/card-ranker.ts`. With `WEIGHTS=shared/cards/features/keep-weights.json` it also
 * writes the weights learnt from all subjects, which the engine uses.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { featuresOf, SIGNS, TECHNICAL_SHARE } from "#shared/cards/features/keep-features.ts";
import learned from "#shared/cards/features/keep-weights.json" with { type: "json" };
import { CARD_STYLES } from "#shared/cards/generate/candidates.ts";

const MARKS = z.enum(["keep", "edit", "drop", "false"]);
/** What the engine knew of a card. */
const KNOWN = {
  subject: z.string(),
  source: z.string(),
  density: z.enum(["AUTO", "MEDIUM"]),
  /** Whether the engine took it for the automatic deck when it was judged. */
  isInAutomaticDeck: z.boolean(),
  question: z.string(),
  answer: z.string(),
  style: z.enum(CARD_STYLES),
  score: z.number(),
  signs: z.array(z.enum(SIGNS)),
  codeShare: z.number(),
};
const Card = z.object({ ...KNOWN, mark: MARKS });
type Card = z.infer<typeof Card>;
const TwiceRead = z.object({ ...KNOWN, marks: z.array(MARKS) });

const linesOf = (file: string): unknown[] =>
  readFileSync(new URL(`../bench/card-ranker/${file}`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** One card for each mark; cards in other languages have no features and are left out. */
const twiceRead = linesOf("two-readers.jsonl").flatMap((line) => {
  const { success, data } = TwiceRead.safeParse(line);
  return success ? data.marks.map((mark) => ({ ...data, mark })) : [];
});
const readOnce = ["judged-cards.jsonl", "held-out-cards.jsonl"].flatMap((file) =>
  linesOf(file).map((line) => Card.parse(line)),
);
const cards: Card[] = [...readOnce, ...twiceRead];
const names = Object.keys(featuresOf({ question: "", answer: "", style: "cloze", score: 0, signs: [], codeShare: 0 }));
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

/** The cards of each group, ranked by what the others teach. */
function rankLeftOut(groupOf: (card: Card) => string): Map<string, Ranked[]> {
  const ranked = new Map<string, Ranked[]>();
  for (const group of new Set(cards.map(groupOf))) {
    const model = train(cards.filter((card) => groupOf(card) !== group));
    const own = cards.filter((card) => groupOf(card) === group);
    ranked.set(
      group,
      own.map((card) => ({ card, score: probability(model, valuesOf(card)) })),
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

/** Of the marks of this kind of source that a threshold lets pass, how many say keep. */
const byThreshold = (isTechnical: boolean) => {
  const ofKind = all.filter(({ card }) => card.codeShare >= TECHNICAL_SHARE === isTechnical);
  return [0, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65].map((least) => {
    const sample = ofKind.filter(({ score }) => score >= least).map(({ card }) => card);
    const dropped = round(share(sample, ({ mark }) => mark === "drop" || mark === "false"));
    return { least, marks: sample.length, kept: round(share(sample, isKeep)), dropped };
  });
};
console.log("Textbooks");
console.table(byThreshold(false));
console.log("Manuals, papers and notes of formulas");
console.table(byThreshold(true));

/** The weights in use, on the cards that two readers judged, against those learnt without their subject. */
const inUse = {
  bias: learned.bias,
  weights: names.map((name) => new Map(Object.entries(learned.weights)).get(name) ?? 0),
};
const keyOf = ({ question, answer }: Card) => `${question}\n${answer}`;
const known = new Set(readOnce.map(keyOf));
const newlyRead = new Set<Card>(twiceRead.filter((card) => !known.has(keyOf(card))));
console.table({
  marks: newlyRead.size,
  "weights in use": round(
    areaUnderCurve([...newlyRead].map((card) => ({ card, score: probability(inUse, valuesOf(card)) }))),
  ),
  "learnt without their subject": round(areaUnderCurve(leftOut.filter(({ card }) => newlyRead.has(card)))),
  "learnt without their source": round(areaUnderCurve(all.filter(({ card }) => newlyRead.has(card)))),
});

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
