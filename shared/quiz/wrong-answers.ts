import { hasSound } from "#shared/flashcards/card-text.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { shuffled } from "#shared/study/shuffle.ts";
import { gradeText } from "./grading.ts";
import type { AnswerOption } from "./schema.ts";
import { normaliseWord } from "./words.ts";

/** Cards of a large deck that are sampled for one question. */
const SAMPLE_SIZE = 240;
/** Wrong answers are drawn from this many best candidates, so that they vary. */
const BEST_CANDIDATES = 8;

export const shownAnswerOf = ({ answer, answerImage }: Flashcard): AnswerOption => ({
  text: answer,
  image: answerImage ?? null,
});
const keyOf = ({ text, image }: AnswerOption) =>
  `${normaliseWord(text).replaceAll(/\s+/g, " ").trim()}\n${image ?? ""}`;
export const isBlank = ({ text, image }: AnswerOption): boolean => text.trim() === "" && image === null;

/** Whether one answer would be accepted for the other: then they cannot both be options. */
export function isInterchangeable(one: AnswerOption, other: AnswerOption): boolean {
  if (keyOf(one) === keyOf(other)) return true;
  if (one.text.trim() === "" || other.text.trim() === "") return false;
  return gradeText(one.text, other.text).verdict === "right" || gradeText(other.text, one.text).verdict === "right";
}

const lengthOf = ({ text }: AnswerOption) => Math.max(1, text.trim().length);

/** How similar another card's answer looks: kind, length, numbers, pictures, tags. */
function similarity(card: Flashcard, other: Flashcard): number {
  const [mine, theirs] = [shownAnswerOf(card), shownAnswerOf(other)];
  const [a, b] = [lengthOf(mine), lengthOf(theirs)];
  const sameNumbers = /\p{N}/u.test(mine.text) === /\p{N}/u.test(theirs.text);
  const sameTag = card.tags?.some((tag) => other.tags?.includes(tag)) ?? false;
  const sameCase = /^\p{Lu}/u.test(mine.text) === /^\p{Lu}/u.test(theirs.text);
  return (
    3 * (Math.min(a, b) / Math.max(a, b)) +
    (sameNumbers ? 2 : 0) +
    ((card.kind ?? "qa") === (other.kind ?? "qa") ? 1.5 : 0) +
    ((mine.image === null) === (theirs.image === null) ? 2 : 0) +
    (sameTag ? 1 : 0) +
    (sameCase ? 0.5 : 0)
  );
}

/** Whether two cards ask about the same picture, and the same region of it: “What is this?” is asked about many. */
const showsSame = (card: Flashcard, other: Flashcard): boolean =>
  card.questionImage === other.questionImage && card.occlusion?.regionId === other.occlusion?.regionId;

/** Answers of other cards that are wrong for this one, the most plausible first; fewer if the deck has no more. */
export function wrongAnswers(
  card: Flashcard,
  deck: readonly Flashcard[],
  { count, random }: { count: number; random: () => number },
): AnswerOption[] {
  const right = shownAnswerOf(card);
  const questionText = normaliseWord(card.question);
  const candidates = sample(deck, random)
    .filter(
      (other) =>
        other.id !== card.id &&
        !(normaliseWord(other.question) === questionText && showsSame(card, other)) &&
        !isBlank(shownAnswerOf(other)),
    )
    .filter((other) => !hasSound(other.answer))
    // An option whose words are in the question can be ruled out without any knowledge.
    .filter((other) => other.answer.trim() === "" || !questionText.includes(normaliseWord(other.answer).trim()))
    .map((other) => ({ shown: shownAnswerOf(other), score: similarity(card, other) }))
    .toSorted((a, b) => b.score - a.score);
  const chosen: AnswerOption[] = [];
  const likely = shuffled(candidates.slice(0, BEST_CANDIDATES), random);
  for (const { shown } of [...likely, ...candidates.slice(BEST_CANDIDATES)]) {
    if (chosen.length === count) break;
    if (![right, ...chosen].some((one) => isInterchangeable(one, shown))) chosen.push(shown);
  }
  return chosen;
}

function sample(deck: readonly Flashcard[], random: () => number): readonly Flashcard[] {
  if (deck.length <= SAMPLE_SIZE) return deck;
  const from = Math.floor(random() * deck.length);
  const step = Math.max(1, Math.floor(deck.length / SAMPLE_SIZE));
  return Array.from({ length: SAMPLE_SIZE }, (_, at) => deck[(from + at * step) % deck.length] as Flashcard);
}
