import { ENGLISH_NUMBERS, GERMAN_NUMBERS, numbersByName } from "#shared/text/number-words.ts";

/** A request in a message for something other than an answer to a question. */
export type TutorRequest =
  | { kind: "cards"; count: number; topic: string }
  | { kind: "quiz"; topic: string }
  | { kind: "summary"; topic: string };

const DEFAULT_CARDS = 5;
const MAX_REQUESTED_CARDS = 20;

const NUMBER_WORDS: ReadonlyMap<string, number> = new Map([
  ["a", 1],
  ["an", 1],
  ["eine", 1],
  ...numbersByName(ENGLISH_NUMBERS, 1, 10),
  ...numbersByName(GERMAN_NUMBERS, 2, 10),
]);

const POLITE = String.raw`^\s*(?:(?:hey|hi|ok|okay|please|pls|bitte|can you|could you|would you|will you|kannst du|könntest du|i want(?: you)? to|i need you to)[,\s]+)*`;
const CARDS = new RegExp(
  String.raw`${POLITE}(?:make|create|generate|write|give|build|mach|mache|erstelle|erstell|schreib|schreibe|gib)\s+(?:me\s+|us\s+|mir\s+|uns\s+)?(?:(\d{1,3}|\p{L}+)\s+)?(?:more\s+|new\s+|some\s+|neue\s+|weitere\s+|ein paar\s+)?(?:flash\s?-?cards?|cards?|karteikarten?|lernkarten?|karten?)\b\s*([\s\S]*)$`,
  "iu",
);
const QUIZ = new RegExp(
  String.raw`${POLITE}(?:quiz|test|examine|frag|frage|prüf|prüfe)\s+(?:me|us|mich|uns)\b\s*([\s\S]*)$`,
  "iu",
);
const SUMMARY = new RegExp(
  String.raw`${POLITE}(?:(?:summari[sz]e|sum up|sum(?= (?:it|that|this|these|them|everything|all)(?: all)? up\b)|recap|fasse|fass)\b\s*([\s\S]*?)(?:\s+zusammen)?|(?:give me |write |gib mir )?(?:a |an |eine )?(?:short |brief |kurze )?(?:summary|recap|overview|zusammenfassung)\b\s*([\s\S]*))$`,
  "iu",
);
/** Words between a request and its topic, and words that refer to the source or the last answer. */
const JOINS =
  /^(?:about|on|of|over|for|from|with|covering|to|zu|zum|zur|über|von|aus|für)\b\s*|^(?:dazu|davon|darüber)\b\s*/iu;
const POINTS =
  /^(?:this|that|it|these|them|the|my|everything|all|here|dies|das|die|den|alles|diese[mnrs]?|meine?)?(?:\s+(?:page|document|file|pdf|text|notes|chapter|lecture|slides|video|seite|dokument|datei|notizen|kapitel|vorlesung|folien))?(?:\s+all)?(?:\s+up)?\s*(?:please|bitte|ab)?[\s.!?]*$/iu;

function topicOf(rest: string | undefined): string {
  const topic = (rest ?? "")
    .trim()
    .replace(JOINS, "")
    .replace(/(?:,?\s*(?:please|bitte|ab))?[\s.!?]*$/iu, "");
  return POINTS.test(topic) ? "" : topic;
}

function countOf(written: string | undefined): number {
  if (written === undefined) return DEFAULT_CARDS;
  const count = /^\d/u.test(written) ? Number(written) : (NUMBER_WORDS.get(written.toLowerCase()) ?? DEFAULT_CARDS);
  return Math.min(MAX_REQUESTED_CARDS, Math.max(1, count));
}

/** Recognises "make me 3 flashcards about introns", "quiz me" and "summarise" in English and German. */
export function findRequest(text: string): TutorRequest | undefined {
  const cards = CARDS.exec(text);
  if (cards) return { kind: "cards", count: countOf(cards[1]), topic: topicOf(cards[2]) };
  const quiz = QUIZ.exec(text);
  if (quiz) return { kind: "quiz", topic: topicOf(quiz[1]) };
  const summary = SUMMARY.exec(text);
  return summary ? { kind: "summary", topic: topicOf(summary[1] ?? summary[2]) } : undefined;
}

const LAST_ANSWER = /^(?:it|that|them|es|das)(?:[,\s]+(?:up|all|please|bitte|alles|noch ?mal))*[\s.!?]*$/iu;

/** "Sum it up", "Fasse das zusammen": after an answer, a summary of that answer and not of the source. */
export function asksToSummariseAnswer(text: string): boolean {
  const summary = SUMMARY.exec(text);
  return summary !== null && LAST_ANSWER.test((summary[1] ?? summary[2] ?? "").trim());
}
