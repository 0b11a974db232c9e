import { isUnspaced, spaceWords } from "#shared/text/unspaced-words.ts";
import { containsPhrase, contentStems } from "#shared/text/words.ts";
import type { ProposedCard } from "../port.ts";
import { buildCardCheckPrompt, isNoAnswer, WrittenCheck } from "../prompts/card-check.ts";
import type { CardGeneration, CheckedCard } from "./card-generation.ts";
import { streamAnswerWithinBudget } from "./counted-answer.ts";
import type { HostedModel } from "./hosted-model.ts";
import { MAX_JSON_CHARS_PER_TOKEN, ObjectReader } from "./object-reader.ts";
import { describeError } from "./retry.ts";

/** The first cards are checked early, so that a student soon sees some. */
const FIRST_BATCH = 3;
const BATCH = 8;
const TOKENS_PER_ANSWER = 60;
/** After this many failed requests, the cards of this answer are shown unchecked. */
const MAX_FAILURES = 2;
/** This share of the words of the shorter answer must also be in the longer one. */
const MIN_SHARED = 0.5;

const stemsOf = (text: string) => new Set(contentStems(text));

/**
 * Compares characters in scripts without spaces, where the end of a word depends on its neighbours. A single character
 * does not count, because it may be part of another word.
 */
function isPartUnspaced(text: string, whole: string): boolean {
  const part = text.trim();
  return isUnspaced(part) && part.length > 1 && whole.includes(part);
}

/** Whether the card's answer and the model's answer to one question say the same, judged by their words. */
export function isSameAnswer(expected: string, written: string): boolean {
  if (isPartUnspaced(expected, written) || isPartUnspaced(written, expected)) return true;
  const [expectedWords, writtenWords] = [spaceWords(expected), spaceWords(written)];
  if (containsPhrase(expectedWords, writtenWords) || containsPhrase(writtenWords, expectedWords)) return true;
  const [expectedStems, writtenStems] = [stemsOf(expectedWords), stemsOf(writtenWords)];
  const shared = [...expectedStems].filter((stem) => writtenStems.has(stem)).length;
  return shared > 0 && shared >= MIN_SHARED * Math.min(expectedStems.size, writtenStems.size);
}

type Batch = readonly ProposedCard[];

/**
 * Asks the model that wrote the cards of one answer to answer them from their quotes alone, a batch at a time, while it
 * still writes more cards. A card without a clear verdict passes, because the check is optional. For the same reason a
 * failed request is not repeated.
 */
export class SelfCheck {
  readonly #hosted: HostedModel;
  readonly #generation: CardGeneration;
  /** How many cards were added, checked or not. */
  addedCards = 0;
  #waiting: ProposedCard[] = [];
  #running: Promise<void> = Promise.resolve();
  #checked: CheckedCard[] = [];
  #batches = 0;
  #failures = 0;

  constructor(hosted: HostedModel, generation: CardGeneration) {
    this.#hosted = hosted;
    this.#generation = generation;
  }

  add(card: ProposedCard): void {
    this.addedCards++;
    this.#waiting.push(card);
    if (this.#waiting.length >= (this.#batches === 0 ? FIRST_BATCH : BATCH)) this.#start();
  }

  /** The cards whose check has ended since the last call. */
  takeChecked(): CheckedCard[] {
    return this.#checked.splice(0);
  }

  /** The remaining cards, once they are checked. */
  async finish(): Promise<CheckedCard[]> {
    this.#start();
    await this.#running;
    return this.takeChecked();
  }

  /**
   * Checks one batch after the other, so that cards stay in order and a small server gets at most one additional
   * request.
   */
  #start(): void {
    const batch = this.#waiting.splice(0);
    if (batch.length === 0) return;
    this.#batches++;
    this.#running = this.#checkAfter(this.#running, batch);
  }

  async #checkAfter(earlier: Promise<void>, batch: Batch): Promise<void> {
    await earlier;
    const answers = this.#failures < MAX_FAILURES ? await this.#requestAnswers(batch) : new Map<number, string>();
    this.#checked.push(...batch.map((card, i) => ({ card, isAnswered: this.#isAnswered(card, answers.get(i + 1)) })));
  }

  /** A card in another language than its quote may be answered in either. */
  #isAnswered({ answer }: ProposedCard, written: string | undefined): boolean {
    if (written === undefined) return true;
    return isSameAnswer(answer, written) || (this.#generation.isTranslated && !isNoAnswer(written));
  }

  /** Returns the answers by card number, including those received before a failure. */
  async #requestAnswers(batch: Batch): Promise<Map<number, string>> {
    const answers = new Map<number, string>();
    try {
      for await (const { number, answer } of this.#readAnswers(batch)) answers.set(number, answer);
    } catch (error) {
      this.#failures++;
      this.#hosted.log.info({ model: this.#hosted.info.id, failure: describeError(error) }, "cards were not checked");
    }
    return answers;
  }

  async *#readAnswers(batch: Batch): AsyncGenerator<WrittenCheck> {
    const { omitsOptions, request } = this.#generation;
    const { system, user } = buildCardCheckPrompt(batch);
    const maxTokens = batch.length * TOKENS_PER_ANSWER + 300;
    const turns = [{ role: "user" as const, text: user }];
    const modelRequest = { system, turns, maxTokens, omitsOptions, signal: request.signal };
    const reader = new ObjectReader(WrittenCheck);
    let answerChars = 0;
    for await (const part of streamAnswerWithinBudget(this.#hosted, modelRequest, request.ownerId)) {
      if (part.type !== "text") continue;
      answerChars += part.text.length;
      yield* reader.push(part.text);
      if (answerChars > maxTokens * MAX_JSON_CHARS_PER_TOKEN) return;
    }
  }
}
