import { Failure } from "#shared/contract/failure.ts";
import type { AnswerCitation, Message, SuggestedCard } from "#shared/tutor/schema.ts";
import { isEmptyAnswer, textOfPart } from "#shared/tutor/message-parts.ts";
import { findRequest, type TutorRequest } from "#shared/tutor/requests.ts";
import type { Model } from "#api/ai/port.ts";
import type { Deps } from "#api/http/handler.ts";
import type { JobRun } from "#api/jobs/jobs-port.ts";
import { ownedBy, type Own } from "#api/store/owned-store.ts";
import { refundUsage, getPreferences } from "#api/user/service.ts";
import { type RetrievedPassage, AnswerBuilder } from "./answering/answer-builder.ts";
import type { AnswerInput } from "./answering/answer-input.ts";
import { writeExplanation, writeSocraticTurn, writeQuizTurn } from "./answering/builtin-answers.ts";
import { retrievePassages, type RetrievalResult } from "./answering/retrieve.ts";
import { withoutDerivedCards } from "./answering/derived-cards.ts";
import { writeCards } from "./answering/card-request.ts";
import { readConversationBefore, type ConversationTurn } from "./conversation-history.ts";
import { type PartialAnswer, replayAnswerLog } from "./answering/replay-answer-log.ts";
import { isRestart, type LiveEvent, liveAnswers, restart } from "./live-answers.ts";
import { AnswerLog } from "./answer-log.ts";
import { countAnswer, type EndedAnswer } from "./count-answer.ts";
import { proposeFollowUps } from "./answering/follow-ups.ts";
import { describeDueWeek } from "./describe-due-week.ts";
import {
  findMessage,
  findThread,
  type MessageDoc,
  patchThread,
  patchWritingMessage,
  type PendingQuestion,
  presentMessage,
} from "./store.ts";
import {
  countSummaryWords,
  findLastQuestion,
  findSummarisedQuestion,
  quotesToSummarise,
} from "./answering/summarised-answer.ts";
import { writeModelAnswer, type AnswerOptions } from "./answering/model-answer.ts";
import { writeUnreadNotice } from "./answering/unread-notice.ts";
import { titleFromQuestion } from "./title-from-question.ts";
import { findPartWindows, readContextText } from "./answering/context-windows.ts";

export const ANSWER_JOB = "tutor";

const BUILTIN_PASSAGE_LIMIT = 80;
const MODEL_PASSAGE_LIMIT = 14;

function finalStatus(wasStopped: boolean, failure: Failure | undefined): Message["status"] {
  if (wasStopped) return "stopped";
  return failure ? "failed" : "done";
}

interface BuiltInContext {
  question: MessageDoc;
  turns: readonly ConversationTurn[];
  maxWords: number;
}

class AnswerRun {
  readonly #deps: Deps;
  readonly #run: JobRun;
  readonly #own: Own;
  readonly #input: AnswerInput;
  #answer: AnswerBuilder;
  #pending: PendingQuestion | null = null;
  #model: string | null = null;
  #request: TutorRequest | undefined;
  #cards: SuggestedCard[] = [];
  #hits: readonly RetrievedPassage[] = [];
  readonly #log: AnswerLog;
  /** The partial answer of the previous run, until this one writes something. */
  #previousAnswer: PartialAnswer | undefined;
  readonly #end = new AbortController();

  constructor(deps: Deps, run: JobRun) {
    this.#deps = deps;
    this.#run = run;
    this.#own = ownedBy(deps.store, run.job.ownerId);
    this.#input = run.job.input as AnswerInput;
    this.#log = new AnswerLog(run, deps.log, () => this.#answer.text.length);
    this.#answer = new AnswerBuilder([], (event) => this.#addEvent(event));
  }

  async work(): Promise<void> {
    const stored = await findMessage(this.#own, this.#input.messageId);
    if (!stored) return;
    const question = this.#withRequestedMode(stored);
    const saving = this.#log.savePeriodically(this.#end.signal);
    let failure: Failure | undefined;
    try {
      // A run after a crash starts over: its first word replaces the previous partial answer.
      if (this.#run.job.lastSeq > 0)
        this.#previousAnswer = await replayAnswerLog(this.#deps.jobs, this.#run.job, this.#run.signal);
      await this.#compose(question);
    } catch (error) {
      failure = await this.#toFailure(error);
    } finally {
      this.#end.abort();
    }
    try {
      if (this.#run.signal.aborted && !(await this.#isCancelled())) return;
      await this.#finish(question, failure);
    } finally {
      await saving;
      liveAnswers.end(this.#run.job._id);
    }
  }

  /** "Quiz me" starts a quiz, whatever mode was chosen. */
  #withRequestedMode(question: MessageDoc): MessageDoc {
    if (question.mode !== "explain" && question.mode !== "quiz") return question;
    const request = findRequest(question.text);
    // An answer in a quiz may read like a request for something else.
    if (question.mode === "quiz" && request?.kind !== "quiz") return question;
    this.#request = request;
    return this.#request?.kind === "quiz" ? { ...question, mode: "quiz" } : question;
  }

  #addEvent(event: LiveEvent): void {
    if (this.#previousAnswer && !isRestart(event)) {
      this.#previousAnswer = undefined;
      this.#addEvent(restart);
    }
    this.#log.add(event);
  }

  async #toFailure(error: unknown): Promise<Failure | undefined> {
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
    const [model, turns, preferences] = await Promise.all([
      models.choose(this.#input.model ?? undefined),
      readConversationBefore(this.#own, question),
      getPreferences(this.#own),
    ]);
    if (!model) throw new Failure("model_unavailable", "model_gone");
    this.#model = model.info.id;
    const maxWords = preferences.conversation.max_words;
    if (this.#request?.kind === "cards") await this.#proposeCards(model, this.#request, { question, turns });
    else if (model.chat)
      await this.#answerWithModel(model, { question, turns, options: { ...preferences.assistant, maxWords } });
    else await this.#answerBuiltIn(model, { question, turns, maxWords });
  }

  async #proposeCards(
    model: Model,
    { count, topic }: Extract<TutorRequest, { kind: "cards" }>,
    { question, turns }: { question: MessageDoc; turns: readonly ConversationTurn[] },
  ): Promise<void> {
    const found = await this.#retrieve({ ...question, text: topic }, turns, BUILTIN_PASSAGE_LIMIT);
    const { ownerId } = this.#own;
    const { signal } = this.#run;
    this.#cards = await writeCards(this.#answer, {
      model,
      found,
      count,
      topic: topic || found.question,
      ownerId,
      signal,
    });
    writeUnreadNotice(this.#answer, found);
  }

  async #retrieve(question: MessageDoc, turns: readonly ConversationTurn[], limit: number): Promise<RetrievalResult> {
    const pending = question.mode === "quiz" ? turns.at(-1)?.message.pending : undefined;
    const isSummary = this.#request?.kind === "summary" && this.#request.topic === "";
    const found = await retrievePassages(
      { ...this.#deps, own: this.#own },
      {
        // The words of the request are not searched for.
        text: isSummary ? "" : (this.#readTopic(pending) ?? question.text),
        selection: question.selection,
        scope: question.ground,
        previousQuestion: isSummary ? findSummarisedQuestion(question, turns) : findLastQuestion(turns),
        mayReadAnything: this.#asksCards(question),
      },
      limit,
    );
    this.#startAnswer(found.passages);
    return found;
  }

  /** Whether cards are part of the task itself: a quiz asks them, and new cards must differ from them. */
  #asksCards({ mode }: MessageDoc): boolean {
    return mode === "quiz" || this.#request?.kind === "cards";
  }

  /** The topic of the running quiz, unless the student asks for another one: "Quiz me on introns". */
  #readTopic(pending: MessageDoc["pending"] | undefined): string | undefined {
    const isNew = this.#request?.kind === "quiz" && this.#request.topic !== "";
    return isNew ? undefined : pending?.topic;
  }

  #startAnswer(hits: readonly RetrievedPassage[]): AnswerBuilder {
    this.#hits = hits;
    this.#answer = new AnswerBuilder(hits, (event) => this.#addEvent(event));
    return this.#answer;
  }

  /** The built-in engine answers only with sentences of the sources and with known facts. */
  async #answerBuiltIn(model: Model, { question, turns, maxWords }: BuiltInContext): Promise<void> {
    if (question.mode === "plan") {
      this.#answer.write(...(await describeDueWeek(this.#own, this.#deps.clock.now())));
      return;
    }
    const found = await this.#retrieve(question, turns, BUILTIN_PASSAGE_LIMIT);
    const pending = turns.at(-1)?.message.pending ?? null;
    const topic = this.#readTopic(pending) ?? found.question;
    const isRequest = this.#request?.kind === "quiz";
    const quizTurn = { studentAnswer: question.text, isRequest, topic, pending, model, signal: this.#run.signal };
    if (question.mode === "quiz") this.#pending = (await writeQuizTurn(this.#answer, found, quizTurn)) ?? null;
    else if (question.mode === "socratic")
      this.#pending = (await writeSocraticTurn(this.#answer, found, quizTurn)) ?? null;
    else await this.#explain(found, { question, turns, maxWords });
    writeUnreadNotice(this.#answer, found);
  }

  async #explain(found: RetrievalResult, { question, turns, maxWords }: BuiltInContext): Promise<void> {
    const quoted = quotesToSummarise(question, turns, found.passages);
    const windows = quoted ? [quoted] : await findPartWindows(this.#deps.index, this.#own.ownerId, found);
    writeExplanation(this.#answer, {
      found,
      windows,
      selection: question.selection,
      maxWords: quoted ? countSummaryWords(quoted) : maxWords,
      isSummary: this.#request?.kind === "summary",
    });
  }

  async #answerWithModel(
    model: Model,
    context: { question: MessageDoc; turns: readonly ConversationTurn[]; options: AnswerOptions },
  ): Promise<void> {
    const { question } = context;
    const retrieved = await this.#retrieve(question, context.turns, MODEL_PASSAGE_LIMIT);
    const found = this.#asksCards(question)
      ? retrieved
      : { ...retrieved, passages: withoutDerivedCards(retrieved.passages) };
    const startAnswer = () => this.#startAnswer(found.passages);
    await writeModelAnswer(model, {
      deps: this.#deps,
      own: this.#own,
      signal: this.#run.signal,
      ...context,
      found,
      startAnswer,
    });
    writeUnreadNotice(this.#answer, found);
    this.#deps.log.info({ model: model.info.id, dropped: this.#answer.dropped }, "the tutor answered");
  }

  async #finish(question: MessageDoc, failure: Failure | undefined): Promise<void> {
    const wasStopped = this.#run.signal.aborted;
    // If starting over produced nothing, keep the partial answer from before the crash.
    const { text, parts, citations } = this.#previousAnswer ?? {
      text: this.#answer.text,
      parts: this.#answer.parts,
      citations: await this.#citations(),
    };
    const isEmpty = isEmptyAnswer({ text, parts });
    const status = finalStatus(wasStopped, failure);
    const isDone = status === "done";
    const followUpParts = isDone ? proposeFollowUps(question, this.#hits, citations) : [];
    const error = failure?.message ?? null;
    const end = {
      text,
      parts,
      citations,
      followUps: followUpParts.map(textOfPart),
      followUpParts,
      ...(this.#cards.length > 0 && { cards: this.#cards }),
      mode: question.mode,
      status,
      error,
      ...(failure ? { errorReason: failure.ref() } : {}),
      pending: this.#pending,
      model: this.#model,
    };
    await this.#count(end, isEmpty);
    const message = await patchWritingMessage(this.#own, this.#input.answerId, end);
    if (message && isEmpty) await refundUsage(this.#own, this.#input.chargedUsage);
    if (wasStopped || !message) return;
    const title = await this.#updateThread(question);
    if (failure) {
      await this.#log.save([{ type: "error", ...failure.toEventFields() }]);
      throw failure;
    }
    await this.#log.save([{ type: "done", message: presentMessage(message), title }]);
  }

  #count(end: EndedAnswer, isEmpty: boolean): Promise<void> {
    const cited = { verified: end.citations.length, dropped: 0 };
    const { verified, dropped } = this.#previousAnswer ? cited : this.#answer;
    const counts = { answerId: this.#input.answerId, verified, dropped, passages: this.#hits.length, isEmpty };
    return countAnswer(this.#own, this.#deps.clock.now(), end, counts);
  }

  /** Adds the context of the cited passages; if the index fails, the passages are cited without context. */
  #citations(): Promise<AnswerCitation[]> {
    const { index, log } = this.#deps;
    const widened = this.#answer.withContext((hit) => readContextText(index, this.#own.ownerId, hit));
    return widened.catch((error: unknown) => {
      log.warn({ err: error }, "citations could not be widened");
      return this.#answer.citations;
    });
  }

  /** A thread without a name gets the beginning of the question as its title. */
  async #updateThread(question: MessageDoc): Promise<string> {
    const { threadId } = this.#input;
    const thread = await findThread(this.#own, threadId);
    if (!thread) return "";
    const title = thread.title || titleFromQuestion(question.text);
    const { mode } = question;
    await patchThread(this.#own, threadId, { title, mode, updatedAt: this.#deps.clock.now() });
    return title;
  }
}

export const writeAnswer = (deps: Deps, run: JobRun): Promise<void> => new AnswerRun(deps, run).work();
