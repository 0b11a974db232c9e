import type { Lexicon } from "../source/lexicon.ts";
import { containsPhrase, wordsOf } from "#shared/text/words.ts";

/** "basidia" becomes "basidia (singular basidium)" if the sentence gives both forms. */
export function withOtherForm(answer: string, original: string): string {
  if (!/^\p{L}+$/u.test(answer)) return answer;
  const match = new RegExp(String.raw`(?<!\p{L})${answer}\s*\((singular|plural)\s*[,:=]?\s*(\p{L}+)\)`, "iu").exec(
    original,
  );
  return match ? `${answer} (${match[1]?.toLowerCase()} ${match[2]})` : answer;
}

const MAX_WORDS = 32;

/** Spells abbreviations out on the first card that uses them, because the student may not know them. */
export class ShortFormExpander {
  readonly #lexicon: Lexicon;
  readonly #known = new Set<string>();

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  /** The question with its first abbreviation spelled out that no earlier card spelled out. */
  spellOut(question: string, answer: string): string {
    for (const [short, long] of this.#lexicon.spelled) {
      if (this.#known.has(short) || this.#lexicon.terms.get(long)?.isMarked !== true) continue;
      const position = new RegExp(String.raw`(?<![\p{L}\p{N}(-])${short}(?![\p{L}\p{N})-])`, "u").exec(question)?.index;
      const isExpanded = containsPhrase(`${question} ${answer}`, long) || containsPhrase(answer, short);
      if (position === undefined || isExpanded) continue;
      const spelled = `${question.slice(0, position)}${long} (${short})${question.slice(position + short.length)}`;
      const open = position === 0 ? spelled.charAt(0).toUpperCase() + spelled.slice(1) : spelled;
      if (wordsOf(open).length <= MAX_WORDS) return open;
    }
    return question;
  }

  /** Records which abbreviations this card spells out. */
  learn(text: string): void {
    for (const [short, long] of this.#lexicon.spelled)
      if (containsPhrase(text, long) && containsPhrase(text, short)) this.#known.add(short);
  }
}
