import { atom, type PrimitiveAtom } from "jotai/vanilla";
import { ulid } from "ulid";
import { Failure } from "#shared/contract/failure.ts";
import { t, translateSent } from "#shared/messages/translate.ts";
import { ConnectError, isValidId, WebsiteConnection } from "#shared/website/chat-connection.ts";
import { MESSAGE_TIMEOUT_MS } from "#shared/website/chat-timing.ts";
import type { WebsitePart } from "#shared/website/message-parts.ts";
import type { ServerEvent, WebsiteMessage, WebsiteThread } from "#shared/website/schema.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client, tempOrStoredToken } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { openPlanModal } from "#webapp/app/overlays.ts";
import { store } from "#webapp/app/store.ts";
import { refreshPreview, refreshProject, setProjectName, showPreviewOffline } from "../state.ts";
import { applyEvent } from "./apply-event.ts";
import { mayChangePreview, describeFault, openSocket } from "./chat-socket.ts";

export interface ChatState {
  state: "loading" | "failed" | "ready";
  threads: readonly WebsiteThread[];
  threadId: string | null;
  isProcessing: boolean;
  /** The error that is shown instead of an answer. */
  error: string | null;
}

type Complete = Extract<ServerEvent, { type: "message_processing_complete" }>;

const showError = (message: string) => notify({ message, type: "error" });

/** Says why a message failed. At the plan's limit, the plans dialog says it, as for every other limit. */
function reportFailure({ code, error = "", ...why }: Complete): void {
  const reason = translateSent(error, why);
  if (code === "limit_reached") openPlanModal(reason, "assistantMessages");
  else showError(t("website.processing_failed", { error: reason }));
}

/** The conversation of one project: its threads, the connection, and the message that is being processed. */
export class Chat {
  readonly atom: PrimitiveAtom<ChatState>;
  readonly #projectId: string;
  readonly #connection: WebsiteConnection;
  #hasName: boolean;
  /** Whether an answer has started and not ended. */
  #isAnswering = false;
  #onReturned: (text: string) => void = () => undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(projectId: string, hasName: boolean) {
    this.#projectId = projectId;
    this.#hasName = hasName;
    this.atom = atom<ChatState>({
      state: "loading",
      threads: [],
      threadId: null,
      isProcessing: false,
      error: null,
    });
    this.#connection = new WebsiteConnection({
      open: openSocket,
      token: tempOrStoredToken,
      now: () => Date.now(),
      after: (ms, run) => {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
      onEvent: (event) => this.#receive(event),
      onClosed: (fault) => this.#end(describeFault(fault)),
    });
  }

  get #state(): ChatState {
    return store.get(this.atom);
  }

  #set(change: Partial<ChatState>): void {
    store.set(this.atom, { ...this.#state, ...change });
  }

  /** Loads the threads. If that fails, a message can still be sent, in a new thread. */
  async load(): Promise<void> {
    this.#set({ state: "loading" });
    try {
      const { threads } = await client.website.listWebsiteThreads({ id: this.#projectId });
      this.#set({ state: "ready", threads, threadId: this.#state.threadId ?? threads[0]?._id ?? null });
      void this.#resume();
    } catch (error) {
      logWarning("Failed to load conversation history", error);
      this.#set({ state: "failed" });
      showError(t("website.history_failed"));
    }
  }

  /** Switching threads closes the old connection. */
  choose(threadId: string | null): void {
    if (threadId === this.#state.threadId) return;
    this.#connection.close();
    this.#end(null);
    this.#set({ threadId, error: null });
    void this.#resume();
  }

  /** Sets the function that receives the text of a message that the server refused. */
  onMessageReturned(onReturned: (text: string) => void): void {
    this.#onReturned = onReturned;
  }

  /** Follows an answer that is still being written, for example after a reload or a return to the thread. */
  async #resume(): Promise<void> {
    const thread = this.#state.threads.find(({ _id }) => _id === this.#state.threadId);
    if (thread?.messages.at(-1)?.role !== "user") return;
    try {
      await this.#connection.connect(this.#projectId, thread._id);
    } catch (error) {
      logWarning("Could not follow an answer", error);
    }
  }

  close(): void {
    this.#connection.close();
    clearTimeout(this.#timer);
  }

  stop(): void {
    this.#connection.post({ type: "cancel_message" });
  }

  /** Resolves to whether the message was sent. If not, the caller puts its text back into the field. */
  async send(text: string): Promise<boolean> {
    const message = text.trim();
    if (message === "" || this.#state.isProcessing) return false;
    this.#set({ isProcessing: true, error: null });
    const threadId = this.#state.threadId ?? (await this.#createThread());
    if (!threadId) {
      this.#end(null);
      return false;
    }
    const messageId = ulid();
    this.#addMessage(threadId, messageId, message);
    const isSent = await this.#deliver({ threadId, messageId, message });
    if (isSent) this.#restartTimer();
    else {
      this.#removeMessage(messageId);
      this.#end(this.#state.error);
    }
    return isSent;
  }

  async #createThread(): Promise<string | undefined> {
    try {
      const thread = await client.website.createWebsiteThread({ id: this.#projectId });
      if (!isValidId(thread._id)) {
        showError(t("website.conversation_failed"));
        return undefined;
      }
      this.#set({ threads: [thread, ...this.#state.threads], threadId: thread._id });
      if (this.#state.threads.length === 1) notify({ message: t("website.setting_up"), type: "info" });
      return thread._id;
    } catch (error) {
      logWarning("Failed to create a thread", error);
      const reason = error instanceof Failure ? error.message : t("failures.network");
      showError(t("website.thread_failed", { reason }));
      return undefined;
    }
  }

  async #deliver({
    threadId,
    messageId,
    message,
  }: {
    threadId: string;
    messageId: string;
    message: string;
  }): Promise<boolean> {
    if (!this.#state.threads.some(({ _id }) => _id === threadId)) {
      showError(t("website.no_thread"));
      return false;
    }
    const user = { type: "user_message" as const, projectId: this.#projectId, threadId, message, messageId };
    try {
      if (await this.#connection.send(this.#projectId, user)) return true;
      showError(t("website.send_failed_thrice"));
      showPreviewOffline(this.#projectId);
    } catch (error) {
      logWarning("Failed to send a message", error);
      this.#reportRefusal(error);
    }
    return false;
  }

  #reportRefusal(error: unknown): void {
    if (!(error instanceof ConnectError)) return showError(t("website.send_failed"));
    if (error.fault === "no_token") return this.#set({ error: t("website.no_token") });
    // The student has opened another thread.
    if (error.fault === "superseded") return undefined;
    showPreviewOffline(this.#projectId);
    this.#set({ error: describeFault(error.fault) });
    return showError(t("website.start_failed"));
  }

  #addMessage(threadId: string, messageId: string, text: string): void {
    const now = Date.now();
    const parts: WebsitePart[] = [{ type: "text", metadata: { text } }];
    const message: WebsiteMessage = {
      _id: messageId,
      role: "user",
      model: null,
      parts,
      createdAt: now,
      updatedAt: now,
    };
    this.#changeThread(threadId, (thread) => ({ ...thread, messages: [...thread.messages, message] }));
  }

  /** Removes a message; returns its text. */
  #removeMessage(messageId: string): string | null {
    const thread = this.#state.threads.find(({ messages }) => messages.some(({ _id }) => _id === messageId));
    if (!thread) return null;
    const [part] = thread.messages.find(({ _id }) => _id === messageId)?.parts ?? [];
    this.#changeThread(thread._id, (current) => ({
      ...current,
      messages: current.messages.filter(({ _id }) => _id !== messageId),
    }));
    return part?.type === "text" ? part.metadata.text : null;
  }

  #changeThread(threadId: string, change: (thread: WebsiteThread) => WebsiteThread): void {
    this.#set({ threads: this.#state.threads.map((thread) => (thread._id === threadId ? change(thread) : thread)) });
  }

  #receive(event: ServerEvent): void {
    if (this.#state.isProcessing) this.#restartTimer();
    if (event.type === "message_processing_complete") {
      if (event.refusedId !== undefined) return this.#returnRefused(event.refusedId, event);
      return void this.#complete(event);
    }
    if (mayChangePreview(event)) void refreshPreview(this.#projectId);
    if (event.type === "message_processing_started") {
      this.#isAnswering = true;
      this.#set({ isProcessing: true, error: null });
      this.#restartTimer();
    }
    const { threadId } = this.#state;
    if (threadId !== null) this.#changeThread(threadId, (thread) => applyEvent(thread, event, Date.now()));
  }

  /** Removes a message that the server refused. The answer to another message may still be coming. */
  #returnRefused(messageId: string, refusal: Complete): void {
    const returned = this.#removeMessage(messageId);
    reportFailure(refusal);
    if (!this.#isAnswering) this.#end(null);
    if (returned !== null) this.#onReturned(returned);
  }

  async #complete(event: Complete): Promise<void> {
    this.#end(null);
    if (!event.success) reportFailure(event);
    await refreshProject(this.#projectId);
    await this.#generateMissingNames();
  }

  /** Generates the names of the project and the thread if they are missing and the thread has messages. */
  async #generateMissingNames(): Promise<void> {
    const thread = this.#state.threads.find(({ _id }) => _id === this.#state.threadId);
    if (!thread || thread.messages.length === 0) return;
    const input = {
      id: this.#projectId,
      messages: thread.messages.slice(0, 4).map(({ role, parts }) => ({ role, parts })),
    };
    if (!this.#hasName) {
      const title = await this.#generateName(() => client.website.generateProjectName(input), t("website.name_failed"));
      this.#hasName = title !== undefined && title !== "";
      if (title) setProjectName(this.#projectId, title);
    }
    if (thread.thread_title !== null || thread.messages.length < 2) return;
    const title = await this.#generateName(
      () => client.website.generateThreadTitle({ ...input, threadId: thread._id }),
      t("website.title_failed"),
    );
    if (title) this.#changeThread(thread._id, (current) => ({ ...current, thread_title: title }));
  }

  async #generateName(generate: () => Promise<{ title: string }>, failure: string): Promise<string | undefined> {
    try {
      return (await generate()).title;
    } catch (error) {
      logWarning("Could not generate a name", error);
      showError(failure);
      return undefined;
    }
  }

  #restartTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(t("website.took_too_long")), MESSAGE_TIMEOUT_MS);
  }

  #end(error: string | null): void {
    clearTimeout(this.#timer);
    this.#isAnswering = false;
    this.#set({ isProcessing: false, error });
  }
}
