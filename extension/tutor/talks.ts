import { ulid } from "ulid";
import { friendlyFailure } from "#shared/client/failures.ts";
import type { AnswerEvent, Message, TutorMode } from "#shared/tutor/schema.ts";
import { readSetting } from "#extension/app/disk.ts";
import { words } from "#extension/words/words.ts";
import { askAbout, followOn, loadTalk, type Subject, withEvent } from "./ask.ts";
import { keepTalk, readKeptTalk } from "./talk-store.ts";

/** The library page of the active tab. */
export interface KeptPage extends Subject {
  address: string;
}

/** The conversation about one document. It lives in the panel and continues while other tabs are active. */
export interface Talk {
  messages: readonly Message[];
  stage: "idle" | "keeping" | "answering";
  problem: string | undefined;
  /** Undefined until the document has been captured. */
  page: KeptPage | undefined;
}

const none: Talk = { messages: [], stage: "idle", problem: undefined, page: undefined };
const talks = new Map<string, Talk>();
/** Without access to its address, a conversation is keyed by its tab until the page is captured. */
const names = new Map<string, string>();
const opened = new Set<string>();
const listeners = new Set<() => void>();

const nameOf = (key: string) => names.get(key) ?? key;

export const talkOf = (key: string): Talk => talks.get(nameOf(key)) ?? none;

export function listenToTalks(heard: () => void): () => void {
  listeners.add(heard);
  return () => listeners.delete(heard);
}

function change(key: string, changed: Partial<Talk>): void {
  talks.set(nameOf(key), { ...talkOf(key), ...changed });
  for (const heard of listeners) heard();
}

/** The tab navigated: its conversation belongs to the previous page. */
export function leaveTab(key: string): void {
  if (!names.delete(key)) return;
  for (const heard of listeners) heard();
}

async function keep(key: string): Promise<void> {
  const { page, messages } = talkOf(key);
  const account = await readSetting("account");
  if (!page || !account) return;
  const { address, ...subject } = page;
  // The server has the thread; this copy is for displaying it immediately.
  await keepTalk({ accountId: account.accountId, address, subject, messages, keptAt: Date.now() }).catch(reportError);
}

const blank = (_id: string, role: "user" | "assistant", text: string): Message => ({
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
async function read(key: string, message: Message, events: AsyncGenerator<AnswerEvent>): Promise<void> {
  let now = message;
  for await (const event of events) {
    now = withEvent(now, event);
    change(key, { messages: talkOf(key).messages.map((each) => (each._id === message._id ? now : each)) });
  }
}

/** Shows the previous conversation about an address and continues an answer in progress. */
export async function openTalk(address: string): Promise<void> {
  if (opened.has(address) || talkOf(address).stage !== "idle") return;
  const account = await readSetting("account");
  const kept = account && (await readKeptTalk(account.accountId, address));
  if (!kept || opened.has(address)) return;
  opened.add(address);
  change(address, { page: { ...kept.subject, address }, messages: kept.messages });
  try {
    const messages = await loadTalk(kept.subject);
    if (talkOf(address).stage !== "idle") return;
    change(address, { messages });
    const last = messages.at(-1);
    if (last?.status !== "writing") return;
    change(address, { stage: "answering" });
    await read(address, last, followOn(last._id));
    await keep(address);
  } catch (error) {
    // Show the local copy; the next attempt asks the server again.
    opened.delete(address);
    if (talkOf(address).messages.length === 0) change(address, { problem: friendlyFailure(error)?.message });
  } finally {
    change(address, { stage: "idle" });
  }
}

export interface Question {
  text: string;
  mode: TutorMode;
  selection: string | null;
}

export type KeepPage = () => Promise<KeptPage | undefined>;

/** The page could not be captured; the message is for the student. */
class NotKept extends Error {}

async function answer(key: string, { text, mode, selection }: Question, keepPage: KeepPage): Promise<void> {
  change(key, { stage: "keeping", problem: undefined });
  // Use the earlier capture if the page cannot be read again now.
  const page = (await keepPage()) ?? talkOf(key).page;
  if (!page) throw new NotKept(words.ask_not_kept);
  const { stage: _, ...before } = talkOf(key);
  if (key !== page.address) names.set(key, page.address);
  opened.add(page.address);
  change(key, { ...before, page, stage: "keeping" });
  const said = await loadTalk(page);
  const question = { ...blank(ulid(), "user", text), mode };
  const message = { ...blank(ulid(), "assistant", ""), mode };
  change(key, { messages: [...said, question, message], stage: "answering" });
  // Store it now, so that a reopened panel can continue the answer.
  await keep(key);
  const parent = said.at(-1)?._id ?? null;
  const asked = { subject: page, text, mode, selection, parent, answerId: message._id, messageId: question._id };
  await read(key, message, askAbout(asked));
  await keep(key);
}

/** Sends a question. False if it failed: `problem` says why, and the question can stay in its field. */
export async function ask(key: string, question: Question, keepPage: KeepPage): Promise<boolean> {
  if (question.text.trim() === "" || talkOf(key).stage !== "idle") return false;
  try {
    await answer(key, { ...question, text: question.text.trim() }, keepPage);
    return true;
  } catch (error) {
    const ours = error instanceof NotKept ? error.message : friendlyFailure(error)?.message;
    change(key, { problem: ours ?? words.ask_failed });
    return false;
  } finally {
    change(key, { stage: "idle" });
  }
}
