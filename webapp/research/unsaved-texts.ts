import { NoResponse } from "#shared/client/client.ts";
import type { Input } from "#shared/contract/endpoint.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { combineTexts } from "#shared/research/combine-texts.ts";
import type { research } from "#shared/research/contract.ts";
import type { ResearchSession } from "#shared/research/schema.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { store } from "#webapp/app/store.ts";

/** A text of the student that the server does not have yet, and the stored text that it was written from. */
interface Unsaved<T> {
  text: T;
  base: T;
}

interface UnsavedTexts {
  notes?: Unsaved<string> | undefined;
  /** Versions of sections by id; null returns to the checked text. */
  edits: Readonly<Record<string, Unsaved<string | null>>>;
}

/** By session; outlives the session's screen. */
const unsavedAtom = accountAtom<Readonly<Record<string, UnsavedTexts>>>({});

const RETRY_DELAY_MS = 10_000;

/** The number of saved texts. A session that was read while it grew may be older than them. */
let savedTexts = 0;
export const countSavedTexts = (): number => savedTexts;

const unsavedOf = (id: string): UnsavedTexts => store.get(unsavedAtom)[id] ?? { edits: {} };

function setUnsaved(id: string, change: Partial<UnsavedTexts>): void {
  store.set(unsavedAtom, (all) => ({ ...all, [id]: { ...unsavedOf(id), ...change } }));
}

/** A session with the texts that the server does not have yet. */
export function withUnsavedTexts(session: ResearchSession): ResearchSession {
  const { notes, edits: unsaved } = unsavedOf(session._id);
  if (!notes && Object.keys(unsaved).length === 0) return session;
  const written = Object.entries(unsaved).flatMap(([section, { text }]) =>
    text === null ? [] : [{ section, text, edited_at: Date.now() }],
  );
  const edits = [...session.edits.filter(({ section }) => !(section in unsaved)), ...written];
  return { ...session, notes: notes?.text ?? session.notes, edits };
}

/** Remembers notes until they are saved. `base` is the text that the student began to change. */
export function putNotes(id: string, { text, base }: Unsaved<string>): void {
  setUnsaved(id, { notes: { text, base: unsavedOf(id).notes?.base ?? base } });
}

/** Remembers the student's version of a section until it is saved. */
export function putEdit(id: string, section: string, { text, base }: Unsaved<string | null>): void {
  const { edits } = unsavedOf(id);
  const earlier = edits[section];
  setUnsaved(id, { edits: { ...edits, [section]: { text, base: earlier ? earlier.base : base } } });
}

function withoutEdit(id: string, section: string): UnsavedTexts["edits"] {
  const { [section]: _removed, ...others } = unsavedOf(id).edits;
  return others;
}

type Change = Input<typeof research.changeConversation>;
interface NextChange {
  change: Change;
  failure: {
    passing: "research.notes_waiting" | "research.edit_waiting";
    refused: "research.notes_failed" | "research.edit_failed";
  };
  /** Removes what was saved; text that was written meanwhile is rebased on the stored text. */
  settle: (stored: ResearchSession) => void;
  /** Called if the server refuses the change: it stays on screen, or its editor stays open. */
  giveUp: () => void;
}

function nextNotes(id: string, sent: Unsaved<string>): NextChange {
  return {
    change: { id, notes: sent.text, notes_base: sent.base },
    failure: { passing: "research.notes_waiting", refused: "research.notes_failed" },
    giveUp: () => {},
    settle: ({ notes: base }) => {
      const { notes } = unsavedOf(id);
      const isSaved = !notes || notes.text === sent.text;
      setUnsaved(id, { notes: isSaved ? undefined : { text: combineTexts(sent.text, base, notes.text), base } });
    },
  };
}

function nextEdit(id: string, section: string, sent: Unsaved<string | null>): NextChange {
  return {
    change: { id, edit: { section, ...sent } },
    failure: { passing: "research.edit_waiting", refused: "research.edit_failed" },
    giveUp: () => setUnsaved(id, { edits: withoutEdit(id, section) }),
    settle: ({ edits }) => {
      const current = unsavedOf(id).edits[section];
      const base = edits.find((edit) => edit.section === section)?.text ?? null;
      if (!current || current.text === sent.text) setUnsaved(id, { edits: withoutEdit(id, section) });
      else setUnsaved(id, { edits: { ...unsavedOf(id).edits, [section]: { text: current.text, base } } });
    },
  };
}

function nextChange(id: string): NextChange | undefined {
  const { notes, edits } = unsavedOf(id);
  const [first] = Object.entries(edits);
  return first ? nextEdit(id, ...first) : notes && nextNotes(id, notes);
}

/** A failure after which the same request may work. */
const isPassing = (error: unknown) => error instanceof NoResponse || (error instanceof Failure && error.status >= 500);

const waiting = new Set<string>();

/** Sends the texts again after a while, or as soon as the network returns. */
function retryLater(id: string): void {
  if (waiting.has(id)) return;
  waiting.add(id);
  const retry = () => {
    clearTimeout(timer);
    window.removeEventListener("online", retry);
    waiting.delete(id);
    void sendUnsavedTexts(id, { isRepeat: true });
  };
  const timer = setTimeout(retry, RETRY_DELAY_MS);
  window.addEventListener("online", retry);
}

/** The session as it is stored after the last saved text, and whether the server refused a text. */
interface Outcome {
  stored: ResearchSession | undefined;
  isRefused: boolean;
}

async function sendAll(id: string, isRepeat: boolean): Promise<Outcome> {
  let stored: ResearchSession | undefined;
  for (let next = nextChange(id); next; next = nextChange(id)) {
    const { change, failure, settle, giveUp } = next;
    try {
      ({ conversation: stored } = await client.research.changeConversation(change));
      savedTexts += 1;
      settle(stored);
    } catch (error) {
      logWarning("Could not save a change of a research session", error);
      const isRefused = !isPassing(error);
      if (isRefused) giveUp();
      else retryLater(id);
      if (!isRepeat) notify({ message: t(isRefused ? failure.refused : failure.passing), type: "error" });
      return { stored, isRefused };
    }
  }
  return { stored, isRefused: false };
}

const sending = new Map<string, Promise<unknown>>();

/** Sends the unsaved texts of a session, one after the other. A repeat does not notify the student of a failure. */
export async function sendUnsavedTexts(id: string, { isRepeat = false } = {}): Promise<Outcome> {
  const sent = (sending.get(id) ?? Promise.resolve()).then(() => sendAll(id, isRepeat));
  sending.set(id, sent);
  return sent;
}
