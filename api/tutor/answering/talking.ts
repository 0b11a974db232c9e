import { Failure } from "#shared/contract/failure.ts";
import { wordings } from "#shared/tutor/wordings.ts";
import { isInOtherLanguage } from "#api/ai/languages.ts";
import type { Model, TalkTurn } from "#api/ai/port.ts";
import { tutorPrompt } from "#api/ai/prompts/tutor.ts";
import type { Deps } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned.ts";
import { type Ground, type GrowingAnswer, placeOf } from "./answer.ts";
import type { FoundGrounds } from "./grounds.ts";
import type { Said } from "../history.ts";
import { picturesOf } from "./pictures.ts";
import { describeWeek } from "../schedule.ts";
import type { MessageDoc } from "../store.ts";
import { lookFurther } from "./tools.ts";

const MAX_PROMPT_CHARS = 14_000;
const TOKENS_PER_WORD = 3;
/** Length of text needed before its language is checked. */
const LANGUAGE_AFTER_CHARS = 240;

export interface Wishes {
  language: string;
  custom_instructions: string;
  maxWords: number;
}

export interface Talking {
  deps: Deps;
  own: Own;
  signal: AbortSignal;
  question: MessageDoc;
  said: readonly Said[];
  wishes: Wishes;
  found: FoundGrounds;
  /** Called after retrieval, because citation numbers follow the passages in the prompt. */
  begin: () => GrowingAnswer;
}

/** The best passages that fit into a prompt. */
function withinPrompt(grounds: readonly Ground[]): readonly Ground[] {
  let chars = 0;
  const upTo = grounds.findIndex(({ passage }) => (chars += passage.text.length) > MAX_PROMPT_CHARS);
  return upTo === -1 ? grounds : grounds.slice(0, Math.max(1, upTo));
}

/**
 * Writes an answer with a model and verifies every citation. An answer in the wrong language is discarded and requested
 * once more; if that fails too, the answer says so.
 */
export async function talkWith(model: Model, talking: Talking): Promise<GrowingAnswer> {
  const { deps, own, question, said, wishes, found, signal } = talking;
  const { ownerId } = own;
  const schedule = () => describeWeek(own, deps.clock.now());
  const librarian = { ...deps, own };
  const looked = await lookFurther(model, { librarian, question, said, found, schedule, ownerId, signal });
  const [images, due] = await Promise.all([
    picturesOf(deps, own, question.ground),
    question.mode === "plan" ? schedule() : looked,
  ]);
  const { system, user } = tutorPrompt({
    mode: question.mode,
    passages: withinPrompt(found.grounds).map((ground) => {
      return { title: ground.source.title, place: placeOf(ground), text: ground.passage.text };
    }),
    question: question.text,
    selection: question.selection?.text,
    schedule: due,
    language: wishes.language,
    instructions: wishes.custom_instructions,
    maxWords: wishes.maxWords,
    pictures: images.length,
  });
  const asked: TalkTurn = { role: "user", text: user, ...(images.length > 0 && { images }) };
  const before = said.map(({ role, text }) => ({ role, text }));
  const saying = new Saying(model, talking, { system, before, asked });
  await saying.toItsEnd();
  return saying.answer;
}

interface Prompt {
  system: string;
  before: readonly TalkTurn[];
  asked: TalkTurn;
}

class Saying {
  readonly answer: GrowingAnswer;
  readonly #model: Model;
  readonly #talking: Talking;
  readonly #prompt: Prompt;
  #isBlind = false;

  constructor(model: Model, talking: Talking, prompt: Prompt) {
    this.#model = model;
    this.#talking = talking;
    this.#prompt = prompt;
    this.answer = talking.begin();
  }

  async toItsEnd(): Promise<void> {
    const { language } = this.#talking.wishes;
    await this.#say("", true);
    if (this.#isForeign()) {
      this.answer.restart();
      await this.#say(`\nAnswer in this language and in no other: ${language}.`, false);
    }
    if (this.answer.text.trim() === "") throw new Failure("model_unavailable", "model_silent");
    if (this.#isForeign()) this.answer.write(`\n\n${wordings.otherLanguage(language)}`);
    if (this.#isBlind) this.answer.write(`\n\n${wordings.blind}`);
  }

  #isForeign(): boolean {
    return isInOtherLanguage(this.answer.text, this.#talking.wishes.language) === true;
  }

  /** With `endsEarly`, stops reading an answer that starts in the wrong language. */
  async #say(more: string, endsEarly: boolean): Promise<void> {
    const { own, signal, wishes } = this.#talking;
    const { system, before, asked } = this.#prompt;
    const request = {
      system,
      turns: [...before, { ...asked, text: asked.text + more }],
      maxTokens: wishes.maxWords * TOKENS_PER_WORD + 400,
      ownerId: own.ownerId,
      signal,
      withoutImages: () => void (this.#isBlind = true),
    };
    let isLooked = !endsEarly;
    for await (const piece of this.#model.talk?.(request) ?? []) {
      this.answer.push(piece);
      if (isLooked || this.answer.text.length < LANGUAGE_AFTER_CHARS) continue;
      isLooked = true;
      if (this.#isForeign()) return;
    }
    this.answer.end();
  }
}
