import { atom, type PrimitiveAtom } from "jotai/vanilla";
import { ulid } from "ulid";
import { friendlyFailure } from "#shared/client/failures.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { leafBelow } from "#shared/tutor/branches.ts";
import type { AnswerEvent, Message } from "#shared/tutor/schema.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import { loadUsage } from "#webapp/user/usage.ts";
import { fresh, type Ids, type Question, type Talk } from "./talk.ts";
import { countQuestion, isPassing, loadThreads, modelAtom, nameThread } from "./state.ts";

const RETRY_FIRST_MS = 1000;
const RETRY_LONGEST_MS = 10_000;

/** The state of one conversation, shared by the chat screen and the tutor panel. */
export class Conversation {
  readonly atom: PrimitiveAtom<Talk> = atom<Talk>(fresh);
  #tellThread: (threadId: string | null) => void = () => undefined;
  #turn = 0;
  #loaded: Promise<unknown> = Promise.resolve();
  /**
   * A question that may have reached the server although no answer came back. Asking it again reuses its ids, so it is
   * not counted twice.
   */
  #unsure: { key: string; ids: Ids } | undefined;
  /** The answer whose stop was requested before the server had created it. */
  #stopsAtOnce: string | undefined;

  get talk(): Talk {
    return store.get(this.atom);
  }

  #set(change: Partial<Talk>): void {
    store.set(this.atom, (talk) => ({ ...talk, ...change }));
  }

  /** Registers the listener for the shown thread; null stands for a new one. */
  tellThreadTo(listener: (threadId: string | null) => void): void {
    this.#tellThread = listener;
  }

  /** Stops following; the server continues to write the answer. */
  leave(): void {
    this.#turn += 1;
  }

  startNew(): void {
    this.leave();
    store.set(this.atom, fresh);
    this.#tellThread(null);
  }

  /** Shows a thread, and resumes an answer that is still being written. */
  async open(threadId: string): Promise<void> {
    this.leave();
    store.set(this.atom, { ...fresh, threadId, state: "loading" });
    const loaded = this.#load(threadId, this.#turn);
    this.#loaded = loaded;
    const writing = await loaded;
    if (writing !== undefined) await this.#follow(writing, undefined);
  }

  /** Resolves to the id of the answer that is still being written, if any. */
  async #load(threadId: string, turn: number): Promise<string | undefined> {
    try {
      const { thread, messages } = await client.tutor.getThread({ threadId });
      if (turn !== this.#turn) return undefined;
      const { mode, ground, head } = thread;
      this.#set({ state: "ready", messages, head: head ?? messages.at(-1)?._id ?? null, standing: { mode, ground } });
      return messages.find(({ status }) => status === "writing")?._id;
    } catch (error) {
      if (turn !== this.#turn) return undefined;
      const isMissing = error instanceof Failure && error.code === "not_found";
      if (!isMissing) logTrouble("Could not load a conversation", error);
      this.#set({ state: isMissing ? "missing" : "failed" });
      return undefined;
    }
  }

  /** Waits until the thread is loaded. If it cannot take a question, the text returns to the composer. */
  async #isHere(text: string): Promise<boolean> {
    await this.#loaded;
    const { state, answering } = this.talk;
    if (state === "ready" && !answering) return true;
    this.#set({ refusal: { message: t(answering ? "tutor.writing" : "tutor.failed"), isLimit: false, text } });
    return false;
  }

  /** Asks a new question at the end, or as another version of `instead`. */
  async ask(question: Question, instead?: Message): Promise<void> {
    if (this.talk.state === "loading" && !(await this.#isHere(question.text))) return;
    if (this.talk.answering) return;
    const parent = instead ? instead.parent : this.talk.head;
    const key = JSON.stringify([this.talk.threadId, parent, question, store.get(modelAtom)]);
    const anew = { threadId: this.talk.threadId ?? ulid(), messageId: ulid(), answerId: ulid() };
    const ids = this.#unsure?.key === key ? this.#unsure.ids : anew;
    this.#unsure = { key, ids };
    const { threadId, messageId, answerId } = ids;
    const draft = this.#draft(threadId, question);
    const message = { ...draft, _id: messageId, role: "user" as const, parent, text: question.text };
    await this.#begin(message, { ...question, threadId, messageId, parent }, answerId);
  }

  /** Regenerates the answer to the same question. */
  async askAgain(message: Message): Promise<void> {
    const { threadId } = this.talk;
    const question = this.talk.messages.find(({ _id }) => _id === message.parent);
    if (!question || threadId === null || this.talk.answering) return;
    const { mode, ground, selection } = question;
    await this.#begin(undefined, { threadId, messageId: question._id, parent: null, mode, ground, selection });
  }

  async stop(): Promise<void> {
    const { answering } = this.talk;
    if (!answering) return;
    try {
      this.#put(await client.tutor.stopAnswer({ answerId: answering.answerId }));
      this.#set({ answering: null });
      this.leave();
    } catch (error) {
      // Stop was pressed before the server had the question: retried once the question is accepted.
      if (error instanceof Failure && error.code === "not_found") this.#stopsAtOnce = answering.answerId;
      else this.#tellOf(error);
    }
  }

  #tellOf(error: unknown): void {
    logTrouble("Could not stop an answer", error);
    const message = friendlyFailure(error)?.message;
    if (message !== undefined) notify({ message, type: "error" });
  }

  /** Shows another version of a message and the messages that follow it. */
  show(message: Message): void {
    const head = leafBelow(this.talk.messages, message._id);
    this.#set({ head });
    const { threadId } = this.talk;
    if (threadId === null) return;
    client.tutor.changeThread({ threadId, head }).catch((error: unknown) => {
      logTrouble("Could not save which version is shown", error);
    });
  }

  #draft(
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

  async #begin(
    question: Message | undefined,
    asked: Omit<Question, "text"> & { threadId: string; messageId: string; parent: string | null; text?: string },
    answerId = ulid(),
  ): Promise<void> {
    const before = this.talk;
    const draft = this.#draft(asked.threadId, asked);
    const answer: Message = { ...draft, _id: answerId, role: "assistant", parent: asked.messageId, status: "writing" };
    const messages = [...before.messages, ...(question ? [question] : []), answer];
    this.leave();
    this.#set({ threadId: asked.threadId, messages, head: answerId, refusal: null });
    countQuestion(1);
    const model = store.get(modelAtom);
    const request = { ...asked, answerId, ...(model === null ? {} : { model }) };
    const isTaken = await this.#follow(answerId, () => client.tutor.ask(request));
    if (!isTaken) return this.#takeBack(before, question);
    if (before.threadId === null) this.#tellThread(asked.threadId);
  }

  #takeBack(before: Talk, question: Message | undefined): void {
    countQuestion(-1);
    const { refusal } = this.talk;
    const words = refusal ?? { message: t("failures.other"), isLimit: false };
    const { text = "", selection = null } = question ?? {};
    store.set(this.atom, { ...before, answering: null, refusal: { ...words, text, selection } });
  }

  /**
   * Follows an answer to its end and reconnects with exponential backoff. Resolves to false if the question was
   * refused. `begin` sends the question; once it has started (or without it), the events of the existing answer are
   * read.
   */
  async #follow(answerId: string, begin: (() => AsyncIterable<AnswerEvent>) | undefined): Promise<boolean> {
    this.leave();
    const turn = this.#turn;
    this.#set({ answering: { answerId, stage: "reading" } });
    let waitMs = RETRY_FIRST_MS;
    let hasBegun = begin === undefined;
    while (turn === this.#turn) {
      const outcome = await this.#readOnce({ answerId, turn }, hasBegun ? undefined : begin);
      if (outcome.end !== undefined) return outcome.end;
      waitMs = outcome.hasBegun && !hasBegun ? RETRY_FIRST_MS : waitMs;
      hasBegun ||= outcome.hasBegun;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      waitMs = Math.min(waitMs * 2, RETRY_LONGEST_MS);
    }
    return true;
  }

  /** `isAccepted` is set when there is nothing more to read: whether the question was accepted. */
  async #readOnce(
    { answerId, turn }: { answerId: string; turn: number },
    begin: (() => AsyncIterable<AnswerEvent>) | undefined,
  ): Promise<{ end?: boolean; hasBegun: boolean }> {
    let hasBegun = begin === undefined;
    try {
      for await (const event of begin ? begin() : client.tutor.followAnswer({ answerId })) {
        if (turn !== this.#turn) return { end: true, hasBegun };
        if (!hasBegun) void this.#wasTaken(answerId);
        hasBegun = true;
        if (this.#take(answerId, event)) return { end: true, hasBegun };
      }
    } catch (error) {
      if (turn !== this.#turn) return { end: true, hasBegun };
      if (!hasBegun || !isPassing(error)) return { end: this.#refused(answerId, error, hasBegun), hasBegun };
      this.#set({ answering: { answerId, stage: "cut" } });
    }
    return { hasBegun };
  }

  async #wasTaken(answerId: string): Promise<void> {
    this.#unsure = undefined;
    if (this.#stopsAtOnce === answerId) void this.stop();
    this.#tellThread(this.talk.threadId);
    await loadThreads();
  }

  #refused(answerId: string, error: unknown, hasBegun: boolean): boolean {
    const message = friendlyFailure(error)?.message ?? t("failures.other");
    if (hasBegun) {
      this.#change(answerId, { status: "failed", error: message });
      this.#set({ answering: null });
      return true;
    }
    if (!isPassing(error)) this.#unsure = undefined;
    const isLimit = error instanceof Failure && error.code === "limit_reached";
    if (isLimit) void loadUsage();
    this.#set({ answering: null, refusal: { message, text: "", isLimit } });
    return false;
  }

  /** Returns true when the answer has ended. */
  #take(answerId: string, event: AnswerEvent): boolean {
    switch (event.type) {
      case "started":
      case "reading":
        return false;
      case "text":
      case "citation":
        this.#grow(answerId, event);
        return false;
      case "done":
        this.#put(event.message);
        this.#set({ answering: null });
        this.#afterwards();
        return true;
      case "error":
        this.#endWith(answerId, event);
        return true;
      default:
        return event satisfies never;
    }
  }

  #grow(answerId: string, event: Extract<AnswerEvent, { type: "text" | "citation" }>): void {
    const held = this.talk.messages.find(({ _id }) => _id === answerId);
    if (event.type === "text") {
      this.#change(answerId, { text: (held?.text ?? "").slice(0, event.at) + event.text });
      if (this.talk.answering?.stage !== "writing") this.#set({ answering: { answerId, stage: "writing" } });
      return;
    }
    const others = held?.citations.filter(({ n }) => n !== event.citation.n) ?? [];
    this.#change(answerId, { citations: [...others, event.citation] });
  }

  #endWith(answerId: string, event: Extract<AnswerEvent, { type: "error" }>): void {
    const isStopped = event.code === "cancelled";
    this.#change(answerId, { status: isStopped ? "stopped" : "failed", error: isStopped ? null : event.message });
    this.#set({ answering: null });
    // The server does not count an answer that stayed empty.
    void loadUsage();
  }

  #afterwards(): void {
    const { threadId, messages } = this.talk;
    if (threadId !== null && messages.length >= 2) void nameThread(threadId);
  }

  #change(messageId: string, change: Partial<Message>): void {
    const messages = this.talk.messages.map((message) =>
      message._id === messageId ? { ...message, ...change } : message,
    );
    this.#set({ messages });
  }

  #put(message: Message): void {
    this.#change(message._id, message);
  }
}
