import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { BUCKETS, cardsInBucket, countBuckets, groupByStage } from "#shared/study/buckets.ts";
import { listMatchable, startMatch, pairsLeft, pressTile, type MatchRound } from "#shared/study/match.ts";
import { replay } from "#shared/study/rules.ts";
import { countDue } from "#shared/study/session.ts";
import type { Grade } from "#shared/study/schema.ts";
import { shuffled } from "#shared/study/shuffle.ts";
import { seededRandom } from "#tests/kit/random.ts";

const NOW = Date.UTC(2026, 4, 10, 12);
const DAY_MS = 86_400_000;
const day = { now: NOW, startsAt: NOW - DAY_MS / 2, endsAt: NOW + DAY_MS / 2 };
const grade = fc.constantFrom<Grade>(1, 2, 3, 4);

const decks = fc.array(fc.record({ grades: fc.array(grade, { maxLength: 6 }), isMarked: fc.boolean() }), {
  maxLength: 20,
});

const isHard = ({ grades }: { grades: readonly Grade[] }) => {
  const last = grades.lastIndexOf(1);
  return last !== -1 && grades.length - 1 - last < 3;
};

test("'all' has every card, 'new' those without an answer, 'hard' wrong ones until three right answers in a row", () => {
  fc.assert(
    fc.property(decks, (deck) => {
      const cardIds = deck.map((_, at) => `card-${at}`);
      const schedules = new Map(
        deck.flatMap(({ grades }, card) => {
          const reviews = grades.map((given, at) => ({
            _id: `review-${card}-${at}`,
            cardId: `card-${card}`,
            componentId: "deck",
            grade: given,
            reviewedAt: NOW - (grades.length - at) * DAY_MS,
          }));
          const schedule = replay(reviews);
          return schedule ? [[`card-${card}`, schedule] as const] : [];
        }),
      );
      const favourites = new Set(cardIds.filter((_, at) => deck[at]?.isMarked));
      const question = { cardIds, schedules, day, favourites };
      expect(cardsInBucket("all", question)).toEqual(cardIds);
      expect(cardsInBucket("new", question)).toEqual(cardIds.filter((_, at) => deck[at]?.grades.length === 0));
      expect(cardsInBucket("favourites", question)).toEqual([...favourites]);
      expect(cardsInBucket("hard", question)).toEqual(cardIds.filter((_, at) => deck[at] && isHard(deck[at])));
      const counts = countBuckets(question);
      for (const bucket of BUCKETS) expect(counts[bucket]).toBe(cardsInBucket(bucket, question).length);
    }),
  );
});

const review = (cardId: string, given: Grade, reviewedAt: number) =>
  replay([{ _id: `review-${cardId}`, cardId, componentId: "deck", grade: given, reviewedAt }]);

test("with an exam plan, its cards of today replace the due ones until answered", () => {
  const known = [
    review("due", 4, NOW - 90 * DAY_MS),
    review("answered", 4, NOW - 60_000),
    review("step", 1, NOW - DAY_MS),
  ];
  const schedules = new Map(known.flatMap((schedule) => (schedule ? [[schedule.cardId, schedule] as const] : [])));
  const cardIds = ["due", "answered", "step", "fresh", "other"];
  const question = { cardIds, schedules, day, favourites: new Set<string>() };
  expect(cardsInBucket("due", question)).toEqual(["due", "step"]);
  const planned = { ...question, planned: new Set(["answered", "fresh"]) };
  expect(cardsInBucket("due", planned)).toEqual(["step", "fresh"]);
  expect(countBuckets(planned).due).toBe(2);
});

test("each card is new, learning, due or known, and only one of them", () => {
  const answered = [review("due", 4, NOW - 90 * DAY_MS), review("known", 4, NOW - 60_000), review("step", 1, NOW)];
  const schedules = new Map(answered.flatMap((schedule) => (schedule ? [[schedule.cardId, schedule] as const] : [])));
  const stages = groupByStage(["due", "known", "step", "fresh"], schedules, day);
  expect(stages).toEqual({
    new: new Set(["fresh"]),
    learning: new Set(["step"]),
    due: new Set(["due"]),
    known: new Set(["known"]),
  });
});

test("a deck's filter, the session's bucket and the count of due cards agree, on every minute of a short step", () => {
  const answered = [review("due", 4, NOW - 90 * DAY_MS), review("step", 1, NOW), review("again", 1, NOW - DAY_MS)];
  const schedules = new Map(answered.flatMap((schedule) => (schedule ? [[schedule.cardId, schedule] as const] : [])));
  const cardIds = ["due", "step", "again", "fresh"];
  const counts = [0, 30, 60, 600, 3600].map((seconds) => {
    const later = { ...day, now: NOW + seconds * 1000 };
    const { due } = groupByStage(cardIds, schedules, later);
    expect(due.size).toBe(countDue(cardIds, schedules, later).due);
    expect(due.size).toBe(countBuckets({ cardIds, schedules, day: later, favourites: new Set() }).due);
    return due.size;
  });
  expect(counts[0]).toBe(2);
  expect(counts.at(-1)).toBe(3);
});

test("a shuffled deck has the same cards", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer()),
      fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
      (pile, chance) => {
        const random = () => (chance.next().value as number | undefined) ?? 0;
        expect(shuffled(pile, random).toSorted((a, b) => a - b)).toEqual(pile.toSorted((a, b) => a - b));
      },
    ),
  );
});

const side = fc.constantFrom(
  "cell",
  "Cell ",
  "gene",
  "codon",
  "",
  "a long side ".repeat(20),
  "![sound](/v1/files/a.mp3)",
  "3",
);
const pairs = fc.array(fc.tuple(side, side), { maxLength: 16 }).map((all) =>
  all.map(([question, answer], at): Flashcard => ({
    id: `card-${at}`,
    question,
    answer,
    questionImage: null,
    citation: null,
  })),
);

test("a matching round has two to six pairs of distinct tiles, and ends when all are found", () => {
  fc.assert(
    fc.property(pairs, fc.integer(), (cards, seed) => {
      const dealt = startMatch(cards, seededRandom(seed));
      if (!dealt) return;
      expect(pairsLeft(dealt)).toBeGreaterThanOrEqual(2);
      expect(pairsLeft(dealt)).toBeLessThanOrEqual(6);
      const cardById = new Map(cards.map((card) => [card.id, card]));
      const texts = dealt.tiles.map((tile) => cardById.get(tile.cardId)?.[tile.side].trim().toLowerCase());
      expect(new Set(texts).size).toBe(texts.length);
      let round: MatchRound = dealt;
      for (const { cardId } of dealt.tiles) {
        round = pressTile(round, `${cardId}:question`)?.round ?? round;
        round = pressTile(round, `${cardId}:answer`)?.round ?? round;
      }
      expect(pairsLeft(round)).toBe(0);
      expect(round.misses).toBe(0);
    }),
  );
});

const press = (round: MatchRound, id: string) => pressTile(round, id) ?? { round, outcome: "nothing" };

test("a wrong pair counts as one miss, choosing another question doesn't, and found tiles can't be chosen", () => {
  const cards = ["a", "b"].map((id): Flashcard => ({
    id,
    question: `${id}?`,
    answer: `${id}!`,
    questionImage: null,
    citation: null,
  }));
  const dealt = startMatch(cards, () => 0);
  if (!dealt) throw new Error("two cards are enough");
  let step = press(dealt, "a:question");
  step = press(step.round, "b:question");
  expect([step.outcome, step.round.chosen, step.round.misses]).toEqual(["chosen", "b:question", 0]);
  step = press(step.round, "a:answer");
  expect([step.outcome, step.round.chosen, step.round.misses]).toEqual(["wrong", null, 1]);
  // The wrongly paired question counts as mixed up.
  expect([...step.round.mixedUp]).toEqual(["b"]);
  step = press(press(step.round, "a:answer").round, "a:question");
  expect(step.outcome).toBe("found");
  expect(press(step.round, "a:answer").outcome).toBe("nothing");
});

const card = (id: string, question: string, answer: string): Flashcard => ({
  id,
  question,
  answer,
  questionImage: null,
  citation: null,
});

test("only cards that fit on tiles are matched: short, with text or a picture, and unlike each other", () => {
  const cards = [
    card("short", "What reads a codon?", "The ribosome."),
    card("long", "What is a codon?", "Three neighbouring nucleotides ".repeat(4)),
    card("alike", "Which particle joins amino acids?", "ribosome"),
    card("plural", "Which particles are made of rRNA?", "Ribosomes"),
    card(
      "picture",
      `![A codon drawn as three beads on a string, from the lecture of the ninth week](/v1/files/a.png)`,
      "Codon",
    ),
    card("blank", "What is missing?", " "),
    card("sound", "![sound](/v1/files/b.mp3)", "A bell"),
    card("same", "exon", "Exon"),
    card("is", "Sodium", "is a metal"),
    card("is not", "Sulphur", "is not a metal"),
  ];
  expect(listMatchable(cards).map(({ id }) => id)).toEqual(["short", "picture", "is", "is not"]);
  expect(startMatch(cards, () => 0)?.tiles).toHaveLength(8);
  expect(startMatch([...cards.slice(1, 3), ...cards.slice(5, -2)], () => 0)).toBeUndefined();
});
