import { bareName, contentStems, wordsOf } from "./words.ts";

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** "A T is a small organ that …": what kind of thing the answer is, in the words of the passage. */
function kindOf(answer: string, quote: string): string | undefined {
  const name = escaped(bareName(answer.trim()));
  const shownWords = new RegExp(
    `\\b${name}(?:s|es)?(?: \\([^)]*\\))? (?:is|are) ((?:an?|the) [^.,;:]{3,60})`,
    "iu",
  ).exec(quote);
  const kind = shownWords?.[1]?.split(/\s+(?:that|which|who|in|of|by|from|with|where|to|for)\b/i)[0]?.trim();
  return kind === undefined || leaks(kind, answer) ? undefined : kind;
}

function leaks(text: string, answer: string): boolean {
  const revealed = new Set(contentStems(text));
  return contentStems(answer).some((stem) => revealed.has(stem));
}

const count = (n: number, word: string) => `${n} ${word}${n === 1 ? "" : "s"}`;

/**
 * A hint that points to the answer without saying it: its first letter and length where it is short, its first words
 * where it is long, and what kind of thing it is where the passage tells. Nothing in it comes from elsewhere.
 */
export function makeHint({ answer, quote }: { answer: string; quote: string | null }): string {
  const words = answer
    .trim()
    .split(/\s+/)
    .filter((word) => word !== "");
  const first = /^./u.exec(wordsOf(answer)[0] ?? "")?.[0].toLocaleUpperCase();
  const kind = quote === null ? undefined : kindOf(answer, quote);
  const opening = kind === undefined ? "" : `It is ${kind}. `;
  if (first === undefined) return "The answer is a sign or a formula.";
  if (words.length <= 4) {
    const letters = answer.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    const size = words.length === 1 ? count(letters, "letter") : count(words.length, "word");
    return `${opening}It begins with “${first}” and has ${size}.`;
  }
  // An article says nothing. A sixth of a long answer starts the memory and gives little away.
  const article = /^(?:the|an?)$/i.test(words[0] ?? "") ? 1 : 0;
  const shown = words.slice(0, article + Math.max(1, Math.min(3, Math.floor(words.length / 6)))).join(" ");
  return `${opening}The answer has ${count(words.length, "word")} and begins “${shown} …”.`;
}
