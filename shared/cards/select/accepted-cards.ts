import type { Candidate } from "../generate/candidates.ts";
import { type CardText, toDraftCard } from "../features/ranked-candidates.ts";
import { ShortFormExpander } from "../features/short-form-expansion.ts";
import type { Topics } from "../features/topics.ts";
import { checkCard } from "../gates/card-gates.ts";
import type { EngineCard } from "../schema.ts";
import type { Lexicon } from "../source/lexicon.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { findExactQuote } from "#shared/text/quotes.ts";
import { bareName, phraseKey } from "#shared/text/words.ts";
import { definitionKey } from "./selection-limits.ts";

interface AcceptedSource {
  passages: readonly Passage[];
  lexicon: Lexicon;
  topics: Topics;
}

/**
 * The selected cards and those of earlier decks. A further card must pass the gates and must not repeat any of them.
 */
export class AcceptedCards {
  readonly #source: AcceptedSource;
  readonly #spelling: ShortFormExpander;
  /** The cards without their topics. */
  readonly #accepted: CardText[];
  /** The cards as shown, with their topics. */
  readonly #shown: CardText[] = [];
  readonly #tried = new Set<string>();
  /** The answers asked for from each sentence. */
  readonly #askedFor = new Set<string>();
  /** The terms that definitions ask for. */
  readonly #defined = new Set<string>();

  constructor(source: AcceptedSource, existingCards: readonly CardText[]) {
    this.#source = source;
    this.#spelling = new ShortFormExpander(source.lexicon);
    this.#accepted = existingCards.map(({ question, answer }) => ({
      question: source.topics.withoutPrefix(question),
      answer,
    }));
  }

  /** The card of a candidate under these headings; undefined if it is rejected. */
  accept(candidate: Candidate, path: readonly string[]): EngineCard | undefined {
    const bare = toDraftCard(candidate);
    const draft = { ...bare, question: this.#spelling.spellOut(bare.question, bare.answer) };
    const fullText = `${draft.question}\n${draft.answer}\n${draft.quote}`;
    const subject = `${candidate.fact.order}\n${phraseKey(bareName(draft.answer))}`;
    // A repetitive text offers the same card a thousand times, so each card is checked only once.
    if (this.#tried.has(fullText) || this.#askedFor.has(subject) || this.#isDefined(candidate)) return undefined;
    this.#tried.add(fullText);
    if (!checkCard(draft, this.#source.passages, this.#accepted).ok) return undefined;
    // A sentence after a page break is on its passage's second page.
    const quotePosition = findExactQuote(this.#source.passages, draft.quote);
    const page = quotePosition?.page === undefined ? {} : { page: quotePosition.page };
    const card = {
      ...this.#addTopic(candidate, draft, path),
      passageId: quotePosition?.passageId ?? draft.passageId,
      ...page,
    };
    // Cards are compared without topics, because a topic would make two equal cards look different.
    this.#accepted.push(draft);
    this.#shown.push(card);
    this.#spelling.learn(`${card.question} ${card.answer}`);
    this.#askedFor.add(subject);
    if (candidate.style === "definition") this.#defined.add(definitionKey(candidate.question));
    return card;
  }

  /** Starts the question with its topic, unless the gates reject the result. */
  #addTopic(candidate: Candidate, draft: EngineCard, path: readonly string[]): EngineCard {
    const topic = this.#source.topics.prefixFor({ ...candidate, question: draft.question }, path);
    const withTopic = { ...draft, question: `${topic}${draft.question}` };
    return topic !== "" && checkCard(withTopic, this.#source.passages, this.#shown).ok ? withTopic : draft;
  }

  /** "What is T?" asked twice would have two answers. */
  #isDefined({ style, question }: Candidate): boolean {
    return style === "definition" && this.#defined.has(definitionKey(question));
  }
}
