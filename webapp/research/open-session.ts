import { atom, type PrimitiveAtom } from "jotai/vanilla";
import { ulid } from "ulid";
import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { applyResearchEvent } from "#shared/research/apply-event.ts";
import { RESEARCH_ABORT_MS } from "#shared/research/rules.ts";
import type { ResearchEvent, ResearchSession } from "#shared/research/schema.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { openPlanModal } from "#webapp/app/overlays.ts";
import { store } from "#webapp/app/store.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { watchSession } from "#webapp/app/session/load-for-account.ts";
import { findCachedResearch } from "#webapp/offline/research-cache.ts";
import { loadUsage } from "#webapp/user/usage.ts";
import { announceEnd, cacheFinished, describeRefusal } from "./research-outcome.ts";
import { readSession } from "./read-saved-session.ts";
import { emptySnapshot, type ResearchSnapshot } from "./snapshot.ts";
import { adjustResearchUsage, loadResearchList, moveToTopOfList, readChoices, researchLeftAtom } from "./state.ts";
import {
  NOTES,
  onTextsChanged,
  restoreUnsavedTexts,
  saveText,
  sendUnsavedTexts,
  discardRefusedEdit,
  withUnsavedTexts,
} from "./unsaved-texts.ts";

const MIN_RETRY_DELAY_MS = 1000;
const MAX_RETRY_DELAY_MS = 10_000;

/** A question, and what was on screen when the student asked it. */
interface Question {
  text: string;
  /** The messages before it. */
  dialogue: ResearchSnapshot["dialogue"];
  /** Null for a new session. */
  sessionId: string | null;
  generation: number;
}

/** The state of one research session on screen. */
export class OpenSession {
  readonly atom: PrimitiveAtom<ResearchSnapshot> = atom<ResearchSnapshot>(emptySnapshot);
  #generation = 0;
  #abort = new AbortController();
  #stopListening = () => {};
  /** The last question that was sent without an answer. */
  #attempt: { message: string; sessionId: string | null; messageId: string } | undefined;

  get snapshot(): ResearchSnapshot {
    return store.get(this.atom);
  }

  #set(change: Partial<ResearchSnapshot>): void {
    const session = change.session && withUnsavedTexts(change.session);
    store.set(this.atom, (snapshot) => ({ ...snapshot, ...change, ...(session && { session }) }));
  }

  /** Changes what is shown, unless the student has left or opened another session since. */
  #setIfCurrent(generation: number, change: Partial<ResearchSnapshot>): void {
    if (generation === this.#generation) this.#set(change);
  }

  /** Stops following the run, which continues on the server. */
  #stopFollowing(): void {
    this.#generation += 1;
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  /** Stops following the session. */
  leave(): void {
    this.#stopFollowing();
    this.#stopListening();
  }

  /** Shows a session, and follows its run if there is one. */
  async open(id: string): Promise<void> {
    this.leave();
    this.#stopListening = onTextsChanged((changedId, texts) => {
      const { session } = this.snapshot;
      // A run may have sent events in the meantime, so only the texts are replaced.
      if (session?._id === changedId) this.#set({ session: { ...session, ...texts } });
    });
    const generation = this.#generation;
    store.set(this.atom, { ...emptySnapshot, load: { state: "loading" } });
    try {
      const conversation = await readSession(id);
      if (generation !== this.#generation) return;
      this.#set({ load: { state: "loaded" }, session: conversation });
      void cacheFinished(conversation);
      void restoreUnsavedTexts(id);
      if (conversation.run.status === "running" && !conversation.read_only) await this.#follow();
    } catch (error) {
      if (generation !== this.#generation) return;
      if (error instanceof NoResponseError) return this.#openCached(id, generation);
      logWarning("Could not load a research session", error);
      const [status, message] = error instanceof Failure ? [error.status, error.message] : [500, t("research.failed")];
      this.#set({ load: { state: "error", status, message } });
    }
  }

  /** Reads the session again after another tab or device changed it. Keeps text that the student is typing. */
  async refresh(): Promise<void> {
    const { session, isSending } = this.snapshot;
    if (!session || isSending || session.run.status === "running") return;
    const generation = this.#generation;
    try {
      await sendUnsavedTexts(session._id);
      const conversation = await readSession(session._id);
      const current = this.snapshot;
      if (generation !== this.#generation || current.isSending || current.session?.run.status === "running") return;
      this.#set({ session: conversation, isOffline: false });
      if (conversation.run.status === "running" && !conversation.read_only) void this.#follow();
    } catch (error) {
      logWarning("Could not read a research session again", error);
    }
  }

  /** Loads the session again when the network returns. A session that is shown stays on screen meanwhile. */
  reconnect(id: string): Promise<void> {
    const { session, isOffline } = this.snapshot;
    return session?._id === id && !isOffline ? this.refresh() : this.open(id);
  }

  /** Shows the copy that this browser saved, read-only. */
  async #openCached(id: string, generation: number): Promise<void> {
    const cached = await findCachedResearch(store.get(accountIdAtom) ?? "", id);
    if (generation !== this.#generation) return;
    if (!cached) return this.#set({ load: { state: "offline" } });
    this.#set({ load: { state: "loaded" }, session: { ...cached, read_only: true }, isOffline: true });
    void restoreUnsavedTexts(id);
  }

  /** Clears a dialogue before the research, so that another question can be asked. */
  discardDialogue(): void {
    this.#set({ dialogue: [], refusal: null });
  }

  /**
   * Plans the question. Starts the research if the question is clear, otherwise shows the question that clarifies it.
   * Resolves to the id of the session, if a new one is created.
   */
  async ask(text: string): Promise<string | undefined> {
    const { session, dialogue } = this.snapshot;
    if (!this.#checkCanSend(text)) return undefined;
    const question = { text, dialogue, sessionId: session?._id ?? null, generation: this.#generation };
    const messages = [...dialogue, { role: "user" as const, text }];
    this.#set({ isSending: true, dialogue: messages, refusal: null, tookTooLong: false });
    try {
      const plan = await client.research.plan({
        conversationId: question.sessionId,
        messages: messages.map(({ role, text: content }) => ({ role, content })),
        timeline: session?.timeline ?? [],
      });
      if (plan.result === "clarification") {
        const asked = [...messages, { role: "assistant" as const, text: plan.message }];
        this.#setIfCurrent(question.generation, { isSending: false, dialogue: asked });
        return undefined;
      }
      if (plan.result === "done") return await this.#send(plan, question);
      this.#refuse(t("research.unexpected"), question);
    } catch (error) {
      logWarning("Could not plan the research", error);
      this.#refuse(describeRefusal(error), question);
    }
    return undefined;
  }

  #checkCanSend(text: string): boolean {
    const { session, isSending } = this.snapshot;
    if (isSending || session?.read_only === true || session?.run.status === "running") return false;
    if (store.get(researchLeftAtom) !== 0) return true;
    openPlanModal(t("research.limit"), "researchMessages");
    this.#set({ refusal: { message: t("research.limit"), text } });
    return false;
  }

  #refuse(message: string, { text, dialogue, generation }: Question): void {
    this.#setIfCurrent(generation, { isSending: false, dialogue, refusal: { message, text } });
  }

  async #send(
    { message, shortDescription }: { message: string; shortDescription: string },
    question: Question,
  ): Promise<string | undefined> {
    adjustResearchUsage(1);
    const request = {
      userMessage: message,
      conversationId: question.sessionId,
      date: new Date().toISOString(),
      messageId: this.#messageIdFor(message, question.sessionId),
      shortDescription,
      ...readChoices(),
    };
    try {
      const events = client.research.sendResearch(request);
      // Only the session's id is read from this stream. The session's screen follows the run by its log.
      for await (const event of events)
        if (event.type === "conversation_id") {
          const adopted = await this.#adopt(event.conversationId, question);
          this.#attempt = undefined;
          return adopted;
        }
      throw new Error("The stream named no session");
    } catch (error) {
      adjustResearchUsage(-1);
      void loadUsage();
      logWarning("Could not start the research", error);
      this.#refuse(describeRefusal(error), question);
      return undefined;
    }
  }

  /** The same id for a question that is sent again, whose first answer may be lost: it is one run and counts once. */
  #messageIdFor(message: string, sessionId: string | null): string {
    if (this.#attempt?.message !== message || this.#attempt.sessionId !== sessionId)
      this.#attempt = { message, sessionId, messageId: ulid() };
    return this.#attempt.messageId;
  }

  /** Shows the session that the question was added to. Resolves to its id if the session is new. */
  async #adopt(id: string, { sessionId, generation }: Question): Promise<string | undefined> {
    if (sessionId === null) {
      this.#setIfCurrent(generation, emptySnapshot);
      void loadResearchList();
      return id;
    }
    const conversation = await readSession(id);
    if (generation !== this.#generation) return undefined;
    this.#set({ session: conversation, isSending: false, dialogue: [] });
    moveToTopOfList(conversation);
    if (conversation.run.status === "running") void this.#follow();
    else this.#end(conversation);
    return undefined;
  }

  /** Follows the run to its end, and reconnects with exponential backoff. */
  async #follow(): Promise<void> {
    const generation = this.#generation;
    const signal = AbortSignal.any([this.#abort.signal, AbortSignal.timeout(RESEARCH_ABORT_MS)]);
    let delayMs = MIN_RETRY_DELAY_MS;
    while (generation === this.#generation) {
      const before = this.snapshot.session?.run.seq ?? 0;
      const hasEnded = await this.#readEvents(generation, signal);
      if (hasEnded || generation !== this.#generation) return;
      if (signal.aborted) return this.#set({ tookTooLong: true, isReconnecting: false });
      if ((this.snapshot.session?.run.seq ?? 0) > before) delayMs = MIN_RETRY_DELAY_MS;
      this.#set({ isReconnecting: true });
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      delayMs = Math.min(delayMs * 2, MAX_RETRY_DELAY_MS);
    }
  }

  /** Resolves to whether the run has ended. */
  async #readEvents(generation: number, signal: AbortSignal): Promise<boolean> {
    const { session } = this.snapshot;
    if (!session) return true;
    try {
      const events = client.research.followResearch({ id: session._id, after: session.run.seq }, { signal });
      for await (const event of events) {
        if (generation !== this.#generation) return true;
        this.#apply(event);
      }
      const conversation = await readSession(session._id);
      if (generation !== this.#generation) return true;
      this.#set({ session: conversation });
      if (conversation.run.status === "running") return false;
      this.#end(conversation);
      return true;
    } catch (error) {
      return error instanceof Failure && error.code === "not_found";
    }
  }

  #apply(event: ResearchEvent): void {
    const { session } = this.snapshot;
    if (!session) return;
    const changed = applyResearchEvent(session, event);
    if (!changed) return logWarning(`Unknown research event: ${String((event as { type: unknown }).type)}`);
    const seq = Math.max(changed.run.seq, event.seq);
    this.#set({ session: { ...changed, run: { ...changed.run, seq } }, isReconnecting: false });
  }

  #end(session: ResearchSession): void {
    this.#set({ isReconnecting: false });
    moveToTopOfList(session);
    // The server does not count a run that verified nothing.
    void loadUsage();
    announceEnd(session);
    void cacheFinished(session);
  }

  async stop(): Promise<void> {
    const { session } = this.snapshot;
    if (!session) return;
    const isCurrent = watchSession();
    try {
      const { conversation } = await client.research.cancelResearch({ id: session._id });
      if (!isCurrent()) return;
      this.#stopFollowing();
      this.#set({ session: conversation, isReconnecting: false });
      this.#end(conversation);
    } catch (error) {
      logWarning("Could not stop the research", error);
      notify({ message: t("research.stop_failed"), type: "error" });
    }
  }

  async recheck(): Promise<void> {
    const { session } = this.snapshot;
    if (!session) return;
    try {
      const { sources } = await client.research.recheckSources({ id: session._id });
      // Notes or events may have changed the session in the meantime, so only its sources are replaced.
      const current = this.snapshot.session;
      if (current?._id === session._id) this.#set({ session: { ...current, sources } });
    } catch (error) {
      logWarning("Could not check the sources", error);
      notify({ message: t("research.recheck_failed"), type: "error" });
    }
  }

  /** Shows a title that was just saved. */
  showTitle(title: string): void {
    const { session } = this.snapshot;
    if (session) this.#set({ session: { ...session, conversation_title: title } });
  }

  /** Saves the student's own notes, which no run changes. `base` is the text that the student began to change. */
  async saveNotes(notes: string, base?: string): Promise<void> {
    const { session } = this.snapshot;
    if (!session) return;
    const sent = saveText(session._id, NOTES, { text: notes, base: base ?? session.notes });
    // Shows them at once.
    this.#set({ session });
    await sent;
  }

  /**
   * Saves the student's version of a section, which no run changes; null returns to the checked text. `base` is the
   * version that was changed. Resolves to whether the text is saved, or will be sent again.
   */
  async saveEdit(section: string, edit: { text: string | null; base: string | null }): Promise<boolean> {
    const { session } = this.snapshot;
    if (!session) return false;
    const generation = this.#generation;
    const sent = saveText(session._id, section, edit);
    this.#set({ session });
    const isRefused = (await sent) === "refused";
    const { session: current } = this.snapshot;
    // If the student has left, the text is no longer in an editor, so it stays among the unsaved ones.
    if (isRefused && generation === this.#generation && current)
      this.#set({ session: discardRefusedEdit(current, section, session) });
    return !isRefused;
  }
}
