import { contentQuery } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { escapeMarkdown, phrase } from "#shared/tutor/phrases.ts";
import type { SuggestedCard } from "#shared/tutor/schema.ts";
import type { CardEvent, Model, ProposedCard } from "#api/ai/port.ts";
import { type AnswerBuilder, citationOf, type RetrievedPassage } from "./answer-builder.ts";
import type { RetrievalResult } from "./retrieve.ts";

/** Passages that cards are made from. */
const PASSAGE_LIMIT = 16;

interface CardRequest {
  model: Model;
  found: RetrievalResult;
  count: number;
  topic: string;
  ownerId: string;
  signal: AbortSignal;
}

const isAbout = ({ question, answer, quote }: ProposedCard, topicTerms: readonly string[]) => {
  const terms = new Set(searchTerms(`${question} ${answer} ${quote}`));
  return topicTerms.some((term) => terms.has(term));
};

/** Reads cards until there are enough about the topic. */
async function readCards(events: AsyncIterable<CardEvent>, topic: string, count: number): Promise<ProposedCard[]> {
  const topicTerms = searchTerms(contentQuery(topic));
  const about: ProposedCard[] = [];
  for await (const event of events) {
    if (event.type !== "card" || (topicTerms.length > 0 && !isAbout(event.card, topicTerms))) continue;
    about.push(event.card);
    if (about.length >= count) break;
  }
  return about;
}

/** Proposes the requested number of cards, each with its citation; the student decides which to add to a deck. */
export async function writeCards(
  answer: AnswerBuilder,
  { model, found, count, topic, ownerId, signal }: CardRequest,
): Promise<SuggestedCard[]> {
  const hits = found.passages.filter(({ source }) => source.kind !== "deck").slice(0, PASSAGE_LIMIT);
  const passages = hits.map(({ passage }, index): Passage => ({ ...passage, id: String(index), bold: [], italic: [] }));
  const options = { density: "VERY_HIGH" as const, ...(topic !== "" && { customInstructions: topic }) };
  const events = model.generateCards({ passages, options, existing: [], ownerId, signal });
  const proposed = passages.length === 0 ? [] : await readCards(events, topic, count);
  if (proposed.length === 0) {
    answer.write(phrase(found.sources.length === 0 ? "no_sources" : "no_cards"));
    return [];
  }
  answer.write(phrase("cards", { count: proposed.length }));
  return proposed.flatMap((card) => writeCard(answer, card, hits[Number(card.passageId)]));
}

function writeCard(
  answer: AnswerBuilder,
  { question, answer: back, quote }: ProposedCard,
  hit: RetrievedPassage | undefined,
): SuggestedCard[] {
  if (!hit) return [];
  answer.write(`\n\n- **${escapeMarkdown(question)}**  \n  ${escapeMarkdown(back)}`);
  answer.citeIn(hit, quote);
  return [{ question, answer: back, citation: citationOf(hit, quote).citation }];
}
