import type { WrittenCardGate } from "#shared/cards/gates/gate-names.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { detectLanguageCode, findLanguageCode, isMoreLikelyIn } from "../language-detection.ts";
import type { CardEvent, CardRequest, ProposedCard } from "../port.ts";
import { checkWrittenCard, isTranslation } from "./hosted-gates.ts";
import type { WrittenCard } from "./object-reader.ts";
import { isBadRequest } from "./retry.ts";

/** The number of passages from which the language of a source is detected. */
const SAMPLE_PASSAGES = 30;
const WRONG_LANGUAGE = "wrong_language" as const satisfies WrittenCardGate;

export interface CheckedCard {
  card: ProposedCard;
  /** False if the model, given only the quote, gave a different answer or none. */
  isAnswered: boolean;
}

/** The state of one generation: its cards, and how many were rejected for which reason. */
export class CardGeneration {
  readonly existingCards: { question: string; answer: string }[];
  readonly rejected: Partial<Record<WrittenCardGate, number>> = {};
  accepted = 0;
  /** The number of cards in the right language, including those rejected for another reason. */
  rightLanguageCount = 0;
  /** True once the server has refused the optional settings of a request. */
  omitsOptions = false;
  readonly request: CardRequest;
  readonly isTranslated: boolean;
  readonly #translation: { from: string | undefined; to: string | undefined };

  constructor(request: CardRequest) {
    this.request = request;
    this.isTranslated = isTranslation(request.passages, request.options.language);
    const sample = request.passages.slice(0, SAMPLE_PASSAGES).map(({ text }) => text);
    const to = findLanguageCode(request.options.language ?? "");
    this.#translation = { to, from: to === undefined ? undefined : detectLanguageCode(sample.join(" ")) };
    this.existingCards = [...request.existing, ...(request.generatedCards ?? [])];
  }

  /** Returns true if the error is the first refusal of a request. From then on, requests omit optional settings. */
  omitOptionsIfRefused(error: unknown): boolean {
    if (this.omitsOptions || !isBadRequest(error)) return false;
    this.omitsOptions = true;
    return true;
  }

  /** How many cards were rejected for being in the wrong language. */
  get wrongLanguageCount(): number {
    return this.rejected[WRONG_LANGUAGE] ?? 0;
  }

  /** Where cards were requested in a language other than the source's, a card in the source's language is wrong. */
  #isWrongLanguage({ question, answer }: WrittenCard): boolean {
    const { from, to } = this.#translation;
    return from !== undefined && to !== undefined && isMoreLikelyIn(`${question} ${answer}`, from, to);
  }

  #countRejected(gate: WrittenCardGate) {
    this.rejected[gate] = (this.rejected[gate] ?? 0) + 1;
  }

  /** Applies the gates to a card. Returns the card for the self-check, or undefined if a gate rejected it. */
  applyGates(card: WrittenCard, passages: readonly Passage[]): ProposedCard | undefined {
    const isWrongLanguage = this.#isWrongLanguage(card);
    if (!isWrongLanguage) this.rightLanguageCount++;
    const gateResult = isWrongLanguage
      ? { refusal: WRONG_LANGUAGE }
      : checkWrittenCard(card, { passages, isTranslated: this.isTranslated }, this.existingCards);
    if ("refusal" in gateResult) {
      this.#countRejected(gateResult.refusal);
      return undefined;
    }
    const { question, answer, quote } = card;
    const { passageId, page } = gateResult.position;
    this.existingCards.push({ question, answer });
    this.accepted++;
    return { question: question.trim(), answer: answer.trim(), quote, passageId, page };
  }

  /** Yields the cards that passed the self-check or were not checked, and counts the others as rejected. */
  *takeAnswered(checked: readonly CheckedCard[]): Generator<CardEvent> {
    for (const { card, isAnswered } of checked) {
      if (isAnswered) yield { type: "card", card };
      else {
        this.accepted--;
        this.#countRejected("quote_does_not_answer");
      }
    }
  }
}
