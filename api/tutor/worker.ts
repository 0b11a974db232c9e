import { setTimeout as pause } from "node:timers/promises";
import { Failure } from "#shared/contract/failure.ts";
import type { AnswerCitation, Message } from "#shared/tutor/schema.ts";
import { wordings } from "#shared/tutor/wordings.ts";
import type { Model } from "#api/ai/port.ts";
import type { Deps } from "#api/http/handler.ts";
import type { JobRun } from "#api/jobs/jobs-port.ts";
import { ownedBy, type Own } from "#api/store/owned.ts";
import { giveBack, preferencesOf } from "#api/user/service.ts";
import { type Ground, GrowingAnswer } from "./answering/answer.ts";
import type { AnswerInput } from "./answering/answer-input.ts";
import { explain, lead, quiz } from "./answering/builtin-answers.ts";
import { findGrounds, type FoundGrounds } from "./answering/grounds.ts";
import { conversationBefore, type Said } from "./history.ts";
import { type Kept, keptAnswer } from "./answering/kept.ts";
import { isNewBeginning, type LiveEvent, liveAnswers } from "./live.ts";
import { proposeFollowUps } from "./answering/follow-ups.ts";
import { describeWeek } from "./schedule.ts";
import {
  findMessage,
  findThread,
  type MessageDoc,
  patchThread,
  patchWriting,
  type Pending,
  presentMessage,
} from "./store.ts";
import { talkWith, type Wishes } from "./answering/talking.ts";
import { titleOf } from "./titles.ts";
import { findStretches, widenPassage } from "./answering/stretches.ts";

export const ANSWER = "tutor";

/**
 * How often the answer is saved. Clients of this process receive words at once; after a crash the model is asked again.
 */
const KEEP_EVERY_MS = 1000;
/** Saves are aligned to these intervals so that concurrent answers share a commit. */
const MOMENT_MS = 100;
const FOUND_FOR_BUILTIN = 40;
const FOUND_FOR_MODEL = 14;
const MAX_TITLES = 3;

type AnswerEnd =
  | { type: "error"; code: Failure["code"]; message: string }
  | { type: "done"; message: Message; title: string };

class AnswerRun {
  readonly #deps: Deps;
  readonly #run: JobRun;
  readonly #own: Own;
  readonly #input: AnswerInput;
  #answer: GrowingAnswer;
  #pending: Pending | null = null;
  #model: string | null = null;
  #grounds: readonly Ground[] = [];
  /** Events that are not saved yet. */
  #unkept: LiveEvent[] = [];
  /** The partial answer of the previous run, until this one writes something. */
  #before: Kept | undefined;
  readonly #end = new AbortController();

  constructor(deps: Deps, run: JobRun) {
    this.#deps = deps;
    this.#run = run;
    this.#own = ownedBy(deps.store, run.job.ownerId);
    this.#input = run.job.input as AnswerInput;
    this.#answer = new GrowingAnswer([], (event) => this.#hear(event));
  }

  async work(): Promise<void> {
    const question = await findMessage(this.#own, this.#input.messageId);
    if (!question) return;
    const keeping = this.#keepOnAndOn();
    let trouble: Failure | undefined;
    try {
      // A run after a crash starts over: its first word replaces the previous partial answer.
      if (this.#run.job.lastSeq > 0) this.#before = await keptAnswer(this.#deps.jobs, this.#run.job, this.#run.signal);
      await this.#compose(question);
    } catch (error) {
      trouble = await this.#troubleOf(error);
    } finally {
      this.#end.abort();
    }
    try {
      if (this.#run.signal.aborted && !(await this.#isCancelled())) return;
      await this.#conclude(question, trouble);
    } finally {
      await keeping;
      liveAnswers.end(this.#run.job._id);
    }
  }

  #hear(event: LiveEvent): void {
    if (this.#before && !isNewBeginning(event)) {
      this.#before = undefined;
      this.#hear({ type: "text", at: 0, text: "" });
    }
    const last = this.#unkept.at(-1);
    if (event.type === "text" && last?.type === "text" && last.at + last.text.length === event.at)
      this.#unkept[this.#unkept.length - 1] = { ...last, text: last.text + event.text };
    else this.#unkept.push(event);
    liveAnswers.tell(this.#run.job._id, event);
  }

  async #keepOnAndOn(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      const waitMs = KEEP_EVERY_MS - (performance.now() % MOMENT_MS);
      await pause(waitMs, undefined, { ref: false, signal }).catch(() => undefined);
      await this.#keep().catch((error: unknown) => {
        // A cancelled or lost run may no longer write; it is finalised elsewhere.
        if (!this.#run.signal.aborted) this.#deps.log.error({ err: error }, "an answer could not be saved");
      });
    }
  }

  /** Saves the pending events, followed by `end`. */
  async #keep(end: readonly AnswerEnd[] = []): Promise<void> {
    const events = [...this.#unkept, ...end];
    this.#unkept = [];
    // Each save includes a checkpoint, so that a resumed run continues the numbering.
    if (events.length > 0) await this.#run.emit(events, { length: this.#answer.text.length });
  }

  async #troubleOf(error: unknown): Promise<Failure | undefined> {
    if (this.#run.signal.aborted) return undefined;
    if (error instanceof Failure) return error;
    this.#deps.log.error({ err: error, jobId: this.#run.job._id }, "an answer broke");
    return new Failure("broken", "server_broken");
  }

  async #isCancelled(): Promise<boolean> {
    const { ownerId, _id } = this.#run.job;
    return (await this.#deps.jobs.get(ownerId, _id))?.status === "cancelled";
  }

  async #compose(question: MessageDoc): Promise<void> {
    const { models } = this.#deps;
    const [model, said, preferences] = await Promise.all([
      models.choose(this.#input.model ?? undefined),
      conversationBefore(this.#own, question),
      preferencesOf(this.#own),
    ]);
    if (!model) throw new Failure("model_unavailable", "model_gone");
    this.#model = model.info.id;
    const maxWords = preferences.conversation.max_words;
    if (model.talk) await this.#talk(model, { question, said, wishes: { ...preferences.assistant, maxWords } });
    else await this.#answerAlone(model, { question, said, maxWords });
  }

  async #find(question: MessageDoc, said: readonly Said[], limit: number): Promise<FoundGrounds> {
    const pending = question.mode === "quiz" ? said.at(-1)?.message.pending : undefined;
    const found = await findGrounds(
      { ...this.#deps, own: this.#own },
      {
        text: pending?.topic ?? question.text,
        selection: question.selection,
        ground: question.ground,
        before: said.findLast(({ message }) => message.role === "user")?.message.text,
        mayReadAnything: question.mode === "quiz",
      },
      limit,
    );
    this.#begin(found.grounds);
    return found;
  }

  #begin(grounds: readonly Ground[]): GrowingAnswer {
    this.#grounds = grounds;
    this.#answer = new GrowingAnswer(grounds, (event) => this.#hear(event));
    return this.#answer;
  }

  /** The built-in engine answers only with sentences of the sources and with known facts. */
  async #answerAlone(
    model: Model,
    { question, said, maxWords }: { question: MessageDoc; said: readonly Said[]; maxWords: number },
  ): Promise<void> {
    if (question.mode === "plan") {
      this.#answer.write(await describeWeek(this.#own, this.#deps.clock.now()));
      return;
    }
    const found = await this.#find(question, said, FOUND_FOR_BUILTIN);
    const pending = said.at(-1)?.message.pending ?? null;
    const topic = pending?.topic ?? question.text;
    const turn = { given: question.text, topic, pending, model, signal: this.#run.signal };
    if (question.mode === "quiz") this.#pending = (await quiz(this.#answer, found, turn)) ?? null;
    else if (question.mode === "socratic") this.#pending = (await lead(this.#answer, found, turn)) ?? null;
    else {
      const asked = `${question.text} ${question.selection?.text ?? ""}`;
      const stretches = await findStretches(this.#deps.index, this.#own.ownerId, found.grounds, asked);
      explain(this.#answer, { sources: found.sources, stretches, question: asked, maxWords });
    }
    this.#tellOfUnread(found);
  }

  async #talk(model: Model, context: { question: MessageDoc; said: readonly Said[]; wishes: Wishes }): Promise<void> {
    const { question } = context;
    const found = await this.#find(question, context.said, FOUND_FOR_MODEL);
    const begin = () => this.#begin(found.grounds);
    await talkWith(model, { deps: this.#deps, own: this.#own, signal: this.#run.signal, ...context, found, begin });
    this.#tellOfUnread(found);
    this.#deps.log.info({ model: model.info.id, dropped: this.#answer.dropped }, "the tutor answered");
  }

  #tellOfUnread({ unread }: FoundGrounds): void {
    if (unread.length === 0) return;
    const titles = unread.slice(0, MAX_TITLES).map(({ title }) => title.replaceAll(/[[\]*_`<>]/g, ""));
    this.#answer.write(`\n\n${wordings.unread(titles, unread.length - titles.length)}`);
  }

  async #conclude(question: MessageDoc, trouble: Failure | undefined): Promise<void> {
    const wasStopped = this.#run.signal.aborted;
    // If starting over produced nothing, keep the partial answer from before the crash.
    const { text, citations } = this.#before ?? { text: this.#answer.text, citations: await this.#citations() };
    const gotNothing = text.trim() === "";
    const status: Message["status"] = wasStopped ? "stopped" : trouble ? "failed" : "done";
    const isDone = status === "done";
    const followUps = isDone ? proposeFollowUps(question, this.#grounds, citations) : [];
    const error = trouble?.message ?? null;
    const end = {
      text,
      citations,
      followUps,
      status,
      error,
      ...(trouble ? { errorReason: trouble.ref() } : {}),
      pending: this.#pending,
      model: this.#model,
    };
    const message = await patchWriting(this.#own, this.#input.answerId, end);
    if (message && gotNothing) await giveBack(this.#own, this.#input.counted);
    if (wasStopped || !message) return;
    const title = await this.#nameThread(question);
    if (trouble) {
      await this.#keep([{ type: "error", ...trouble.told() }]);
      throw trouble;
    }
    await this.#keep([{ type: "done", message: presentMessage(message), title }]);
  }

  /** Widens the cited passages; without the index the narrow ones are used. */
  #citations(): Promise<AnswerCitation[]> {
    const { index, log } = this.#deps;
    const wide = this.#answer.widened((ground) => widenPassage(index, this.#own.ownerId, ground));
    return wide.catch((error: unknown) => {
      log.warn({ err: error }, "citations could not be widened");
      return this.#answer.citations;
    });
  }

  /** Until it is named, the thread's title is the beginning of the question. */
  async #nameThread(question: MessageDoc): Promise<string> {
    const { threadId } = this.#input;
    const thread = await findThread(this.#own, threadId);
    if (!thread) return "";
    const title = thread.title || titleOf(question.text);
    await patchThread(this.#own, threadId, { title, updatedAt: this.#deps.clock.now() });
    return title;
  }
}

export const writeAnswer = (deps: Deps, run: JobRun): Promise<void> => new AnswerRun(deps, run).work();
