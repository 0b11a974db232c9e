import { contentStems, wordsOf } from "#shared/text/words.ts";
import type { Flashcard, Region } from "./schema.ts";

type NewId = () => string;

interface OcclusionInput {
  /** The stable path of the file. */
  image: string;
  question: string;
  regions: readonly Region[];
  /** Other regions are covered as well. */
  hidesAll: boolean;
  citation: string | null;
}

/** One card for each hidden region of a picture; they are edited together and never shown one after the other. */
export function buildOcclusionCards(
  { image, question, regions, hidesAll, citation }: OcclusionInput,
  newId: NewId,
): Flashcard[] {
  const groupId = newId();
  return regions.map(({ id, label }) => ({
    id: newId(),
    kind: "occlusion",
    question,
    answer: label.trim(),
    questionImage: image,
    citation,
    groupId,
    occlusion: { regions: [...regions], regionId: id, ...(hidesAll ? { hidesAll } : {}) },
  }));
}

const GAP = "____";
const HIDDEN_ITEM = "…";

/** Removes braces, which would end the item's cloze marker. */
const withoutBraces = (text: string) => text.replaceAll(/[{}]{2,}/g, "").trim();

/**
 * An overlapping cloze for a list: each card shows the items before the one it asks for, and hides those after it. One
 * item is no list.
 */
export function buildListCards(title: string, items: readonly string[], newId: NewId): Flashcard[] {
  const shownItems = items.map(withoutBraces).filter((item) => item !== "");
  if (shownItems.length < 2) return [];
  const groupId = newId();
  const head = title.trim() === "" ? [] : [title.trim()];
  const text = [...head, ...shownItems.map((item, at) => `{{c${at + 1}::${item}}}`)].join("\n");
  return shownItems.map((item, at) => ({
    id: newId(),
    kind: "cloze",
    question: [...head, ...shownItems.slice(0, at), GAP, ...shownItems.slice(at + 1).map(() => HIDDEN_ITEM)].join("\n"),
    answer: item,
    questionImage: null,
    citation: null,
    groupId,
    cloze: { text, index: at + 1, isOverlapping: true },
  }));
}

const isPair = ({ kind, question, answer }: Flashcard) =>
  (kind === undefined || kind === "qa") && question.trim() !== "" && answer.trim() !== "";

/** The cards, each chosen question–answer pair followed by its reverse, once. */
export function withReversed(cards: readonly Flashcard[], ids: ReadonlySet<string>, newId: NewId): Flashcard[] {
  const reversed = new Set(cards.flatMap(({ isReversed, groupId }) => (isReversed && groupId ? [groupId] : [])));
  return cards.flatMap((card): Flashcard[] => {
    const hasReverse = card.isReversed === true || (card.groupId !== undefined && reversed.has(card.groupId));
    if (!ids.has(card.id) || hasReverse || !isPair(card)) return [card];
    const groupId = card.groupId ?? newId();
    const { question, answer, citation, questionImage, answerImage, tags } = card;
    const images = { questionImage: answerImage ?? null, answerImage: questionImage };
    const sides = { question: answer, answer: question, citation, ...images, ...(tags ? { tags } : {}) };
    return [
      { ...card, groupId },
      { id: newId(), ...sides, isReversed: true, groupId },
    ];
  });
}

const WHAT_QUESTION = /^What (?:is|are) (?:(?:an?|the) )?([^?]{2,60})\?$/;
const TERM_QUESTION = /^What is the (?:term|name|word) for ([^?]{10,300})\?$/;
/** "What are the parts of a cell?" does not ask for a definition. */
const NOT_A_NAME = /\b(?:of|in|for|to|by|with|that|which|called|made|between|and|or|term)\b|\d/i;

/** "ATP" and "Krebs cycle" keep their capitals; a capitalised first word loses it. */
const lowercaseFirst = (text: string) =>
  /^\p{Lu}\p{Ll}+(?: \p{Ll}|$)/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
const capitaliseFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function revealsName(name: string, meaning: string): boolean {
  const shownItems = new Set(contentStems(meaning));
  return contentStems(name).some((stem) => shownItems.has(stem));
}

const EXPLANATION = /^(?:an?|the|any|one)\b|\b(?:that|which|who|of|in|for|to|by|with)\b/i;

/** A short name, and an explanation that does not contain it. */
function isDefinition(name: string, meaning: string): boolean {
  const isName = name !== "" && wordsOf(name).length <= 4 && !NOT_A_NAME.test(name);
  return isName && wordsOf(meaning).length >= 4 && EXPLANATION.test(meaning) && !revealsName(name, meaning);
}

interface Sides {
  question: string;
  answer: string;
}

/**
 * Reverses a definition card: asks for the name by its definition, or for the definition by its name; undefined for
 * other cards.
 */
export function reverseCard({ question, answer }: Sides): Sides | undefined {
  const meaning = TERM_QUESTION.exec(question)?.[1];
  if (meaning === undefined) {
    const name = WHAT_QUESTION.exec(question)?.[1] ?? "";
    const reversedQuestion = `What is the term for ${lowercaseFirst(answer.replace(/\.$/, ""))}?`;
    return isDefinition(name, answer) ? { question: reversedQuestion, answer: capitaliseFirst(name) } : undefined;
  }
  const be = /[^sui]s$/i.test(answer) && !/^(?:an?|the) /i.test(meaning) ? "are" : "is";
  const reversedQuestion = `What ${be} ${lowercaseFirst(answer)}?`;
  return isDefinition(answer, meaning) ? { question: reversedQuestion, answer: capitaliseFirst(meaning) } : undefined;
}
