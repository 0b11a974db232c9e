import { atom } from "jotai/vanilla";
import { monotonicFactory } from "ulid";
import { t } from "#shared/messages/translate.ts";
import type { Component, Run, TextContent } from "#shared/pages/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { formatTimecode } from "#shared/video/rules.ts";
import { notify } from "#webapp/app/alerts.ts";
import { logWarning } from "#webapp/app/log.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { store } from "#webapp/app/store.ts";
import { loadPage, queue } from "#webapp/offline/sync.ts";

const newId = monotonicFactory();

/** A note on a video: a text on the video's page that starts with a link to its time. */
export interface VideoNote {
  id: string;
  atMs: number;
  text: string;
  component: Extract<Component, { type: "text" }>;
}

const notesState = atom<readonly VideoNote[]>([]);
export const notesAtom = atom((get) => get(notesState));
const failedState = atom(false);
/** Whether the notes could not be loaded. */
export const haveNotesFailedAtom = atom((get) => get(failedState));

const draftsState = accountAtom<Readonly<Record<string, string>>>({});
/** The note that is being written on each video. It stays while another side panel or screen is open. */
export const noteDraftsAtom = atom((get) => get(draftsState));

export const writeNoteDraft = (videoId: string, text: string) =>
  store.set(draftsState, (drafts) => ({ ...drafts, [videoId]: text }));

/** The page that stores the notes, and the video they are about. */
export interface NoteTarget {
  pageId: string;
  videoId: string;
}

const noteLink = (videoId: string, atMs: number) =>
  `${screenPath("video", { slug: videoId })}?t=${Math.floor(atMs / 1000)}`;

const toPlainText = (runs: readonly Run[]): string =>
  runs.map(({ content }) => (typeof content === "string" ? content : toPlainText(content))).join("");

/** Parses a text as a note on this video; undefined if it is not one. */
export function parseNote(component: Component, videoId: string): VideoNote | undefined {
  if (component.type !== "text") return undefined;
  const [first, ...rest] = component.content.text;
  const target = first?.reference?.kind === "link" ? first.reference.target : "";
  const prefix = `${screenPath("video", { slug: videoId })}?t=`;
  const seconds = target.startsWith(prefix) ? Number(target.slice(prefix.length)) : Number.NaN;
  if (!Number.isFinite(seconds)) return undefined;
  return { id: component._id, atMs: seconds * 1000, text: toPlainText(rest).trim(), component };
}

export function createNoteContent(videoId: string, atMs: number, text: string): TextContent {
  const link: Run = { content: formatTimecode(atMs), reference: { kind: "link", target: noteLink(videoId, atMs) } };
  return {
    text: [link, { content: ` ${text.trim()}` }],
    subType: "normal",
    metadata: { indents: 0, highlightColor: null },
  };
}

const sortNotes = (notes: readonly VideoNote[]) => notes.toSorted((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1));
const upsertNote = (note: VideoNote) =>
  store.set(notesState, (notes) => sortNotes([...notes.filter(({ id }) => id !== note.id), note]));

let loadCount = 0;

/** Loads the notes of the video that is on the screen. A response about the video before is discarded. */
export async function loadNotes({ pageId, videoId }: NoteTarget): Promise<void> {
  loadCount += 1;
  const ownCount = loadCount;
  store.set(notesState, []);
  store.set(failedState, false);
  try {
    const { components } = await loadPage(pageId);
    if (ownCount !== loadCount) return;
    store.set(notesState, sortNotes(components.flatMap((component) => parseNote(component, videoId) ?? [])));
  } catch (error) {
    logWarning("Failed to load notes", error);
    if (ownCount === loadCount) store.set(failedState, true);
  }
}

function createTextComponent({ pageId }: NoteTarget, content: TextContent): VideoNote["component"] {
  const now = Date.now();
  const metadata = {
    pageId,
    createdAt: now,
    modifiedAt: now,
    createdBy: queue().accountId,
    lastOpenedAt: null,
    version: 1,
  };
  return { _id: newId(), type: "text", content, ...metadata };
}

const enqueueCreate = (component: Component) =>
  queue().enqueue("component_create", component._id, { component, parentId: component.pageId });

/** Resolves to true once stored on disk; false on failure, so that the input keeps its text. */
async function trySave(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    logWarning("Could not store a note", error);
    notify({ message: t("video.not_saved"), type: "error" });
    return false;
  }
}

export function addNote(target: NoteTarget, atMs: number, text: string): Promise<boolean> {
  const component = createTextComponent(target, createNoteContent(target.videoId, atMs, text));
  return trySave(async () => {
    await enqueueCreate(component);
    upsertNote({ id: component._id, atMs: Math.floor(atMs / 1000) * 1000, text: text.trim(), component });
  });
}

export function changeNote({ videoId }: NoteTarget, note: VideoNote, text: string): Promise<boolean> {
  const content = createNoteContent(videoId, note.atMs, text);
  return trySave(async () => {
    const baseVersion = note.component.version;
    await queue().enqueue("component_content_update", note.id, { newContent: content }, { baseVersion });
    upsertNote({ ...note, text: text.trim(), component: { ...note.component, content } });
  });
}

/** Deletes a note, with undo. */
export async function removeNote(note: VideoNote): Promise<void> {
  const isRemoved = await trySave(() => queue().enqueue("component_delete", note.id, {}));
  if (!isRemoved) return;
  store.set(notesState, (notes) => notes.filter(({ id }) => id !== note.id));
  const restore = () =>
    void trySave(() => enqueueCreate(note.component)).then((isRestored) => isRestored && upsertNote(note));
  notify({ message: t("video.note_removed"), type: "success", action: { label: t("common.undo"), run: restore } });
}
