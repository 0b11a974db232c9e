import { ulid } from "ulid";
import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { PlainReasonKey } from "#shared/messages/reasons.ts";
import { t } from "#shared/messages/translate.ts";
import { combineTexts } from "#shared/research/combine-texts.ts";
import type { ResearchSession } from "#shared/research/schema.ts";
import { toCallFailure } from "#shared/sync/apply-answer.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { watchSession } from "#webapp/app/session/load-for-account.ts";
import { store } from "#webapp/app/store.ts";
import { pauseUntilOnline } from "#webapp/offline/pause-until-online.ts";
import { unsavedResearchTextsAtom } from "#webapp/offline/sync-status.ts";
import { cacheFinished } from "./research-outcome.ts";
import { storeTexts, takeStoredTexts, type OwnText } from "./text-drafts.ts";

/** The outcome of sending a text: the server has it, it is sent again later, or the server refused it. */
type TextOutcome = "saved" | "waiting" | "refused";

/** A text of the student that the server does not have yet. */
interface Unsaved extends OwnText {
  /** Called with the outcome when the text is first sent; missing afterwards. */
  onFirstSend?: ((outcome: TextOutcome) => void) | undefined;
  /** The server refused it, so it is not sent again before the student changes it. */
  isRefused?: boolean;
  /** The unsent text that this one replaced. */
  replaced?: Unsaved | undefined;
}

/** The student's versions by section id; the notes have the key `NOTES`. */
type UnsavedTexts = Readonly<Record<string, Unsaved>>;

/** No section has an empty id. */
export const NOTES = "";

/** By session; outlives the session's screen. */
const unsavedAtom = accountAtom<Readonly<Record<string, UnsavedTexts>>>({});

store.sub(unsavedAtom, () => {
  const listed = Object.entries(store.get(unsavedAtom)).flatMap(([sessionId, texts]) =>
    Object.entries(texts).map(([key, { text }]) => ({ sessionId, section: key === NOTES ? null : key, text })),
  );
  store.set(unsavedResearchTextsAtom, listed);
});

const RETRY_DELAY_MS = 10_000;

/** The number of saved texts. A session that was read while it grew may be older than them. */
let savedTexts = 0;
export const countSavedTexts = (): number => savedTexts;

const unsavedOf = (id: string): UnsavedTexts => store.get(unsavedAtom)[id] ?? {};

function setUnsaved(id: string, key: string, unsaved: Unsaved | undefined): void {
  const { [key]: _earlier, ...others } = unsavedOf(id);
  const texts = unsaved ? { ...others, [key]: unsaved } : others;
  store.set(unsavedAtom, (all) => ({ ...all, [id]: texts }));
  void storeTexts(id, texts);
}

/** A session with the texts that the server does not have yet. */
export function withUnsavedTexts(session: ResearchSession): ResearchSession {
  const { [NOTES]: notes, ...unsaved } = unsavedOf(session._id);
  if (!notes && Object.keys(unsaved).length === 0) return session;
  const written = Object.entries(unsaved).flatMap(([section, { text }]) =>
    text === null ? [] : [{ section, text, edited_at: Date.now() }],
  );
  const edits = [...session.edits.filter(({ section }) => !(section in unsaved)), ...written];
  return { ...session, notes: notes?.text ?? session.notes, edits };
}

/** Remembers a text until it is saved, and sends it. Resolves to the outcome of sending it. */
export function saveText(id: string, key: string, { text, base }: OwnText): Promise<TextOutcome> {
  const outcome = new Promise<TextOutcome>((resolve) => {
    const earlier = unsavedOf(id)[key];
    const onFirstSend = (result: TextOutcome) => {
      earlier?.onFirstSend?.(result);
      resolve(result);
    };
    const replaced = earlier?.onFirstSend ? earlier.replaced : earlier && { ...earlier, replaced: undefined };
    setUnsaved(id, key, { text, base: earlier ? earlier.base : base, onFirstSend, replaced });
  });
  void sendUnsavedTexts(id);
  return outcome;
}

/**
 * Forgets a refused version of a section that is still in its editor, for the one that it replaced. Returns the session
 * with what `earlier` shows of the section.
 */
export function discardRefusedEdit(
  session: ResearchSession,
  section: string,
  earlier: ResearchSession,
): ResearchSession {
  const unsaved = unsavedOf(session._id)[section];
  if (unsaved?.isRefused === true) setUnsaved(session._id, section, unsaved.replaced);
  const others = session.edits.filter((edit) => edit.section !== section);
  return { ...session, edits: [...others, ...earlier.edits.filter((edit) => edit.section === section)] };
}

type StoredTexts = Partial<Pick<ResearchSession, "notes" | "edits">>;
type TextsListener = (id: string, stored: StoredTexts) => void;
const textsListeners = new Set<TextsListener>();

/**
 * Calls the listener with a session's texts as they are stored after one was saved, and without texts if there are other
 * unsaved ones. Returns the unsubscribe function.
 */
export function onTextsChanged(listener: TextsListener): () => void {
  textsListeners.add(listener);
  return () => textsListeners.delete(listener);
}

function announceTexts(id: string, stored: StoredTexts): void {
  for (const listener of textsListeners) listener(id, stored);
}

/** Adds a text that a closed tab has stored. */
function addStored(id: string, key: string, { text, base }: OwnText): void {
  const current = unsavedOf(id)[key];
  if (!current) setUnsaved(id, key, { text, base });
  else if (current.text !== null && text !== null)
    setUnsaved(id, key, { ...current, text: combineTexts(base ?? "", current.text, text) });
}

/** Takes over the texts that closed tabs could not send, and sends them and those that were refused. */
export async function restoreUnsavedTexts(id: string): Promise<void> {
  const isCurrent = watchSession();
  await takeStoredTexts(id, (texts) => {
    if (!isCurrent()) return false;
    for (const [key, text] of Object.entries(texts)) addStored(id, key, text);
    return true;
  });
  if (!isCurrent()) return;
  // Without Web Locks, this tab's own draft may be among those that were taken over, so everything is stored again.
  for (const [key, unsaved] of Object.entries(unsavedOf(id))) setUnsaved(id, key, { ...unsaved, isRefused: false });
  announceTexts(id, {});
  await sendUnsavedTexts(id);
}

/** Ids of the requests that this tab has sent. */
const sentRequests = new Set<string>();
export const isSentHere = (requestId: string): boolean => sentRequests.has(requestId);

function createRequestId(): string {
  const requestId = ulid();
  sentRequests.add(requestId);
  return requestId;
}

const changeFor = (id: string, key: string, { text, base }: OwnText) =>
  key === NOTES ? { id, notes: text ?? "", notes_base: base ?? "" } : { id, edit: { section: key, text, base } };

const storedTextOf = ({ notes, edits }: ResearchSession, key: string): string | null =>
  key === NOTES ? notes : (edits.find(({ section }) => section === key)?.text ?? null);

/** Removes what was saved; a text that was written meanwhile is rebased on the stored text. */
function settle(id: string, key: string, { sent, stored }: { sent: Unsaved; stored: ResearchSession }): void {
  const current = unsavedOf(id)[key];
  sent.onFirstSend?.("saved");
  if (!current || current.text === sent.text) {
    setUnsaved(id, key, undefined);
    current?.onFirstSend?.("saved");
    return;
  }
  const base = storedTextOf(stored, key);
  const text = key === NOTES ? combineTexts(sent.text ?? "", base ?? "", current.text ?? "") : current.text;
  setUnsaved(id, key, { ...current, text, base, replaced: undefined });
}

/** Whether the same request may work later. */
const isPassing = (error: unknown) =>
  (error instanceof NoResponseError || error instanceof Failure) && toCallFailure(error).kind === "network";

/** Reasons of a refusal that help the student more than the message that the text could not be saved. */
const EXPLANATORY_REASONS: ReadonlySet<string> = new Set<PlainReasonKey>([
  "no_research",
  "no_research_section",
  "research_text_too_long",
]);

function describeFailure(key: string, error: unknown): string {
  const isExplained = error instanceof Failure && EXPLANATORY_REASONS.has(error.reason ?? "");
  return isExplained ? error.message : t(key === NOTES ? "research.notes_failed" : "research.edit_failed");
}

/** Leaves a text that the server refused unsent until the student changes it. */
function refuse(id: string, key: string, { sent, error }: { sent: Unsaved; error: unknown }): void {
  const current = unsavedOf(id)[key];
  // If the student has changed it meanwhile, the newer text is sent next.
  if (current?.text === sent.text) {
    setUnsaved(id, key, { ...current, onFirstSend: undefined, isRefused: true });
    notify({ message: describeFailure(key, error), type: "error" });
    current.onFirstSend?.("refused");
  }
  sent.onFirstSend?.("refused");
}

/** Marks all texts of a session to be sent again. A notice is shown once for each kind. */
function hold(id: string): void {
  const waitingTexts = Object.entries(unsavedOf(id)).filter(([, { onFirstSend }]) => onFirstSend !== undefined);
  const messages = new Set<string>();
  for (const [key, unsaved] of waitingTexts) {
    setUnsaved(id, key, { ...unsaved, onFirstSend: undefined });
    unsaved.onFirstSend?.("waiting");
    messages.add(t(key === NOTES ? "research.notes_waiting" : "research.edit_waiting"));
  }
  for (const message of messages) notify({ message, type: "error" });
}

const waiting = new Set<string>();

/** Sends the texts again after a while, or as soon as the network returns. */
function retryLater(id: string): void {
  if (waiting.has(id)) return;
  waiting.add(id);
  void pauseUntilOnline(RETRY_DELAY_MS).then(() => {
    waiting.delete(id);
    return sendUnsavedTexts(id);
  });
}

const nextText = (id: string) => Object.entries(unsavedOf(id)).find(([, { isRefused }]) => isRefused !== true);

async function sendAll(id: string): Promise<void> {
  const isCurrent = watchSession();
  for (let next = nextText(id); next; next = nextText(id)) {
    const [key, sent] = next;
    try {
      const { conversation: stored } = await client.research.changeConversation({
        ...changeFor(id, key, sent),
        request_id: createRequestId(),
      });
      savedTexts += 1;
      if (!isCurrent()) return sent.onFirstSend?.("saved");
      settle(id, key, { sent, stored });
      announceTexts(id, { notes: stored.notes, edits: stored.edits });
      void cacheFinished(stored);
    } catch (error) {
      logWarning("Could not save a change of a research session", error);
      if (!isCurrent()) return sent.onFirstSend?.("waiting");
      if (isPassing(error)) {
        hold(id);
        sent.onFirstSend?.("waiting");
        return retryLater(id);
      }
      refuse(id, key, { sent, error });
    }
  }
}

const sending = new Map<string, Promise<unknown>>();

/** Sends the unsaved texts of a session, one after the other. */
export async function sendUnsavedTexts(id: string): Promise<void> {
  const sent = (sending.get(id) ?? Promise.resolve()).then(() => sendAll(id));
  sending.set(id, sent);
  return sent;
}
