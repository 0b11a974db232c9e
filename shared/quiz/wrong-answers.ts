import { hasSound } from "#shared/flashcards/card-text.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { shuffled } from "#shared/study/shuffle.ts";
import { gradeText } from "./grading.ts";
import type { Shown } from "./schema.ts";
import { plain } from "./words.ts";

/** Cards of a large deck that are sampled for one question. */
const LOOKED_AT = 240;
/** Wrong answers are drawn from this many best candidates, so that they vary. */
const LIKELIEST = 8;

export const answerOf = ({ answer, answerImage }: Flashcard): Shown => ({ text: answer, image: answerImage ?? null });
const keyOf = ({ text, image }: Shown) => `${plain(text).replaceAll(/\s+/g, " ").trim()}\n${image ?? ""}`;
export const isBlank = ({ text, image }: Shown): boolean => text.trim() === "" && image === null;

/** Whether one answer would be accepted for the other: then they cannot both be options. */
export function passesFor(one: Shown, other: Shown): boolean {
  if (keyOf(one) === keyOf(other)) return true;
  if (one.text.trim() === "" || other.text.trim() === "") return false;
  return gradeText(one.text, other.text).verdict === "right" || gradeText(other.text, one.text).verdict === "right";
}

const lengthOf = ({ text }: Shown) => Math.max(1, text.trim().length);

/** How similar another card's answer looks: kind, length, numbers, pictures, tags. */
function likeness(card: Flashcard, other: Flashcard): number {
  const [mine, theirs] = [answerOf(card), answerOf(other)];
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

/** Answers of other cards that are wrong for this one, the most plausible first; fewer if the deck has no more. */
export function wrongAnswers(
  card: Flashcard,
  deck: readonly Flashcard[],
  { count, random }: { count: number; random: () => number },
): Shown[] {
  const right = answerOf(card);
  const asked = plain(card.question);
  const candidates = sample(deck, random)
    .filter((other) => other.id !== card.id && plain(other.question) !== asked && !isBlank(answerOf(other)))
    .filter((other) => !hasSound(other.answer))
    // An option whose words are in the question can be ruled out without any knowledge.
    .filter((other) => other.answer.trim() === "" || !asked.includes(plain(other.answer).trim()))
    .map((other) => ({ shown: answerOf(other), score: likeness(card, other) }))
    .toSorted((a, b) => b.score - a.score);
  const chosen: Shown[] = [];
  const likely = shuffled(candidates.slice(0, LIKELIEST), random);
  for (const { shown } of [...likely, ...candidates.slice(LIKELIEST)]) {
    if (chosen.length === count) break;
    if (![right, ...chosen].some((one) => passesFor(one, shown))) chosen.push(shown);
  }
  return chosen;
}

function sample(deck: readonly Flashcard[], random: () => number): readonly Flashcard[] {
  if (deck.length <= LOOKED_AT) return deck;
  const from = Math.floor(random() * deck.length);
  const step = Math.max(1, Math.floor(deck.length / LOOKED_AT));
  return Array.from({ length: LOOKED_AT }, (_, at) => deck[(from + at * step) % deck.length] as Flashcard);
}
