import { atom } from "jotai/vanilla";
import { monotonicFactory } from "ulid";
import { t } from "#shared/messages/translate.ts";
import type { Component, Run, TextContent } from "#shared/pages/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { clockOf } from "#shared/video/rules.ts";
import { notify } from "#webapp/app/alerts.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import { loadPage, queue } from "#webapp/offline/sync.ts";

const newId = monotonicFactory();

/** A note on a video: a text on the video's page that starts with a link to its time. */
export interface Note {
  id: string;
  atMs: number;
  text: string;
  component: Extract<Component, { type: "text" }>;
}

const notesState = atom<readonly Note[]>([]);
export const notesAtom = atom((get) => get(notesState));

/** The page that stores the notes, and the video they are about. */
export interface NotePlace {
  pageId: string;
  videoId: string;
}

const linkTo = (videoId: string, atMs: number) =>
  `${screenPath("video", { slug: videoId })}?t=${Math.floor(atMs / 1000)}`;

const plain = (runs: readonly Run[]): string =>
  runs.map(({ content }) => (typeof content === "string" ? content : plain(content))).join("");

/** Parses a text as a note on this video; undefined if it is not one. */
export function noteOf(component: Component, videoId: string): Note | undefined {
  if (component.type !== "text") return undefined;
  const [first, ...rest] = component.content.text;
  const target = first?.reference?.kind === "link" ? first.reference.target : "";
  const prefix = `${screenPath("video", { slug: videoId })}?t=`;
  const seconds = target.startsWith(prefix) ? Number(target.slice(prefix.length)) : Number.NaN;
  if (!Number.isFinite(seconds)) return undefined;
  return { id: component._id, atMs: seconds * 1000, text: plain(rest).trim(), component };
}

export function noteContent(videoId: string, atMs: number, text: string): TextContent {
  const link: Run = { content: clockOf(atMs), reference: { kind: "link", target: linkTo(videoId, atMs) } };
  return {
    text: [link, { content: ` ${text.trim()}` }],
    subType: "normal",
    metadata: { indents: 0, highlightColor: null },
  };
}

const inOrder = (notes: readonly Note[]) => notes.toSorted((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1));
const put = (note: Note) =>
  store.set(notesState, (notes) => inOrder([...notes.filter(({ id }) => id !== note.id), note]));

export async function loadNotes({ pageId, videoId }: NotePlace): Promise<void> {
  store.set(notesState, []);
  try {
    const { components } = await loadPage(pageId);
    store.set(notesState, inOrder(components.flatMap((component) => noteOf(component, videoId) ?? [])));
  } catch (error) {
    logTrouble("Failed to load notes", error);
  }
}

function freshText({ pageId }: NotePlace, content: TextContent): Note["component"] {
  const now = Date.now();
  const about = {
    pageId,
    createdAt: now,
    modifiedAt: now,
    createdBy: queue().accountId,
    lastOpenedAt: null,
    version: 1,
  };
  return { _id: newId(), type: "text", content, ...about };
}

const create = (component: Component) =>
  queue().enqueue("component_create", component._id, { component, parentId: component.pageId });

/** Resolves to true once stored on disk; false on failure, so that the input keeps its text. */
async function keeping(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    logTrouble("Could not store a note", error);
    notify({ message: t("video.not_kept"), type: "error" });
    return false;
  }
}

export function addNote(place: NotePlace, atMs: number, text: string): Promise<boolean> {
  const component = freshText(place, noteContent(place.videoId, atMs, text));
  return keeping(async () => {
    await create(component);
    put({ id: component._id, atMs: Math.floor(atMs / 1000) * 1000, text: text.trim(), component });
  });
}

export function changeNote({ videoId }: NotePlace, note: Note, text: string): Promise<boolean> {
  const content = noteContent(videoId, note.atMs, text);
  return keeping(async () => {
    const baseVersion = note.component.version;
    await queue().enqueue("component_content_update", note.id, { newContent: content }, { baseVersion });
    put({ ...note, text: text.trim(), component: { ...note.component, content } });
  });
}

/** Deletes a note, with undo. */
export async function removeNote(note: Note): Promise<void> {
  const isGone = await keeping(() => queue().enqueue("component_delete", note.id, {}));
  if (!isGone) return;
  store.set(notesState, (notes) => notes.filter(({ id }) => id !== note.id));
  const restore = () => void keeping(() => create(note.component)).then((isBack) => isBack && put(note));
  notify({ message: t("video.note_removed"), type: "success", action: { label: t("common.undo"), run: restore } });
}
