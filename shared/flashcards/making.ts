import { contentStems, wordsOf } from "#shared/engine/words.ts";
import type { Flashcard, Region } from "./schema.ts";

type NewId = () => string;

interface Picture {
  /** The stable path of the file. */
  image: string;
  question: string;
  regions: readonly Region[];
  /** Other regions are covered as well. */
  hidesAll: boolean;
  citation: string | null;
}

/** One card for each hidden region of a picture; they are edited together and never shown one after the other. */
export function hiddenCards({ image, question, regions, hidesAll, citation }: Picture, newId: NewId): Flashcard[] {
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
const LATER = "…";

/** Removes braces, which would end the item's cloze marker. */
const unmarked = (text: string) => text.replaceAll(/[{}]{2,}/g, "").trim();

/**
 * An overlapping cloze for a list: each card shows the items before the one it asks for, and hides those after it. One
 * item is no list.
 */
export function listCards(title: string, items: readonly string[], newId: NewId): Flashcard[] {
  const told = items.map(unmarked).filter((item) => item !== "");
  if (told.length < 2) return [];
  const groupId = newId();
  const head = title.trim() === "" ? [] : [title.trim()];
  const text = [...head, ...told.map((item, at) => `{{c${at + 1}::${item}}}`)].join("\n");
  return told.map((item, at) => ({
    id: newId(),
    kind: "cloze",
    question: [...head, ...told.slice(0, at), GAP, ...told.slice(at + 1).map(() => LATER)].join("\n"),
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
    const isDone = card.isReversed === true || (card.groupId !== undefined && reversed.has(card.groupId));
    if (!ids.has(card.id) || isDone || !isPair(card)) return [card];
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

const ASKS_WHAT = /^What (?:is|are) (?:(?:an?|the) )?([^?]{2,60})\?$/;
const ASKS_NAME = /^What is the (?:term|name|word) for ([^?]{10,300})\?$/;
/** "What are the parts of a cell?" does not ask for a definition. */
const IS_NO_NAME = /\b(?:of|in|for|to|by|with|that|which|called|made|between|and|or|term)\b|\d/i;

/** "ATP" and "Krebs cycle" keep their capitals; a capitalised first word loses it. */
const withinSentence = (text: string) =>
  /^\p{Lu}\p{Ll}+(?: \p{Ll}|$)/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
const atFront = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function tells(name: string, meaning: string): boolean {
  const told = new Set(contentStems(meaning));
  return contentStems(name).some((stem) => told.has(stem));
}

const EXPLAINS = /^(?:an?|the|any|one)\b|\b(?:that|which|who|of|in|for|to|by|with)\b/i;

/** A short name, and an explanation that does not contain it. */
function isNamed(name: string, meaning: string): boolean {
  const isName = name !== "" && wordsOf(name).length <= 4 && !IS_NO_NAME.test(name);
  return isName && wordsOf(meaning).length >= 4 && EXPLAINS.test(meaning) && !tells(name, meaning);
}

interface Sides {
  question: string;
  answer: string;
}

/**
 * Reverses a definition card: asks for the name by its definition, or for the definition by its name; undefined for
 * other cards.
 */
export function otherWayRound({ question, answer }: Sides): Sides | undefined {
  const meaning = ASKS_NAME.exec(question)?.[1];
  if (meaning === undefined) {
    const name = ASKS_WHAT.exec(question)?.[1] ?? "";
    const asked = `What is the term for ${withinSentence(answer.replace(/\.$/, ""))}?`;
    return isNamed(name, answer) ? { question: asked, answer: atFront(name) } : undefined;
  }
  const be = /[^sui]s$/i.test(answer) && !/^(?:an?|the) /i.test(meaning) ? "are" : "is";
  const asked = `What ${be} ${withinSentence(answer)}?`;
  return isNamed(answer, meaning) ? { question: asked, answer: atFront(meaning) } : undefined;
}
