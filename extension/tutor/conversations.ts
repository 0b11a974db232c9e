import { ulid } from "ulid";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import type { AnswerEvent, Message, TutorMode } from "#shared/tutor/schema.ts";
import { listen } from "#extension/app/channel.ts";
import { readSetting } from "#extension/app/settings-store.ts";
import { words } from "#extension/words/words.ts";
import { askAbout, followAnswer, loadConversation, type Subject, applyEvent } from "./ask.ts";
import { saveConversation, readStoredConversation } from "./conversation-store.ts";

/** The library page of the active tab. */
export interface CapturedSubject extends Subject {
  address: string;
}

/** The conversation about one document. It lives in the panel and continues while other tabs are active. */
export interface Conversation {
  messages: readonly Message[];
  stage: "idle" | "capturing" | "answering";
  problem: string | undefined;
  /** The problem is a limit of the plan. */
  isLimit?: boolean;
  /** Undefined until the document has been captured. */
  page: CapturedSubject | undefined;
  /** The question that is being written; it stays while another tab is active. */
  draft: string;
}

const emptyConversation: Conversation = {
  messages: [],
  stage: "idle",
  problem: undefined,
  page: undefined,
  draft: "",
};
const conversations = new Map<string, Conversation>();
/** Without access to its address, a conversation is keyed by its tab until the page is captured. */
const tabKeys = new Map<string, string>();
const openedAddresses = new Set<string>();
const listeners = new Set<() => void>();
const readAccountId = async () => (await readSetting("account"))?.accountId;

/** The account whose conversations and drafts these are. */
let ownerId: string | undefined;
void readAccountId().then((accountId) => (ownerId ??= accountId));

const resolveKey = (key: string) => tabKeys.get(key) ?? key;

export const getConversation = (key: string): Conversation => conversations.get(resolveKey(key)) ?? emptyConversation;

export function subscribeToConversations(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function updateConversation(key: string, changes: Partial<Conversation>): void {
  conversations.set(resolveKey(key), { ...getConversation(key), ...changes });
  for (const listener of listeners) listener();
}

export const writeDraft = (key: string, draft: string): void => updateConversation(key, { draft });

/** Empties the field after a question was answered, unless the student has written something else meanwhile. */
export function clearDraft(key: string, sent: string): void {
  if (getConversation(key).draft === sent) writeDraft(key, "");
}

/** The tab navigated: its conversation belongs to the previous page. */
export function forgetTab(key: string): void {
  if (!tabKeys.delete(key)) return;
  for (const listener of listeners) listener();
}

/** The panel stays open while another account is connected, which must not see these conversations. */
async function forgetOtherAccount(): Promise<void> {
  const accountId = await readAccountId();
  if (accountId === ownerId) return;
  ownerId = accountId;
  conversations.clear();
  tabKeys.clear();
  openedAddresses.clear();
  for (const listener of listeners) listener();
}
listen("account", () => void forgetOtherAccount());

async function saveLocally(key: string): Promise<void> {
  const { page, messages } = getConversation(key);
  const account = await readSetting("account");
  if (!page || !account) return;
  ownerId = account.accountId;
  const { address, ...subject } = page;
  // The server has the thread; this copy is for displaying it immediately.
  await saveConversation({ accountId: account.accountId, address, subject, messages, usedAt: Date.now() }).catch(
    reportError,
  );
}

const createMessage = (_id: string, role: "user" | "assistant", text: string): Message => ({
  _id,
  threadId: "",
  parent: null,
  role,
  text,
  citations: [],
  followUps: [],
  status: role === "user" ? "done" : "writing",
  error: null,
  mode: "explain",
  ground: { kind: "everything" },
  selection: null,
  model: null,
  createdAt: 0,
});

/** Streams an answer into its conversation. */
async function streamInto(key: string, message: Message, events: AsyncGenerator<AnswerEvent>): Promise<void> {
  let current = message;
  for await (const event of events) {
    current = applyEvent(current, event);
    updateConversation(key, {
      messages: getConversation(key).messages.map((shown) => (shown._id === message._id ? current : shown)),
    });
  }
}

/** The stored conversation of the connected account about an address. */
async function findStoredConversation(address: string) {
  const account = await readSetting("account");
  return account && readStoredConversation(account.accountId, address);
}

/** Shows the previous conversation about an address and continues an answer in progress. */
export async function openConversation(address: string): Promise<void> {
  if (openedAddresses.has(address) || getConversation(address).stage !== "idle") return;
  const stored = await findStoredConversation(address);
  if (!stored || openedAddresses.has(address)) return;
  ownerId = stored.accountId;
  openedAddresses.add(address);
  updateConversation(address, { page: { ...stored.subject, address }, messages: stored.messages });
  let isFollowing = false;
  try {
    const messages = await loadConversation(stored.subject);
    if (getConversation(address).stage !== "idle") return;
    updateConversation(address, { messages });
    const last = messages.at(-1);
    if (last?.status !== "writing") return;
    isFollowing = true;
    updateConversation(address, { stage: "answering" });
    await streamInto(address, last, followAnswer(last._id));
    await saveLocally(address);
  } catch (error) {
    // Show the local copy; the next attempt asks the server again.
    openedAddresses.delete(address);
    if (getConversation(address).messages.length === 0)
      updateConversation(address, { problem: toFailureMessage(error)?.message });
  } finally {
    // A question that was asked meanwhile is still being answered.
    if (isFollowing) updateConversation(address, { stage: "idle" });
  }
}

export interface Question {
  text: string;
  mode: TutorMode;
  selection: string | null;
}

export type CapturePage = () => Promise<CapturedSubject | undefined>;

/** The page could not be captured; the message is for the student. */
class PageNotCapturedError extends Error {}

async function answer(key: string, { text, mode, selection }: Question, capturePage: CapturePage): Promise<void> {
  updateConversation(key, { stage: "capturing", problem: undefined, isLimit: false });
  const accountId = await readAccountId();
  // Use the earlier capture if the page cannot be read again now.
  const page = (await capturePage()) ?? getConversation(key).page;
  const isSameAccount = (await readAccountId()) === accountId;
  if (!page || !isSameAccount) throw new PageNotCapturedError(words.ask_not_saved);
  const { stage: _, ...previous } = getConversation(key);
  if (key !== page.address) {
    tabKeys.set(key, page.address);
    // Otherwise the tab's next page would begin with what was stored here before the capture.
    conversations.delete(key);
  }
  openedAddresses.add(page.address);
  updateConversation(key, { ...previous, page, stage: "capturing" });
  const earlierMessages = await loadConversation(page);
  const question = { ...createMessage(ulid(), "user", text), mode };
  const message = { ...createMessage(ulid(), "assistant", ""), mode };
  updateConversation(key, { messages: [...earlierMessages, question, message], stage: "answering" });
  // Store it now, so that a reopened panel can continue the answer.
  await saveLocally(key);
  const parent = earlierMessages.at(-1)?._id ?? null;
  const request = { subject: page, text, mode, selection, parent, answerId: message._id, messageId: question._id };
  await streamInto(key, message, askAbout(request));
  await saveLocally(key);
}

/** Sends a question. False if it failed: `problem` is the reason, and the question can stay in its field. */
export async function ask(key: string, question: Question, capturePage: CapturePage): Promise<boolean> {
  if (question.text.trim() === "" || getConversation(key).stage !== "idle") return false;
  try {
    await answer(key, { ...question, text: question.text.trim() }, capturePage);
    return true;
  } catch (error) {
    const failure = toFailureMessage(error);
    const ownMessage = error instanceof PageNotCapturedError ? error.message : failure?.message;
    updateConversation(key, { problem: ownMessage ?? words.ask_failed, isLimit: failure?.opensPlanModal ?? false });
    return false;
  } finally {
    updateConversation(key, { stage: "idle" });
  }
}
