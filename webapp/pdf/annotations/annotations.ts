import { atom } from "jotai/vanilla";
import { ulid } from "ulid";
import { NoResponseError } from "#shared/client/client.ts";
import { t } from "#shared/messages/translate.ts";
import { Annotation, sortByPosition, type AnnotationColor } from "#shared/pdf/annotations.ts";
import type { SyncRequest } from "#shared/sync/schema.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { store } from "#webapp/app/store.ts";
import type { DocumentPanel } from "../document-port.tsx";
import { collectAcknowledged, queue } from "#webapp/offline/sync.ts";

export interface AnnotationsView {
  componentId: string;
  /** In reading order, including unsaved ones. */
  annotations: readonly Annotation[];
  state: "loading" | "ready" | "failed";
}

const EMPTY_VIEW: AnnotationsView = { componentId: "", annotations: [], state: "loading" };
const annotationsStateAtom = atom<AnnotationsView>(EMPTY_VIEW);
export const annotationsAtom = atom((get) => get(annotationsStateAtom));

/**
 * The tab that the side panel opens with: the highlights if there are any, otherwise the first panel of another
 * feature.
 */
export const chooseInitialTab = (panels: readonly DocumentPanel[]): string =>
  store.get(annotationsStateAtom).annotations.length > 0 ? "marks" : (panels[0]?.id ?? "marks");

/** The annotation whose note is being edited. */
export const editedAnnotationAtom = atom<string | null>(null);

const annotationDraftsState = accountAtom<Readonly<Record<string, string>>>({});
/** Notes that were typed and neither saved nor cancelled, by annotation. They stay while the panel shows something else. */
export const annotationDraftsAtom = atom((get) => get(annotationDraftsState));

export function setAnnotationDraft(id: string, note: string | undefined): void {
  store.set(annotationDraftsState, ({ [id]: _replaced, ...others }) =>
    note === undefined ? others : { ...others, [id]: note },
  );
}

/** Undo stack of annotation changes. */
const undoStack: (() => Promise<unknown>)[] = [];
const MAX_UNDO_STEPS = 100;

/** Applies queued changes to the annotations of one document. */
export function applyQueuedAnnotations(
  annotations: readonly Annotation[],
  requests: readonly SyncRequest[],
  componentId: string,
): Annotation[] {
  const annotationsById = new Map(annotations.map((annotation) => [annotation._id, annotation]));
  for (const request of requests) {
    if (request.type === "annotation_delete") annotationsById.delete(request.resourceId);
    if (request.type !== "annotation_put") continue;
    const parsed = Annotation.safeParse(request.data.annotation);
    if (parsed.success && parsed.data.componentId === componentId) annotationsById.set(parsed.data._id, parsed.data);
  }
  return sortByPosition([...annotationsById.values()]);
}

/**
 * Loads the annotations of a document and applies queued changes. Loads them again when the tab becomes visible or
 * online. Returns a function that ends this.
 */
export function openAnnotations(componentId: string): () => void {
  let fetched: readonly Annotation[] = [];
  let state: AnnotationsView["state"] = "loading";
  let isClosed = false;
  undoStack.length = 0;
  const syncQueue = queue();
  const show = () => {
    const annotations = applyQueuedAnnotations(fetched, syncQueue.unsaved(), componentId);
    if (!isClosed) store.set(annotationsStateAtom, { componentId, annotations, state });
  };
  const load = async () => {
    try {
      const list = () => client.pdf.listAnnotations({ id: componentId });
      const { result, acknowledged } = await collectAcknowledged(syncQueue, list);
      // The response may lack changes that were acknowledged meanwhile, and the queue no longer contains them.
      const requests = acknowledged.map(({ request }) => request);
      fetched = applyQueuedAnnotations(result.annotations, requests, componentId);
      state = "ready";
    } catch (error) {
      if (!(error instanceof NoResponseError)) logWarning("Could not load the annotations of a document", error);
      if (state === "loading") state = "failed";
    }
    show();
  };
  const unsubscribers = [
    syncQueue.subscribe(show),
    syncQueue.onOutcomes((outcomes) => {
      const requests = outcomes.map(({ request }) => request);
      fetched = applyQueuedAnnotations(fetched, requests, componentId);
      show();
    }),
  ];
  const onVisible = () => {
    if (document.visibilityState === "visible") void load();
  };
  document.addEventListener("visibilitychange", onVisible);
  window.addEventListener("online", onVisible);
  show();
  void load();
  return () => {
    isClosed = true;
    for (const unsubscribe of unsubscribers) unsubscribe();
    document.removeEventListener("visibilitychange", onVisible);
    window.removeEventListener("online", onVisible);
    store.set(annotationsStateAtom, EMPTY_VIEW);
    store.set(editedAnnotationAtom, null);
  };
}

async function saveOrNotify(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    logWarning("Could not save an annotation", error);
    notify({ message: t("pdf.highlight_failed"), type: "error" });
    return false;
  }
}

const putAnnotation = (annotation: Annotation) => queue().enqueue("annotation_put", annotation._id, { annotation });
const removeAnnotation = (id: string) => queue().enqueue("annotation_delete", id, {});

function pushUndo(undo: () => Promise<unknown>): void {
  undoStack.push(undo);
  if (undoStack.length > MAX_UNDO_STEPS) undoStack.shift();
}

export type NewAnnotation = Omit<Annotation, "_id" | "createdAt" | "modifiedAt">;

/** Resolves to the annotation's id once it is in the local queue; undefined on failure. */
export async function addAnnotation(annotation: NewAnnotation): Promise<string | undefined> {
  const now = Date.now();
  const created: Annotation = { ...annotation, _id: ulid(), createdAt: now, modifiedAt: now };
  if (!(await saveOrNotify(() => putAnnotation(created)))) return undefined;
  pushUndo(() => removeAnnotation(created._id));
  return created._id;
}

/** Adds several annotations as one undo step; returns how many were saved. */
export async function addAnnotations(annotations: readonly NewAnnotation[]): Promise<number> {
  const now = Date.now();
  const created = annotations.map((annotation): Annotation => ({
    ...annotation,
    _id: ulid(),
    createdAt: now,
    modifiedAt: now,
  }));
  const saved: Annotation[] = [];
  for (const annotation of created) if (await saveOrNotify(() => putAnnotation(annotation))) saved.push(annotation);
  if (saved.length > 0) pushUndo(() => Promise.all(saved.map(({ _id }) => removeAnnotation(_id))));
  return saved.length;
}

export async function changeAnnotation(
  annotation: Annotation,
  change: { color?: AnnotationColor; note?: string },
): Promise<void> {
  const changed = { ...annotation, ...change, modifiedAt: Date.now() };
  if (await saveOrNotify(() => putAnnotation(changed)))
    pushUndo(() => putAnnotation({ ...annotation, modifiedAt: Date.now() }));
}

export async function deleteAnnotation(annotation: Annotation): Promise<void> {
  if (!(await saveOrNotify(() => removeAnnotation(annotation._id)))) return;
  const undo = () => putAnnotation({ ...annotation, modifiedAt: Date.now() });
  pushUndo(undo);
  notify({
    message: t("pdf.highlight_deleted"),
    type: "success",
    action: { label: t("common.undo"), run: () => void saveOrNotify(undo) },
  });
}

/** Undoes the latest annotation change of this visit. */
export async function undoAnnotation(): Promise<void> {
  const undo = undoStack.pop();
  if (undo) await saveOrNotify(undo);
}
