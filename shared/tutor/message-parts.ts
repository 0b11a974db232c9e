import { citationMarker } from "./citation-markers.ts";
import type { AnswerEvent, Message, MessagePart } from "./schema.ts";

type TextEvent = Omit<Extract<AnswerEvent, { type: "text" }>, "seq">;

/** The plain English text of a part. */
export const textOfPart = (part: MessagePart): string =>
  part.type === "citation" ? citationMarker(part.n) : part.text;

export const textOfParts = (parts: readonly MessagePart[]): string => parts.map(textOfPart).join("");

/** The parts of a text; a text without parts becomes a single part. */
export const partsOf = ({ text, parts }: Pick<Message, "text" | "parts">): MessagePart[] =>
  parts ?? (text === "" ? [] : [{ type: "text", text }]);

/** Adjacent texts become one part. */
export function appendParts(parts: readonly MessagePart[], added: readonly MessagePart[]): MessagePart[] {
  const joined = [...parts];
  for (const part of added) {
    const last = joined.at(-1);
    if (part.type === "text" && last?.type === "text")
      joined[joined.length - 1] = { type: "text", text: last.text + part.text };
    else joined.push(part);
  }
  return joined;
}

/** The parts from `start` to `end` in the plain text. A piece of a phrase or of a marker becomes text. */
export function sliceParts(
  parts: readonly MessagePart[],
  start: number,
  end = Number.POSITIVE_INFINITY,
): MessagePart[] {
  const slice: MessagePart[] = [];
  let offset = 0;
  for (const part of parts) {
    const text = textOfPart(part);
    const from = Math.max(start - offset, 0);
    const cut = text.slice(from, Math.max(end - offset, 0));
    if (cut === text) slice.push(part);
    else if (cut !== "") slice.push({ type: "text", text: cut });
    offset += text.length;
  }
  return slice;
}

/** The text and parts of an answer after an event of its stream. */
export function applyTextEvent(message: Pick<Message, "text" | "parts">, event: TextEvent) {
  return {
    text: message.text.slice(0, event.at) + event.text,
    parts: appendParts(sliceParts(partsOf(message), 0, event.at), partsOf(event)),
  };
}

/** Phrases of an answer that found nothing; it is not counted against the quota. */
const EMPTY_PHRASES = new Set(["nothing", "no_sources", "no_question", "no_cards"]);

/** Whether an answer gave the student nothing. */
export const isEmptyAnswer = ({ text, parts }: Pick<Message, "text" | "parts">): boolean =>
  text.trim() === "" || (parts ?? []).some((part) => part.type === "phrase" && EMPTY_PHRASES.has(part.key));

/** An answer's parts before its further passages, and the further passages, which screens collapse. */
export function splitAtMore(parts: readonly MessagePart[]): { shown: MessagePart[]; more: MessagePart[] } {
  const at = parts.findIndex((part) => part.type === "phrase" && part.key === "more_passages");
  return at === -1 ? { shown: [...parts], more: [] } : { shown: parts.slice(0, at), more: parts.slice(at + 1) };
}
