import { formatAssistText } from "#shared/messages/assist-text.ts";
import { isEnglish } from "#shared/text/language.ts";
import { BLANK } from "../schema.ts";
import { isGeneralWord } from "../source/terms.ts";
import { contentStems, isStopWord } from "#shared/text/words.ts";

/** The fields of a card that texts about its deck need. */
export interface DeckCard {
  question: string;
  answer: string;
  /** The passage that it quotes, if any. */
  quote: string | null;
}

const capital = (word: string) => (word[0]?.toLocaleUpperCase() ?? "") + word.slice(1);

/** On how many cards each content word occurs, with its first spelling. */
function countWords(cards: readonly DeckCard[]): Map<string, { face: string; cards: number }> {
  const counts = new Map<string, { face: string; cards: number }>();
  for (const { question, answer } of cards) {
    const seen = new Set<string>();
    for (const word of `${answer} ${question}`.match(/\p{L}[\p{L}\p{M}\p{N}'’-]{2,}/gu) ?? []) {
      const lower = word.toLocaleLowerCase();
      const key = contentStems(word)[0];
      if (key === undefined || seen.has(key) || isStopWord(lower) || isGeneralWord(lower)) continue;
      seen.add(key);
      const usedWords = counts.get(key);
      counts.set(key, { face: usedWords?.face ?? word, cards: (usedWords?.cards ?? 0) + 1 });
    }
  }
  return counts;
}

/** A title from the words that most cards share; "" if the cards have no words. */
export function proposeDeckTitle(cards: readonly DeckCard[], readerLanguage: string): string {
  const counts = [...countWords(cards).values()];
  const shared = counts.filter((word) => word.cards > 1 || cards.length < 3);
  const best = shared.toSorted((a, b) => b.cards - a.cards).slice(0, 2);
  const [first = "", second] = best.map(({ face }) => capital(face));
  return second === undefined ? first : formatAssistText(readerLanguage, "title_pair", { first, second });
}

const MOST = 10;

function weightOf(card: DeckCard, counts: ReturnType<typeof countWords>, targetCount: ReadonlySet<string>): number {
  const stems = new Set(contentStems(`${card.question} ${card.answer}`));
  let weight = 0;
  for (const stem of stems) weight += Math.log2(1 + (counts.get(stem)?.cards ?? 0)) + (targetCount.has(stem) ? 6 : 0);
  const defines = /^what (?:is|are) |\bterm for\b/i.test(card.question) ? 3 : 0;
  return weight / Math.sqrt(4 + stems.size) + defines;
}

/** A card as one statement: the filled cloze, the term with its definition, or else the quote. */
function statementOf({ question, answer, quote }: DeckCard): string {
  if (question.includes(BLANK)) return question.replace(BLANK, `**${answer}**`).replaceAll("a/an ", "a ");
  const subject = /^what (?:is|are) (?:an? |the )?(.{2,60})\?$/i.exec(question)?.[1];
  if (subject !== undefined && answer.split(" ").length > 2) return `**${capital(subject)}**: ${answer}`;
  if (quote !== null && quote.length <= 240) return quote;
  return `${question} **${answer}**`;
}

/**
 * The highlights of a deck as lines of Markdown: the statements of its most typical cards, without repetition. Cards
 * that match the student's instructions are preferred.
 */
export function* generateHighlights(
  cards: readonly DeckCard[],
  wishes: { language?: string; instructions?: string; readerLanguage: string },
): Generator<string> {
  const counts = countWords(cards);
  const targetCount = new Set(contentStems(wishes.instructions ?? ""));
  const ranked = cards
    .map((card, i) => ({ card, i, weight: weightOf(card, counts, targetCount) }))
    .toSorted((a, b) => b.weight - a.weight || a.i - b.i);
  const chosen: typeof ranked = [];
  const usedTerms = new Set<string>();
  for (const one of ranked) {
    const stems = contentStems(`${one.card.question} ${one.card.answer}`);
    const fresh = stems.filter((stem) => !usedTerms.has(stem)).length;
    if (chosen.length >= MOST || fresh * 2 < stems.length) continue;
    for (const stem of stems) usedTerms.add(stem);
    chosen.push(one);
  }
  for (const { card } of chosen.toSorted((a, b) => a.i - b.i)) yield `- ${statementOf(card).replaceAll(/\s+/g, " ")}\n`;
  if (staysUntranslated(cards, wishes.language))
    yield `\n${formatAssistText(wishes.readerLanguage, "highlights_untranslated")}\n`;
}

function staysUntranslated(cards: readonly DeckCard[], language: string | undefined): boolean {
  const targetCount = language?.trim() ?? "";
  if (targetCount === "") return false;
  const text = cards
    .slice(0, 40)
    .map((c) => `${c.question} ${c.answer}`)
    .join(" ");
  const passage = { id: "0", text, kind: "paragraph" as const, bold: [], italic: [], locator: {} };
  return isEnglish([passage]) !== /^(?:en(?:[-_].*)?|english)$/i.test(targetCount);
}
