import { formatAssistText } from "#shared/messages/assist-text.ts";
import { bareName, contentStems, wordsOf } from "../text/words.ts";
import { escapeRegExp } from "#shared/escape-reg-exp.ts";

/** The category from a quote such as "A T is a small organ that …". */
function kindOf(answer: string, quote: string): string | undefined {
  const name = escapeRegExp(bareName(answer.trim()));
  const statement = new RegExp(
    `\\b${name}(?:s|es)?(?: \\([^)]*\\))? (?:is|are) ((?:an?|the) [^.,;:]{3,60})`,
    "iu",
  ).exec(quote);
  const kind = statement?.[1]?.split(/\s+(?:that|which|who|in|of|by|from|with|where|to|for)\b/i)[0]?.trim();
  return kind === undefined || leaks(kind, answer) ? undefined : kind;
}

function leaks(text: string, answer: string): boolean {
  const textStems = new Set(contentStems(text));
  return contentStems(answer).some((stem) => textStems.has(stem));
}

interface HintedCard {
  answer: string;
  /** The passage that the card quotes. */
  quote: string | null;
}

/** The first letter and length of a short answer; the first words of a long one. */
function describeAnswer(answer: string, language: string): string | undefined {
  const words = answer
    .trim()
    .split(/\s+/)
    .filter((word) => word !== "");
  const letter = /^./u.exec(wordsOf(answer)[0] ?? "")?.[0].toLocaleUpperCase();
  if (letter === undefined) return undefined;
  if (words.length === 1) {
    const count = answer.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    return formatAssistText(language, count === 1 ? "hint_letters_one" : "hint_letters_other", { letter, count });
  }
  if (words.length <= 4) return formatAssistText(language, "hint_words", { letter, count: words.length });
  // A sixth of a long answer gives little away. An article gives nothing away.
  const article = /^(?:the|an?)$/i.test(words[0] ?? "") ? 1 : 0;
  const opening = words.slice(0, article + Math.max(1, Math.min(3, Math.floor(words.length / 6)))).join(" ");
  return formatAssistText(language, "hint_opening", { count: words.length, opening });
}

/**
 * A hint that doesn't give the answer away: its beginning and length, and its category if the quote names it. The
 * category stays in the language of the quote.
 */
export function makeHint({ answer, quote }: HintedCard, language: string): string {
  const description = describeAnswer(answer, language);
  if (description === undefined) return formatAssistText(language, "hint_symbol");
  const kind = quote === null ? undefined : kindOf(answer, quote);
  return kind === undefined ? description : `${formatAssistText(language, "hint_kind", { kind })} ${description}`;
}
