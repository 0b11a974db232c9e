import { Failure } from "#shared/contract/failure.ts";
import { textOfParts } from "#shared/tutor/message-parts.ts";
import { phrase } from "#shared/tutor/phrases.ts";
import { isInOtherLanguage } from "#api/ai/language-detection.ts";
import type { Model, ChatTurn } from "#api/ai/port.ts";
import { buildTutorPrompt } from "#api/ai/prompts/tutor.ts";
import type { Deps } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import { type RetrievedPassage, type AnswerBuilder, describePosition } from "./answer-builder.ts";
import type { RetrievalResult } from "./retrieve.ts";
import type { ConversationTurn } from "../conversation-history.ts";
import { readChosenImages } from "./chosen-images.ts";
import { describeDueWeek } from "../describe-due-week.ts";
import type { MessageDoc } from "../store.ts";
import { lookUpMore } from "./model-lookup.ts";

const MAX_PROMPT_CHARS = 14_000;
const TOKENS_PER_WORD = 3;
/** Length of text needed before its language is checked. */
const LANGUAGE_CHECK_CHARS = 240;

export interface AnswerOptions {
  language: string;
  custom_instructions: string;
  maxWords: number;
}

export interface ModelAnswerContext {
  deps: Deps;
  own: Own;
  signal: AbortSignal;
  question: MessageDoc;
  turns: readonly ConversationTurn[];
  options: AnswerOptions;
  found: RetrievalResult;
  /** Called after retrieval, because citation numbers follow the passages in the prompt. */
  startAnswer: () => AnswerBuilder;
}

/** The best passages that fit into a prompt. */
function withinPrompt(hits: readonly RetrievedPassage[]): readonly RetrievedPassage[] {
  let chars = 0;
  const end = hits.findIndex(({ passage }) => {
    chars += passage.text.length;
    return chars > MAX_PROMPT_CHARS;
  });
  return end === -1 ? hits : hits.slice(0, Math.max(1, end));
}

/**
 * Writes an answer with a model and verifies every citation. An answer in the wrong language is discarded and requested
 * once more; if that fails too, the answer says so.
 */
export async function writeModelAnswer(model: Model, context: ModelAnswerContext): Promise<AnswerBuilder> {
  const { deps, own, question, turns, options, found, signal } = context;
  const { ownerId } = own;
  const schedule = async () => textOfParts(await describeDueWeek(own, deps.clock.now()));
  const sourceDeps = { ...deps, own };
  const lookedUp = await lookUpMore(model, { deps: sourceDeps, question, turns, found, schedule, ownerId, signal });
  const [images, due] = await Promise.all([
    readChosenImages(deps, own, question.ground),
    question.mode === "plan" ? schedule() : lookedUp,
  ]);
  const { system, user } = buildTutorPrompt({
    mode: question.mode,
    passages: withinPrompt(found.passages).map((hit) => {
      return { title: hit.source.title, place: describePosition(hit), text: hit.passage.text };
    }),
    question: question.text,
    selection: question.selection?.text,
    schedule: due,
    language: options.language,
    instructions: options.custom_instructions,
    maxWords: options.maxWords,
    pictures: images.length,
  });
  const questionTurn: ChatTurn = { role: "user", text: user, ...(images.length > 0 && { images }) };
  const earlierTurns = turns.map(({ role, text }) => ({ role, text }));
  const writer = new ModelAnswerWriter(model, context, { system, earlierTurns, questionTurn });
  await writer.write();
  return writer.answer;
}

interface Prompt {
  system: string;
  earlierTurns: readonly ChatTurn[];
  questionTurn: ChatTurn;
}

const describeWrongLanguage = (language: string) =>
  phrase("other_language", { language: language.replaceAll(/[^\p{L}\p{M}\s()-]/gu, "") });

class ModelAnswerWriter {
  readonly answer: AnswerBuilder;
  readonly #model: Model;
  readonly #context: ModelAnswerContext;
  readonly #prompt: Prompt;
  #isWithoutImages = false;

  constructor(model: Model, context: ModelAnswerContext, prompt: Prompt) {
    this.#model = model;
    this.#context = context;
    this.#prompt = prompt;
    this.answer = context.startAnswer();
  }

  async write(): Promise<void> {
    const { language } = this.#context.options;
    await this.#stream("", true);
    if (this.#isWrongLanguage()) {
      this.answer.restart();
      await this.#stream(`\nAnswer in this language and in no other: ${language}.`, false);
    }
    if (this.answer.text.trim() === "") throw new Failure("model_unavailable", "model_silent");
    if (this.#isWrongLanguage()) this.answer.write("\n\n", describeWrongLanguage(language));
    if (this.#isWithoutImages) this.answer.write("\n\n", phrase("blind"));
  }

  #isWrongLanguage(): boolean {
    return isInOtherLanguage(this.answer.text, this.#context.options.language) === true;
  }

  /** With `canStopEarly`, stops reading an answer that begins in the wrong language. */
  async #stream(extraInstruction: string, canStopEarly: boolean): Promise<void> {
    const { own, signal, options } = this.#context;
    const { system, earlierTurns, questionTurn } = this.#prompt;
    const request = {
      system,
      turns: [...earlierTurns, { ...questionTurn, text: questionTurn.text + extraInstruction }],
      maxTokens: options.maxWords * TOKENS_PER_WORD + 400,
      ownerId: own.ownerId,
      signal,
      onImagesRefused: () => {
        this.#isWithoutImages = true;
      },
    };
    let isLanguageChecked = !canStopEarly;
    for await (const piece of this.#model.chat?.(request) ?? []) {
      this.answer.push(piece);
      if (isLanguageChecked || this.answer.text.length < LANGUAGE_CHECK_CHARS) continue;
      isLanguageChecked = true;
      if (this.#isWrongLanguage()) return;
    }
    this.answer.end();
  }
}
