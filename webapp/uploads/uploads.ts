import { atom } from "jotai/vanilla";
import { monotonicFactory } from "ulid";
import { NoResponseError } from "#shared/client/client.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Component } from "#shared/pages/schema.ts";
import { runUpload, type UploadPhase } from "#shared/uploads/upload-run.ts";
import { isHeic } from "#shared/uploads/rules.ts";
import { accountAtom, accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { client } from "#webapp/app/client.ts";
import { loadContent } from "#webapp/library/content.ts";
import { pauseUntilOnline } from "#webapp/offline/pause-until-online.ts";
import { logWarning } from "#webapp/app/log.ts";
import { userAtom, waitForAccount } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import { createUploadCalls, CHUNK_BYTES } from "./upload-calls.ts";
import { checkUpload } from "./upload-check.ts";
import { removeStoredUpload, saveUpload, listStoredUploads, type StoredUpload } from "./upload-store.ts";
import { loadUsage, usageAtom } from "#webapp/user/usage.ts";

type UploadState = "queued" | UploadPhase | "paused" | "needs_file" | "failed" | "done";

/** A file being uploaded, or the reason for its failure. */
export interface Upload extends StoredUpload {
  state: UploadState;
  sentBytes: number;
  /** A notice from the check, such as the number of uploads left today. */
  notice: string | null;
  problem: string | null;
  /** Whether a retry may help; an invalid file stays invalid. */
  canRetry: boolean;
  /** The created component, for uploads without a page. */
  component: Component | null;
}

const allAtom = accountAtom<readonly Upload[]>([]);
export const uploadsAtom = atom((get) => get(allAtom));

const MAX_RUNNING = 2;
const newId = monotonicFactory();
const controllers = new Map<string, AbortController>();
const resolvers = new Map<string, (component: Component | undefined) => void>();
type Listener = (upload: Upload, component: Component) => void;
const listeners = new Set<Listener>();

/** Notifies of every finished upload, on any page. */
export function onUploaded(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const find = (id: string) => store.get(allAtom).find((upload) => upload.id === id);

function change(id: string, next: Partial<Upload>): void {
  store.set(allAtom, (all) => all.map((upload) => (upload.id === id ? { ...upload, ...next } : upload)));
}

function remove(id: string): void {
  store.set(allAtom, (all) => all.filter((upload) => upload.id !== id));
}

const fromStored = (stored: StoredUpload): Upload => ({
  ...stored,
  state: stored.file ? (stored.isPaused ? "paused" : "queued") : "needs_file",
  sentBytes: 0,
  notice: null,
  problem: null,
  canRetry: true,
  component: null,
});

const toStored = (upload: Upload): StoredUpload => {
  const { state: _1, sentBytes: _2, notice: _3, problem: _4, canRetry: _5, component: _6, ...stored } = upload;
  return stored;
};

interface Target {
  pageId: string | null;
  after?: string | undefined;
}

/** Adds files to the upload queue; resolves when each has finished or failed. */
export async function addUploads(
  files: readonly File[],
  { pageId, after }: Target,
): Promise<(Component | undefined)[]> {
  // Without this check, files would be listed a moment later than they are dropped.
  if (store.get(userAtom) === null) await waitForAccount();
  const accountId = store.get(userAtom)?._id;
  if (accountId === undefined) return [];
  const batch = newId();
  const added = files.map((file, index) =>
    fromStored({
      accountId,
      id: newId(),
      batch,
      index,
      pageId,
      after: after ?? null,
      isPaused: false,
      addedAt: Date.now(),
      name: file.name,
      type: file.type,
      sizeBytes: file.size,
      lastModified: file.lastModified,
      file,
    }),
  );
  store.set(allAtom, (all) => [...all, ...added]);
  const completions = added.map(
    ({ id }) => new Promise<Component | undefined>((resolve) => resolvers.set(id, resolve)),
  );
  for (const upload of added) void saveUpload(toStored(upload));
  startNext();
  return Promise.all(completions);
}

const restoredAccounts = new Set<string>();

// An upload must not continue with the token of another account, and nothing may wait for it. It is restored when its own
// account signs in again.
store.sub(accountIdAtom, () => {
  for (const controller of controllers.values()) controller.abort();
  controllers.clear();
  restoredAccounts.clear();
  for (const id of resolvers.keys()) resolveUpload(id);
});

/** Resumes uploads interrupted by a reload, except uploads that another tab is sending. */
export async function restoreUploads(accountId: string): Promise<void> {
  if (restoredAccounts.has(accountId)) return;
  restoredAccounts.add(accountId);
  try {
    const stored = await listStoredUploads(accountId);
    const known = new Set(store.get(allAtom).map(({ id }) => id));
    const isRestorable = await Promise.all(
      // An upload that ended with the session before may still hold its lock in this tab.
      stored.map(async ({ id }) => !known.has(id) && (running.has(id) || (await isUnlocked(id)))),
    );
    if (store.get(accountIdAtom) !== accountId) return;
    const restorable = stored.filter((_, index) => isRestorable[index] === true);
    store.set(allAtom, (all) => [...restorable.map(fromStored), ...all]);
    startNext();
  } catch (error) {
    logWarning("Could not restore unfinished uploads", error);
  }
}

const lockName = (id: string) => `lamplight-upload-${id}`;

async function isUnlocked(id: string): Promise<boolean> {
  const locks: LockManager | undefined = navigator.locks;
  return locks ? locks.request(lockName(id), { ifAvailable: true }, (lock) => lock !== null) : true;
}

/** Makes sure that only one tab sends a file. Without Web Locks, the server's offsets prevent corruption. */
function withUploadLock<T>(id: string, work: () => Promise<T>): Promise<T | undefined> {
  const locks: LockManager | undefined = navigator.locks;
  if (!locks) return work();
  return locks.request(lockName(id), { ifAvailable: true }, (lock) => (lock ? work() : undefined));
}

function startNext(): void {
  for (const { id, state } of store.get(allAtom)) {
    if (controllers.size >= MAX_RUNNING) return;
    if (state === "queued" && !controllers.has(id)) startUpload(id);
  }
}

const running = new Map<string, Promise<void>>();

/** Starts an upload once an earlier run of the same upload has ended. */
function startUpload(id: string): void {
  const controller = new AbortController();
  controllers.set(id, controller);
  const previousRun = running.get(id) ?? Promise.resolve();
  const work = previousRun
    .then(() => runUploadTask(id, controller))
    .finally(() => {
      if (running.get(id) === work) running.delete(id);
    });
  running.set(id, work);
}

async function runUploadTask(id: string, controller: AbortController): Promise<void> {
  try {
    const component = await withUploadLock(id, () => send(id, controller));
    if (component) completeUpload(id, component);
    // Another tab sends it. One that was paused and resumed meanwhile is queued again.
    else if (!controller.signal.aborted && find(id)?.state === "queued") remove(id);
  } catch (error) {
    failUpload(id, error);
  } finally {
    if (controllers.get(id) === controller) controllers.delete(id);
    startNext();
  }
}

async function send(id: string, controller: AbortController): Promise<Component | undefined> {
  const upload = find(id);
  if (!upload?.file) return undefined;
  const { pageId } = upload;
  const file = await convertIfHeic(id, upload.file);
  const checked = await checkUpload(file);
  if ("problem" in checked) {
    rejectUpload(id, checked.problem);
    return undefined;
  }
  const { signal } = controller;
  if (signal.aborted) return undefined;
  change(id, { notice: checked.notice, state: "sending" });
  const videoProbe = checked.family === "video" ? probeForUpload(file) : undefined;
  const component = await runUpload({
    calls: createUploadCalls({ id, pageId, file, family: checked.family, signal }),
    sizeBytes: file.size,
    pieceBytes: CHUNK_BYTES,
    wait: (ms) => pauseUntilOnline(ms, signal),
    isStopped: () => signal.aborted,
    onProgress: (sentBytes) => change(id, { sentBytes: Math.min(file.size, sentBytes) }),
    onPhase: (state) => {
      if (!signal.aborted) change(id, { state });
    },
  });
  return (await (await videoProbe)?.(component._id)) ?? component;
}

/** Converts a HEIC photo to JPEG if this browser can. */
async function convertIfHeic(id: string, file: File): Promise<File> {
  if (!isHeic(new Uint8Array(await file.slice(0, 16).arrayBuffer()))) return file;
  const converted = await (await import("./heic-to-jpeg.ts")).convertToJpeg(file);
  if (!converted) return file;
  change(id, { file: converted, name: converted.name, type: converted.type, sizeBytes: converted.size });
  const changed = find(id);
  if (changed) void saveUpload(toStored(changed));
  return converted;
}

/** Probes a video while it uploads; resolves to a function that sends the result. */
async function probeForUpload(file: File): Promise<(componentId: string) => Promise<Component | undefined>> {
  const { probeVideo, sendProbe } = await import("#webapp/video/video-metadata.ts");
  const metadata = await probeVideo(file);
  return (componentId) => sendProbe(componentId, metadata);
}

function resolveUpload(id: string, component?: Component): void {
  resolvers.get(id)?.(component);
  resolvers.delete(id);
}

function completeUpload(id: string, component: Component): void {
  const upload = find(id);
  if (!upload) return;
  void removeStoredUpload(upload.accountId, id);
  for (const listener of listeners) listener(upload, component);
  if (upload.pageId === null) change(id, { state: "done", component });
  else remove(id);
  resolveUpload(id, component);
  void loadContent();
  // Refresh the usage if it is shown.
  if (store.get(usageAtom) !== null) void loadUsage();
}

/** Ends an upload whose file is invalid, so that a retry cannot help. */
function rejectUpload(id: string, problem: string): void {
  const accountId = find(id)?.accountId;
  if (accountId !== undefined) void removeStoredUpload(accountId, id);
  change(id, { state: "failed", problem, canRetry: false });
  resolveUpload(id);
}

function failUpload(id: string, error: unknown): void {
  if (error instanceof NoResponseError && error.reason === "aborted") return;
  const problem = toFailureMessage(error, "upload")?.message ?? "";
  if (error instanceof Failure && (error.status === 400 || error.status === 413)) rejectUpload(id, problem);
  else change(id, { state: "failed", problem, canRetry: true });
  resolveUpload(id);
}

/** Pauses an upload; also survives a reload. */
export function pauseUpload(id: string): void {
  const upload = find(id);
  if (!upload) return;
  change(id, { state: "paused", isPaused: true });
  controllers.get(id)?.abort();
  controllers.delete(id);
  void saveUpload({ ...toStored(upload), isPaused: true });
  startNext();
}

/** Resumes an upload that was paused or failed. */
export function resumeUpload(id: string): void {
  const upload = find(id);
  if (!upload?.file) return;
  change(id, { state: "queued", isPaused: false, problem: null });
  void saveUpload({ ...toStored(upload), isPaused: false });
  startNext();
}

/** Cancels an upload, here and on the server. */
export function cancelUpload(id: string): void {
  const upload = find(id);
  if (!upload) return;
  controllers.get(id)?.abort();
  controllers.delete(id);
  dismissUpload(id);
  // A failure is ignored, because the server removes abandoned uploads.
  if (upload.sizeBytes > CHUNK_BYTES) client.uploads.cancelUpload({ id }).catch(() => undefined);
  startNext();
}

export function dismissUpload(id: string): void {
  const upload = find(id);
  if (!upload) return;
  void removeStoredUpload(upload.accountId, id);
  remove(id);
  resolveUpload(id);
}

/** Attaches a file that the student chose again after a reload; false if it is a different file. */
export function attachFile(id: string, file: File): boolean {
  const upload = find(id);
  if (!upload || file.size !== upload.sizeBytes || file.name !== upload.name) return false;
  change(id, { file });
  resumeUpload(id);
  return true;
}
