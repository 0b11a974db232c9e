import { atom, type PrimitiveAtom } from "jotai/vanilla";
import { ulid } from "ulid";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { findLeaf } from "#shared/tutor/branches.ts";
import { applyTextEvent, isEmptyAnswer } from "#shared/tutor/message-parts.ts";
import type { AnswerEvent, Message } from "#shared/tutor/schema.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import { loadUsage } from "#webapp/user/usage.ts";
import {
  emptyConversation,
  type QuestionIds,
  type Question,
  type ConversationSnapshot,
} from "./conversation-snapshot.ts";
import { askAboutChanges } from "./ask-about-changes.ts";
import { countQuestion, isTransient, loadThreads, modelAtom, nameThread } from "./state.ts";

const MIN_RETRY_DELAY_MS = 1000;
const MAX_RETRY_DELAY_MS = 10_000;

/** The state of one conversation, shared by the chat screen and the tutor panel. */
export class Conversation {
  readonly atom: PrimitiveAtom<ConversationSnapshot> = atom<ConversationSnapshot>(emptyConversation);
  #notifyThreadChange: (threadId: string | null) => void = () => undefined;
  #generation = 0;
  #loading: Promise<unknown> = Promise.resolve();
  /**
   * A question that may have reached the server although no answer came back. Asking it again reuses its ids, so it is
   * not counted twice.
   */
  #unconfirmed: { key: string; ids: QuestionIds } | undefined;
  /** The answer whose stop was requested before the server had created it. */
  #pendingStopId: string | undefined;

  get snapshot(): ConversationSnapshot {
    return store.get(this.atom);
  }

  #set(change: Partial<ConversationSnapshot>): void {
    store.set(this.atom, (snapshot) => ({ ...snapshot, ...change }));
  }

  /** Registers the listener for changes of the shown thread; null stands for a new thread. */
  onThreadChange(listener: (threadId: string | null) => void): void {
    this.#notifyThreadChange = listener;
  }

  /** Stops following; the server continues to write the answer. */
  stopFollowing(): void {
    this.#generation += 1;
  }

  startNew(): void {
    this.stopFollowing();
    store.set(this.atom, emptyConversation);
    this.#notifyThreadChange(null);
  }

  /** Shows a thread, and resumes an answer that is still being written. */
  async open(threadId: string): Promise<void> {
    this.stopFollowing();
    store.set(this.atom, { ...emptyConversation, threadId, state: "loading" });
    const loaded = this.#load(threadId, this.#generation);
    this.#loading = loaded;
    const writingAnswerId = await loaded;
    if (writingAnswerId !== undefined) await this.#followAnswer(writingAnswerId, undefined);
  }

  /** Resolves to the id of the answer that is still being written, if any. */
  async #load(threadId: string, generation: number): Promise<string | undefined> {
    try {
      const { thread, messages } = await client.tutor.getThread({ threadId });
      if (generation !== this.#generation) return undefined;
      const { mode, ground, head } = thread;
      this.#set({
        state: "ready",
        messages,
        head: head ?? messages.at(-1)?._id ?? null,
        lastSettings: { mode, ground },
      });
      return messages.find(({ status }) => status === "writing")?._id;
    } catch (error) {
      if (generation !== this.#generation) return undefined;
      const isMissing = error instanceof Failure && error.code === "not_found";
      if (!isMissing) logWarning("Could not load a conversation", error);
      this.#set({ state: isMissing ? "missing" : "failed" });
      return undefined;
    }
  }

  /** Waits until the thread is loaded. If it cannot take a question, the question returns to the composer. */
  async #waitUntilReady({ text, selection }: Question): Promise<boolean> {
    await this.#loading;
    const { state, answering } = this.snapshot;
    if (state === "ready" && !answering) return true;
    const message = t(answering ? "tutor.writing" : state === "missing" ? "tutor.missing" : "tutor.failed");
    this.#set({ refusal: { message, isLimit: false, text, selection } });
    return false;
  }

  /** Asks a new question at the end, or as another version of `instead`. */
  async ask(question: Question, instead?: Message): Promise<void> {
    if (this.snapshot.state !== "ready" && !(await this.#waitUntilReady(question))) return;
    if (this.snapshot.answering) return;
    const parent = instead ? instead.parent : this.snapshot.head;
    const key = JSON.stringify([this.snapshot.threadId, parent, question, store.get(modelAtom)]);
    const newIds = { threadId: this.snapshot.threadId ?? ulid(), messageId: ulid(), answerId: ulid() };
    const ids = this.#unconfirmed?.key === key ? this.#unconfirmed.ids : newIds;
    this.#unconfirmed = { key, ids };
    const { threadId, messageId, answerId } = ids;
    const draft = this.#createDraft(threadId, question);
    const message = { ...draft, _id: messageId, role: "user" as const, parent, text: question.text };
    await this.#startAnswer(message, { ...question, threadId, messageId, parent }, answerId);
  }

  /** Regenerates the answer to the same question. */
  async regenerate(message: Message): Promise<void> {
    const { threadId } = this.snapshot;
    const question = this.snapshot.messages.find(({ _id }) => _id === message.parent);
    if (!question || threadId === null || this.snapshot.answering) return;
    const { mode, ground, selection } = question;
    await this.#startAnswer(undefined, { threadId, messageId: question._id, parent: null, mode, ground, selection });
  }

  async stop(): Promise<void> {
    const { answering } = this.snapshot;
    if (!answering) return;
    try {
      this.#replaceMessage(await client.tutor.stopAnswer({ answerId: answering.answerId }));
      // The stream may have reported the end earlier, and another answer may have begun.
      if (this.snapshot.answering?.answerId !== answering.answerId) return;
      this.#set({ answering: null });
      this.stopFollowing();
    } catch (error) {
      // Stop was pressed before the server had the question, so it is retried once the question is accepted.
      if (error instanceof Failure && error.code === "not_found") this.#pendingStopId = answering.answerId;
      else this.#notifyStopFailed(error);
    }
  }

  #notifyStopFailed(error: unknown): void {
    logWarning("Could not stop an answer", error);
    const message = toFailureMessage(error)?.message;
    if (message !== undefined) notify({ message, type: "error" });
  }

  /** Shows another version of a message and the messages that follow it. */
  showVersion(message: Message): void {
    const head = findLeaf(this.snapshot.messages, message._id);
    this.#set({ head });
    const { threadId } = this.snapshot;
    if (threadId === null) return;
    client.tutor.changeThread({ threadId, head }).catch((error: unknown) => {
      logWarning("Could not save which version is shown", error);
    });
  }

  #createDraft(
    threadId: string,
    { mode, ground, selection }: Omit<Question, "text">,
  ): Omit<Message, "_id" | "role" | "parent"> {
    return {
      threadId,
      text: "",
      citations: [],
      followUps: [],
      status: "done",
      error: null,
      mode,
      ground,
      selection,
      model: null,
      createdAt: Date.now(),
    };
  }

  async #startAnswer(
    question: Message | undefined,
    input: Omit<Question, "text"> & { threadId: string; messageId: string; parent: string | null; text?: string },
    answerId = ulid(),
  ): Promise<void> {
    const before = this.snapshot;
    const draft = this.#createDraft(input.threadId, input);
    const answer: Message = { ...draft, _id: answerId, role: "assistant", parent: input.messageId, status: "writing" };
    const messages = [...before.messages, ...(question ? [question] : []), answer];
    this.stopFollowing();
    this.#set({ threadId: input.threadId, messages, head: answerId, refusal: null });
    countQuestion(1);
    const model = store.get(modelAtom);
    const request = { ...input, answerId, ...(model === null ? {} : { model }) };
    const isAccepted = await this.#followAnswer(answerId, () => askAboutChanges(request));
    if (!isAccepted) return this.#rollBack(before, question);
    // The student may have opened another conversation while the answer was being written.
    const isShown = this.snapshot.threadId === input.threadId;
    if (before.threadId === null && isShown) this.#notifyThreadChange(input.threadId);
  }

  #rollBack(before: ConversationSnapshot, question: Message | undefined): void {
    countQuestion(-1);
    const { refusal } = this.snapshot;
    const words = refusal ?? { message: t("failures.other"), isLimit: false };
    const { text = "", selection = null } = question ?? {};
    store.set(this.atom, { ...before, answering: null, refusal: { ...words, text, selection } });
  }

  /**
   * Follows an answer to its end and reconnects with exponential backoff. Resolves to false if the question was
   * refused. `begin` sends the question; once it has started (or without it), the events of the existing answer are
   * read.
   */
  async #followAnswer(answerId: string, begin: (() => AsyncIterable<AnswerEvent>) | undefined): Promise<boolean> {
    this.stopFollowing();
    const generation = this.#generation;
    this.#set({ answering: { answerId, stage: "reading" } });
    let waitMs = MIN_RETRY_DELAY_MS;
    let hasStarted = begin === undefined;
    while (generation === this.#generation) {
      const outcome = await this.#readEvents({ answerId, generation }, hasStarted ? undefined : begin);
      if (outcome.isAccepted !== undefined) return outcome.isAccepted;
      waitMs = outcome.hasStarted && !hasStarted ? MIN_RETRY_DELAY_MS : waitMs;
      hasStarted ||= outcome.hasStarted;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      waitMs = Math.min(waitMs * 2, MAX_RETRY_DELAY_MS);
    }
    return true;
  }

  /** `isAccepted` is set when there is nothing more to read: whether the question was accepted. */
  async #readEvents(
    { answerId, generation }: { answerId: string; generation: number },
    begin: (() => AsyncIterable<AnswerEvent>) | undefined,
  ): Promise<{ isAccepted?: boolean; hasStarted: boolean }> {
    let hasStarted = begin === undefined;
    try {
      for await (const event of begin ? begin() : client.tutor.followAnswer({ answerId })) {
        if (generation !== this.#generation) return { isAccepted: true, hasStarted };
        if (!hasStarted) void this.#handleAccepted(answerId);
        hasStarted = true;
        if (this.#applyEvent(answerId, event)) return { isAccepted: true, hasStarted };
      }
    } catch (error) {
      if (generation !== this.#generation) return { isAccepted: true, hasStarted };
      if (!hasStarted || !isTransient(error))
        return { isAccepted: this.#handleFailure(answerId, error, hasStarted), hasStarted };
      this.#set({ answering: { answerId, stage: "cut" } });
    }
    return { hasStarted };
  }

  async #handleAccepted(answerId: string): Promise<void> {
    this.#unconfirmed = undefined;
    if (this.#pendingStopId === answerId) void this.stop();
    this.#notifyThreadChange(this.snapshot.threadId);
    await loadThreads();
  }

  #handleFailure(answerId: string, error: unknown, hasStarted: boolean): boolean {
    const message = toFailureMessage(error)?.message ?? t("failures.other");
    if (hasStarted) {
      this.#updateMessage(answerId, { status: "failed", error: message });
      this.#set({ answering: null });
      return true;
    }
    if (!isTransient(error)) this.#unconfirmed = undefined;
    const isLimit = error instanceof Failure && error.code === "limit_reached";
    if (isLimit) void loadUsage();
    this.#set({ answering: null, refusal: { message, text: "", isLimit } });
    return false;
  }

  /** Returns true when the answer has ended. */
  #applyEvent(answerId: string, event: AnswerEvent): boolean {
    switch (event.type) {
      case "started":
      case "reading":
        return false;
      case "text":
      case "citation":
        this.#appendToAnswer(answerId, event);
        return false;
      case "done":
        this.#replaceMessage(event.message);
        this.#set({ answering: null, ...this.#settingsAfter(event.message) });
        // Reloads the usage, because the server does not count an answer that found nothing.
        if (isEmptyAnswer(event.message)) void loadUsage();
        this.#nameNewThread();
        return true;
      case "error":
        this.#handleErrorEvent(answerId, event);
        return true;
      default:
        return event satisfies never;
    }
  }

  /** If the tutor changed the mode, for example after "quiz me", the next question uses the new mode too. */
  #settingsAfter({ mode, ground, parent }: Message): Pick<ConversationSnapshot, "lastSettings"> | undefined {
    const question = this.snapshot.messages.find(({ _id }) => _id === parent);
    return question === undefined || question.mode === mode ? undefined : { lastSettings: { mode, ground } };
  }

  #appendToAnswer(answerId: string, event: Extract<AnswerEvent, { type: "text" | "citation" }>): void {
    const current = this.snapshot.messages.find(({ _id }) => _id === answerId);
    if (event.type === "text") {
      this.#updateMessage(answerId, applyTextEvent(current ?? { text: "" }, event));
      if (this.snapshot.answering?.stage !== "writing") this.#set({ answering: { answerId, stage: "writing" } });
      return;
    }
    const otherCitations = current?.citations.filter(({ n }) => n !== event.citation.n) ?? [];
    this.#updateMessage(answerId, { citations: [...otherCitations, event.citation] });
  }

  #handleErrorEvent(answerId: string, event: Extract<AnswerEvent, { type: "error" }>): void {
    const isStopped = event.code === "cancelled";
    this.#updateMessage(answerId, {
      status: isStopped ? "stopped" : "failed",
      error: isStopped ? null : event.message,
    });
    this.#set({ answering: null });
    // Reloads the usage, because the server does not count an answer that stayed empty.
    void loadUsage();
  }

  #nameNewThread(): void {
    const { threadId, messages } = this.snapshot;
    if (threadId !== null && messages.length >= 2) void nameThread(threadId);
  }

  #updateMessage(messageId: string, change: Partial<Message>): void {
    const messages = this.snapshot.messages.map((message) =>
      message._id === messageId ? { ...message, ...change } : message,
    );
    this.#set({ messages });
  }

  #replaceMessage(message: Message): void {
    this.#updateMessage(message._id, message);
  }
}
