import type { Passage } from "./schema.ts";

/** "Which of the following is true?": most of the answers that follow are false. "The following are true:" lists facts. */
const ASKS_TO_CHOOSE =
  /\b(?:which|what) (?:(?:one|two|three) )?of (?:the following|these|the (?:\p{L}+ )?(?:statements|answers|options|choices))\b|\bwhich (?:\p{L}+ )?(?:statement|answer|option|choice)s?\b|\btrue or false\b|\b(?:false|incorrect|except)\s*[?:]?$|\b(?:true|correct)\s*\?$|\b(?:which|decide|choose|select|mark)\b.*\b(?:true|correct)\s*:?$/iu;
const MAX_QUESTION_CHARS = 400;
/** A choice: an item of a list, or a short paragraph with a letter or number before it. */
const HAS_LABEL = /^\(?(?:[a-h]|[A-H]|\d{1,2})[.)]\s/u;

type Block = Pick<Passage, "kind" | "text">;

/** Whether a passage may be a choice. */
export const isItem = ({ kind, text }: Block) => kind === "list_item" || HAS_LABEL.test(text);
const asksToChoose = ({ text }: Block) =>
  text.length <= MAX_QUESTION_CHARS && /[?:…_]$/u.test(text.trim()) && ASKS_TO_CHOOSE.test(text.trim());

/** How many passages before a passage may have to be read to know whether it is a choice. */
export const MAX_CHOICES_BEFORE = 8;

/** Whether a passage is one of the answers to choose from in an exercise. `before` contains the passages before it. */
export function isAnswerChoice(passage: Block, before: readonly Block[]): boolean {
  if (!isItem(passage)) return false;
  const question = before.findLast((block) => !isItem(block) || asksToChoose(block));
  return question !== undefined && asksToChoose(question);
}
