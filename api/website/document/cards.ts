import type { SiteItem } from "#shared/website/schema.ts";
import { flashcardCitation, parseCitation } from "#shared/citations.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { bareName, phraseKey } from "#shared/text/words.ts";
import type { Deps } from "#api/http/handler.ts";
import type { IndexedPassage } from "#api/store/search/port.ts";
import { citeLine, itemId, type LoadedSource } from "./read-sources.ts";

const MAX_CARDS = 300;
const ENGINE = "lamplight-builtin";

/** A card of a site, with the sentence that it was made from. */
export interface SiteCard extends SiteItem {
  answer: string;
  quote: string;
}

const BLANK = /_{3,}|\{\{c\d+::/;

/** Cards of a deck, word for word and with their own ids. */
function takeDeckCards({ source, cards }: LoadedSource): SiteCard[] {
  return cards
    .filter(({ question, answer, kind }) => kind !== "occlusion" && question.trim() !== "" && answer.trim() !== "")
    .map((card) => ({
      id: card.id,
      text: card.question,
      answer: card.answer,
      quote: "",
      citation: card.citation ?? flashcardCitation(source.componentId, card.question),
      label: deckLabel(card, source.title),
      source: source.title.slice(0, 500),
    }));
}

function deckLabel({ citation }: Flashcard, title: string): string {
  const parsed = citation === null ? undefined : parseCitation(citation);
  if (parsed?.type === "pdf_citation") return `p. ${parsed.page}`;
  return title.length > 40 ? `${title.slice(0, 39)}…` : title;
}

export const toPassage = (passage: IndexedPassage): Passage => ({ ...passage, bold: [], italic: [] });

/** Cards that the built-in engine makes from the sentences of a source. */
async function generateSourceCards(
  models: Deps["models"],
  { source, passages }: LoadedSource,
  signal: AbortSignal,
): Promise<SiteCard[]> {
  const engine = await models.choose(ENGINE);
  if (!engine) return [];
  const byId = new Map(passages.map((passage) => [passage.id, passage]));
  const made: SiteCard[] = [];
  const request = { passages: passages.map(toPassage), options: { density: "LOW" as const }, existing: [], signal };
  for await (const event of engine.generateCards(request)) {
    if (event.type !== "card") continue;
    const { question, answer, quote, passageId } = event.card;
    const passage = byId.get(passageId);
    if (!passage) continue;
    const line = citeLine(source, passage, quote);
    made.push({ ...line, id: itemId(source.id, question), text: question, answer, quote });
    if (made.length >= MAX_CARDS) break;
  }
  return made;
}

/** Loads the word lists of the built-in engine early, while the student is still choosing sources. */
export async function prepareCards(models: Deps["models"]): Promise<void> {
  (await models.choose(ENGINE))?.prepare?.();
}

/** The cards of decks, and cards made from every other source. */
export async function collectCards(
  models: Deps["models"],
  sources: readonly LoadedSource[],
  signal: AbortSignal,
): Promise<SiteCard[]> {
  const lists = await Promise.all(
    sources.map(async (loaded) =>
      loaded.source.kind === "deck" ? takeDeckCards(loaded) : generateSourceCards(models, loaded, signal),
    ),
  );
  return lists.flat().slice(0, MAX_CARDS);
}

function withoutQuote({ quote: _quote, ...card }: SiteCard): SiteItem & { answer: string } {
  return card;
}

export const toFlashcards = (cards: readonly SiteCard[]): SiteItem[] => cards.map((card) => withoutQuote(card));

const capitalise = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

const WHAT_IS =
  /^(?:what (?:is|are)|define|was (?:ist|sind))\s+(?:meant by\s+|an?\s+|the\s+|eine?\s+|der\s+|die\s+|das\s+)?(.{2,60}?)\s*\??$/iu;

/** "What is the process of removing introns called?" asks for its answer. */
const WHAT_IS_CALLED = /^what (?:is|are)\b.*\b(?:called|named|termed|known as)\s*\?$/iu;
/** "Price indices for the 200 items combined into" is the beginning of a sentence, not a term. */
const IS_CUT = /\b(?:called|named|known|of|on|in|into|to|for|by|with|as|from|at|and|or|the|an?)$/iu;
const MAX_TERM_WORDS = 6;

const isTerm = (text: string) => !IS_CUT.test(text) && text.split(/\s+/).length <= MAX_TERM_WORDS;

/** The term that a card asks for; undefined if it asks for something else. */
export function termOf({ text: question, answer }: Pick<SiteCard, "text" | "answer">): string | undefined {
  if (BLANK.test(question)) return undefined;
  if (WHAT_IS_CALLED.test(question.trim())) return isTerm(answer) ? capitalise(answer) : undefined;
  const named = WHAT_IS.exec(question.trim())?.[1];
  const term =
    named ?? (/[?.!:]$/.test(question.trim()) || question.split(/\s+/).length > 4 ? undefined : question.trim());
  if (term === undefined || !isTerm(term) || /^(?:this|that|these|it|called|used|known)\b/i.test(term))
    return undefined;
  return capitalise(term);
}

/** Terms with their meaning, each once. */
export function toGlossary(cards: readonly SiteCard[]): SiteItem[] {
  const terms = new Map<string, SiteItem>();
  for (const { quote, ...card } of cards) {
    const term = termOf(card);
    if (term === undefined || terms.has(term.toLowerCase())) continue;
    // Use the sentence itself, word for word; for a card of a deck, use its answer.
    terms.set(term.toLowerCase(), { ...card, text: term, answer: quote === "" ? card.answer : quote });
  }
  return [...terms.values()].toSorted((a, b) => a.text.localeCompare(b.text));
}

const MAX_QUESTIONS = 60;
const MAX_OPTION = 160;
const OTHER_OPTIONS = 3;

/** Options in an order that depends on the question alone, so that a site made again is the same. */
const shuffle = (options: readonly string[], seed: string) =>
  options.toSorted((a, b) => (itemId(seed, a) < itemId(seed, b) ? -1 : 1));

/** "The nucleus." and "nucleus" are one answer, of which only one may be an option. Symbols have no words. */
const answerKey = (answer: string) => phraseKey(bareName(answer.trim())) || answer.trim().toLowerCase();

/**
 * Multiple-choice questions. The other options are answers of other cards with similar length, which are the hardest to
 * tell apart.
 */
export function toQuiz(cards: readonly SiteCard[]): SiteItem[] {
  const usable = cards.filter(({ answer }) => answer.length <= MAX_OPTION);
  const answers = new Map(usable.map(({ answer }) => [answerKey(answer), answer]));
  return usable.slice(0, MAX_QUESTIONS).flatMap((full) => {
    const card = withoutQuote(full);
    const others = [...answers]
      .filter(([key]) => key !== answerKey(card.answer))
      .map(([, answer]) => answer)
      .filter((answer) => !card.text.toLowerCase().includes(answer.toLowerCase()))
      .toSorted((a, b) => Math.abs(a.length - card.answer.length) - Math.abs(b.length - card.answer.length))
      .slice(0, OTHER_OPTIONS);
    if (others.length < 2) return [];
    return [{ ...card, id: itemId("quiz", card.id), options: shuffle([card.answer, ...others], card.id) }];
  });
}
