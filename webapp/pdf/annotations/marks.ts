import { atom } from "jotai/vanilla";
import { ulid } from "ulid";
import { NoAnswer } from "#shared/client/client.ts";
import { t } from "#shared/messages/translate.ts";
import { Annotation, inReadingOrder, type MarkColour } from "#shared/pdf/annotations.ts";
import type { SyncRequest } from "#shared/sync/schema.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import { queue } from "#webapp/offline/sync.ts";

export interface MarksView {
  componentId: string;
  /** In reading order, including unsaved ones. */
  marks: readonly Annotation[];
  state: "loading" | "ready" | "failed";
}

const NOTHING: MarksView = { componentId: "", marks: [], state: "loading" };
const marksAtom = atom<MarksView>(NOTHING);
export const marksViewAtom = atom((get) => get(marksAtom));

/** The annotation whose note is being edited. */
export const editedMarkAtom = atom<string | null>(null);

/** Undo stack of annotation changes. */
const undos: (() => Promise<unknown>)[] = [];
const MAX_UNDOS = 100;

/** Applies queued changes to the annotations of one document. */
export function overlayMarks(
  marks: readonly Annotation[],
  requests: readonly SyncRequest[],
  componentId: string,
): Annotation[] {
  const held = new Map(marks.map((mark) => [mark._id, mark]));
  for (const request of requests) {
    if (request.type === "annotation_delete") held.delete(request.resourceId);
    if (request.type !== "annotation_put") continue;
    const parsed = Annotation.safeParse(request.data.annotation);
    if (parsed.success && parsed.data.componentId === componentId) held.set(parsed.data._id, parsed.data);
  }
  return inReadingOrder([...held.values()]);
}

/**
 * Loads the annotations of a document and keeps them in sync, including other devices; returns a function that stops.
 */
export function openMarks(componentId: string): () => void {
  let fetched: readonly Annotation[] = [];
  let state: MarksView["state"] = "loading";
  let isClosed = false;
  undos.length = 0;
  const mine = queue();
  const show = () => {
    const marks = overlayMarks(fetched, mine.unsaved(), componentId);
    if (!isClosed) store.set(marksAtom, { componentId, marks, state });
  };
  const load = async () => {
    try {
      fetched = (await client.pdf.listAnnotations({ id: componentId })).annotations;
      state = "ready";
    } catch (error) {
      if (!(error instanceof NoAnswer)) logTrouble("Could not load the annotations of a document", error);
      if (state === "loading") state = "failed";
    }
    show();
  };
  const stops = [
    mine.subscribe(show),
    mine.onOutcomes((outcomes) => {
      const requests = outcomes.map(({ request }) => request);
      fetched = overlayMarks(fetched, requests, componentId);
      show();
    }),
  ];
  const seen = () => {
    if (document.visibilityState === "visible") void load();
  };
  document.addEventListener("visibilitychange", seen);
  window.addEventListener("online", seen);
  show();
  void load();
  return () => {
    isClosed = true;
    for (const stop of stops) stop();
    document.removeEventListener("visibilitychange", seen);
    window.removeEventListener("online", seen);
    store.set(marksAtom, NOTHING);
    store.set(editedMarkAtom, null);
  };
}

async function keep(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    logTrouble("Could not save an annotation", error);
    notify({ message: t("pdf.mark_failed"), type: "error" });
    return false;
  }
}

const put = (annotation: Annotation) => queue().enqueue("annotation_put", annotation._id, { annotation });
const remove = (id: string) => queue().enqueue("annotation_delete", id, {});

function canUndo(undo: () => Promise<unknown>): void {
  undos.push(undo);
  if (undos.length > MAX_UNDOS) undos.shift();
}

export type NewMark = Omit<Annotation, "_id" | "createdAt" | "modifiedAt">;

/** Resolves to the annotation's id once it is in the local queue; undefined on failure. */
export async function addMark(mark: NewMark): Promise<string | undefined> {
  const now = Date.now();
  const made: Annotation = { ...mark, _id: ulid(), createdAt: now, modifiedAt: now };
  if (!(await keep(() => put(made)))) return undefined;
  canUndo(() => remove(made._id));
  return made._id;
}

/** Adds several annotations as one undo step; returns how many were saved. */
export async function addMarks(marks: readonly NewMark[]): Promise<number> {
  const now = Date.now();
  const made = marks.map((mark): Annotation => ({ ...mark, _id: ulid(), createdAt: now, modifiedAt: now }));
  const kept: Annotation[] = [];
  for (const mark of made) if (await keep(() => put(mark))) kept.push(mark);
  if (kept.length > 0) canUndo(() => Promise.all(kept.map(({ _id }) => remove(_id))));
  return kept.length;
}

export async function changeMark(mark: Annotation, change: { color?: MarkColour; note?: string }): Promise<void> {
  const changed = { ...mark, ...change, modifiedAt: Date.now() };
  if (await keep(() => put(changed))) canUndo(() => put({ ...mark, modifiedAt: Date.now() }));
}

export async function deleteMark(mark: Annotation): Promise<void> {
  if (!(await keep(() => remove(mark._id)))) return;
  const undo = () => put({ ...mark, modifiedAt: Date.now() });
  canUndo(undo);
  notify({
    message: t("pdf.mark_deleted"),
    type: "success",
    action: { label: t("common.undo"), run: () => void keep(undo) },
  });
}

/** Undoes the latest annotation change of this visit. */
export async function undoMark(): Promise<void> {
  const undo = undos.pop();
  if (undo) await keep(undo);
}
