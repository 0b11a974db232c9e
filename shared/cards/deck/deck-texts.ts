import { formatAssistText } from "#shared/messages/assist-text.ts";
import { isEnglish } from "#shared/text/language.ts";
import { BLANK } from "../schema.ts";
import { isGeneralWord } from "../source/terms.ts";
import { contentStems, isStopWord } from "#shared/text/words.ts";

/** The fields of a card that texts about its deck need. */
export interface DeckCard {
  question: string;
  answer: string;
  /** The text that the card quotes from its source, if any. */
  quote: string | null;
}

const capitalise = (word: string) => (word[0]?.toLocaleUpperCase() ?? "") + word.slice(1);

/** For each content word: its first spelling, and the number of cards that contain the word. */
function countCardsByWord(cards: readonly DeckCard[]): Map<string, { spelling: string; cards: number }> {
  const counts = new Map<string, { spelling: string; cards: number }>();
  for (const { question, answer } of cards) {
    const seen = new Set<string>();
    for (const word of `${answer} ${question}`.match(/\p{L}[\p{L}\p{M}\p{N}'’-]{2,}/gu) ?? []) {
      const lower = word.toLocaleLowerCase();
      const key = contentStems(word)[0];
      if (key === undefined || seen.has(key) || isStopWord(lower) || isGeneralWord(lower)) continue;
      seen.add(key);
      const known = counts.get(key);
      counts.set(key, { spelling: known?.spelling ?? word, cards: (known?.cards ?? 0) + 1 });
    }
  }
  return counts;
}

/** A title from the words that most cards share; "" if the cards have no words. */
export function proposeDeckTitle(cards: readonly DeckCard[], readerLanguage: string): string {
  const counts = [...countCardsByWord(cards).values()];
  const shared = counts.filter((word) => word.cards > 1 || cards.length < 3);
  const best = shared.toSorted((a, b) => b.cards - a.cards).slice(0, 2);
  const [first = "", second] = best.map(({ spelling }) => capitalise(spelling));
  return second === undefined ? first : formatAssistText(readerLanguage, "title_pair", { first, second });
}

const MAX_HIGHLIGHTS = 10;

function highlightWeight(
  card: DeckCard,
  counts: ReturnType<typeof countCardsByWord>,
  instructionStems: ReadonlySet<string>,
): number {
  const stems = new Set(contentStems(`${card.question} ${card.answer}`));
  let weight = 0;
  for (const stem of stems)
    weight += Math.log2(1 + (counts.get(stem)?.cards ?? 0)) + (instructionStems.has(stem) ? 6 : 0);
  const definitionBonus = /^what (?:is|are) |\bterm for\b/i.test(card.question) ? 3 : 0;
  return weight / Math.sqrt(4 + stems.size) + definitionBonus;
}

/** A card as one statement: the filled cloze, the term with its definition, or else the quote. */
function statementOf({ question, answer, quote }: DeckCard): string {
  if (question.includes(BLANK)) return question.replace(BLANK, `**${answer}**`).replaceAll("a/an ", "a ");
  const subject = /^what (?:is|are) (?:an? |the )?(.{2,60})\?$/i.exec(question)?.[1];
  if (subject !== undefined && answer.split(" ").length > 2) return `**${capitalise(subject)}**: ${answer}`;
  if (quote !== null && quote.length <= 240) return quote;
  return `${question} **${answer}**`;
}

/**
 * The highlights of a deck as lines of Markdown: the statements of its most typical cards, without repetition. Cards
 * that match the student's instructions are preferred.
 */
export function* generateHighlights(
  cards: readonly DeckCard[],
  options: { language?: string; instructions?: string; readerLanguage: string },
): Generator<string> {
  const counts = countCardsByWord(cards);
  const instructionStems = new Set(contentStems(options.instructions ?? ""));
  const ranked = cards
    .map((card, i) => ({ card, i, weight: highlightWeight(card, counts, instructionStems) }))
    .toSorted((a, b) => b.weight - a.weight || a.i - b.i);
  const chosen: typeof ranked = [];
  const usedTerms = new Set<string>();
  for (const entry of ranked) {
    const stems = contentStems(`${entry.card.question} ${entry.card.answer}`);
    const fresh = stems.filter((stem) => !usedTerms.has(stem)).length;
    if (chosen.length >= MAX_HIGHLIGHTS || fresh * 2 < stems.length) continue;
    for (const stem of stems) usedTerms.add(stem);
    chosen.push(entry);
  }
  for (const { card } of chosen.toSorted((a, b) => a.i - b.i)) yield `- ${statementOf(card).replaceAll(/\s+/g, " ")}\n`;
  if (staysUntranslated(cards, options.language))
    yield `\n${formatAssistText(options.readerLanguage, "highlights_untranslated")}\n`;
}

function staysUntranslated(cards: readonly DeckCard[], language: string | undefined): boolean {
  const targetLanguage = language?.trim() ?? "";
  if (targetLanguage === "") return false;
  const text = cards
    .slice(0, 40)
    .map((c) => `${c.question} ${c.answer}`)
    .join(" ");
  const passage = { id: "0", text, kind: "paragraph" as const, bold: [], italic: [], locator: {} };
  return isEnglish([passage]) !== /^(?:en(?:[-_].*)?|english)$/i.test(targetLanguage);
}
